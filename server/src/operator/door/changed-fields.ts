type State = Readonly<Record<string, unknown>>

/** The members of a change that differ from the current state, before and after. */
export function changedFields(current: State, change: State): { readonly before: State; readonly after: State } {
  const names = Object.keys(change).filter((name) => JSON.stringify(current[name]) !== JSON.stringify(change[name]))
  const only = (state: State) => Object.fromEntries(names.map((name) => [name, state[name] ?? null]))
  return { before: only(current), after: only(change) }
}
