import type { BankOperation } from './bank.ts'

/** Faults that the simulator makes on demand. */
export const FAULTS = {
  decline: 'declines permanently',
  ask_shopper: 'requires the approval of the shopper on its page',
  settles: 'takes the payment by a method that settles late, and it is paid',
  bounces: 'takes the payment by a method that settles late, and it is not paid',
  disputed: 'executes the capture, and the payer disputes it later',
  delay: 'executes and answers late',
  effect_without_answer: 'executes and drops the connection',
  effect_without_end: 'executes and never answers',
  no_effect_no_answer: 'drops the connection before reading the request',
  late_effect: 'drops the connection and executes later',
  answer_without_effect: 'confirms without executing',
  error_without_effect: 'answers 500 without executing',
  error_with_effect: 'executes and answers 503',
  other_amount: 'executes with one minor unit less',
  garbage: 'executes and sends an unreadable answer',
} as const
export type FaultKind = keyof typeof FAULTS

/** A fault that waits for a matching request. Each is used once. */
export interface Fault {
  readonly fault: FaultKind
  /** Absent: every operation. */
  readonly operation?: BankOperation | 'lookup' | undefined
  /** Prefix of the key. Absent: every key. */
  readonly key?: string | undefined
  /** Milliseconds until a delayed answer, a late effect, or the settlement of a delayed payment. */
  readonly delayMs?: number | undefined
}

/** The behavior of the simulator until it is changed. */
export interface Mode {
  /** Drops every connection and executes nothing. */
  readonly dead: boolean
  /** Sends notifications about every change, not only about changes that no request waits for. */
  readonly notifiesAll: boolean
  /** How many copies of each notification are sent; 0 is none. */
  readonly copies: number
  readonly lateMs: number
}

export const MODE: Mode = { dead: false, notifiesAll: false, copies: 1, lateMs: 0 }

/** Takes the first matching fault from the queue. */
export function takeFault(queue: Fault[], operation: BankOperation | 'lookup', key: string): Fault | null {
  const index = queue.findIndex(
    (fault) =>
      (fault.operation === undefined || fault.operation === operation) &&
      (fault.key === undefined || key.startsWith(fault.key)),
  )
  return index < 0 ? null : (queue.splice(index, 1)[0] as Fault)
}

/** Whether the input is a fault. */
export function isFault(given: object): given is Fault {
  const { fault } = given as { readonly fault?: unknown }
  return typeof fault === 'string' && Object.hasOwn(FAULTS, fault)
}

/** The control API's names of the mode. */
const MODE_NAMES: readonly (readonly [wire: string, name: keyof Mode])[] = [
  ['dead', 'dead'],
  ['tellsAll', 'notifiesAll'],
  ['copies', 'copies'],
  ['lateMs', 'lateMs'],
]

/** Reads a partial mode from the control API; `null` if the input is invalid. */
export function readMode(given: object): Partial<Mode> | null {
  const entries = Object.entries(given).map(([wire, value]) => {
    const name = MODE_NAMES.find(([each]) => each === wire)?.[1]
    return name !== undefined && typeof value === typeof MODE[name] ? ([name, value] as const) : null
  })
  return entries.includes(null) ? null : Object.fromEntries(entries.flatMap((entry) => (entry ? [entry] : [])))
}

/** Presents a mode in the control API. */
export function presentMode(mode: Mode): Readonly<Record<string, unknown>> {
  return Object.fromEntries(MODE_NAMES.map(([wire, name]) => [wire, mode[name]]))
}
