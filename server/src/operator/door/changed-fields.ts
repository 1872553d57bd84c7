import { refuse } from '../../kernel/refusal.ts'

type State = Readonly<Record<string, unknown>>

/** Refuses `version_conflict` where the caller has seen another version than there is. */
export function assertVersion(currentVersion: number, expectedVersion: number | undefined): void {
  if (expectedVersion === undefined || expectedVersion === currentVersion) return
  refuse('version_conflict', { conflict: { expectedVersion, currentVersion } })
}

/** What a change makes of what there was: the members that it names and that differ, before and after. */
export function changedFields(held: State, change: State): { readonly before: State; readonly after: State } {
  const names = Object.keys(change).filter((name) => JSON.stringify(held[name]) !== JSON.stringify(change[name]))
  const only = (state: State) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: only(held), after: only(change) }
}
