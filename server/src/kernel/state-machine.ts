import { assert } from './assert.ts'

/** A machine as one literal: each state with its commands, each command with the state that it leads to. */
export interface MachineDefinition<State extends string, Command extends string> {
  readonly initial: State
  /** Where nothing more happens: exactly the states without a way out. */
  readonly finals: readonly State[]
  readonly transitions: Readonly<Record<State, Readonly<Partial<Record<Command, State>>>>>
}

/** A drawing that has been checked. */
export interface Machine<State extends string, Command extends string> extends MachineDefinition<State, Command> {
  readonly states: readonly State[]
}

/** The next state, or what a 409 says: where it stands and what is allowed now. @see CONTRACT, State machines */
export type Transition<State extends string, Command extends string> =
  | { readonly moved: true; readonly to: State }
  | { readonly moved: false; readonly conflict: { readonly currentState: State; readonly allowed: readonly Command[] } }

/**
 * Takes a drawing as a machine, once it holds together: every state can be reached from the initial one, exactly the
 * finals have no way out, and from every state some final can be reached. A drawing that does not is our bug.
 */
export function machine<State extends string, Command extends string>(
  drawing: MachineDefinition<State, Command>,
): Machine<State, Command> {
  const { initial, finals, transitions } = drawing
  const states = Object.keys(transitions) as State[]
  const next = (state: State) => Object.values<State>(transitions[state] as Record<Command, State>)

  const reached = closure([initial], next)
  for (const state of states) assert(reached.has(state), `${state} can be reached from ${initial}`)
  for (const state of states) {
    assert(finals.includes(state) === (next(state).length === 0), `${state} is final exactly where it has no way out`)
  }
  const ending = closure(finals, (final) => states.filter((state) => next(state).includes(final)))
  for (const state of states) assert(ending.has(state), `${state} can come to an end`)
  return { ...drawing, states }
}

/** Everything that can be reached from the first ones. */
function closure<State>(first: readonly State[], next: (state: State) => readonly State[]): ReadonlySet<State> {
  const found = new Set(first)
  for (const state of found) for (const each of next(state)) found.add(each)
  return found
}

/** What a command does in a state. */
export function transition<State extends string, Command extends string>(
  { transitions }: Machine<State, Command>,
  from: State,
  command: Command,
): Transition<State, Command> {
  const ways: Readonly<Partial<Record<Command, State>>> = transitions[from]
  const to = ways[command]
  if (to !== undefined) return { moved: true, to }
  return { moved: false, conflict: { currentState: from, allowed: Object.keys(ways) as Command[] } }
}
