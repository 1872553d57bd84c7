import { assert } from './assert.ts'

/** A state machine as one literal: each state with its commands, each command with the next state. */
interface MachineDefinition<State extends string, Command extends string> {
  readonly initial: State
  /** The final states: exactly those without commands. */
  readonly finals: readonly State[]
  readonly transitions: Readonly<Record<State, Readonly<Partial<Record<Command, State>>>>>
}

/** A definition that has been checked. */
export interface Machine<State extends string, Command extends string> extends MachineDefinition<State, Command> {
  readonly states: readonly State[]
}

/** The next state, or the conflict of a 409: the current state and the allowed commands. @see docs/reference/rules.md#state-machines */
type Transition<State extends string, Command extends string> =
  | { readonly moved: true; readonly to: State }
  | { readonly moved: false; readonly conflict: { readonly currentState: State; readonly allowed: readonly Command[] } }

/**
 * Creates a machine from its definition. Asserts that every state is reachable, that exactly the final states have no commands,
 * and that every state can reach a final one.
 */
export function machine<State extends string, Command extends string>(
  definition: MachineDefinition<State, Command>,
): Machine<State, Command> {
  const { initial, finals, transitions } = definition
  const states = Object.keys(transitions) as State[]
  const next = (state: State) => Object.values<State>(transitions[state] as Record<Command, State>)

  const reached = closure([initial], next)
  for (const state of states) assert(reached.has(state), `${state} is reachable from ${initial}`)
  for (const state of states) {
    assert(finals.includes(state) === (next(state).length === 0), `${state} is final exactly if it has no commands`)
  }
  const ending = closure(finals, (final) => states.filter((state) => next(state).includes(final)))
  for (const state of states) assert(ending.has(state), `${state} can reach a final state`)
  return { ...definition, states }
}

/** Everything that is reachable from the first ones. */
function closure<State>(first: readonly State[], next: (state: State) => readonly State[]): ReadonlySet<State> {
  const found = new Set(first)
  for (const state of found) for (const each of next(state)) found.add(each)
  return found
}

/** Applies a command to a state. */
export function transition<State extends string, Command extends string>(
  { transitions }: Machine<State, Command>,
  from: State,
  command: Command,
): Transition<State, Command> {
  const commands: Readonly<Partial<Record<Command, State>>> = transitions[from]
  const to = commands[command]
  if (to !== undefined) return { moved: true, to }
  return { moved: false, conflict: { currentState: from, allowed: Object.keys(commands) as Command[] } }
}
