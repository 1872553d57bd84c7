import type { BankOperation } from './bank.ts'

/** Ways in which the simulator misbehaves on demand. */
export const FAULTS = {
  decline: 'says no, for good',
  ask_shopper: 'wants the shopper to approve on its page first',
  delay: 'does it and answers, late',
  effect_without_answer: 'does it and drops the line',
  effect_without_end: 'does it and never answers',
  no_effect_no_answer: 'drops the line before it has read a word',
  late_effect: 'drops the line, and does it later',
  answer_without_effect: 'says that it has done it, and has not',
  error_without_effect: 'answers 500 and has done nothing',
  error_with_effect: 'answers 503 and has done it all the same',
  garbage: 'does it and answers what nobody can read',
} as const
export type FaultKind = keyof typeof FAULTS

/** A fault that waits for its request. Each is used once. */
export interface Fault {
  readonly fault: FaultKind
  /** What it befalls; everything where absent. */
  readonly operation?: BankOperation | 'lookup' | undefined
  /** The keys that it befalls begin so; all of them where absent. */
  readonly key?: string | undefined
  /** Milliseconds that a delay takes, or until a late effect. */
  readonly delayMs?: number | undefined
}

/** How it behaves until it is told otherwise. */
export interface Mode {
  /** Every line is dropped, and nothing is done. */
  readonly dead: boolean
  /** Tells of everything that it does, not only of what nobody waits for. */
  readonly notifiesAll: boolean
  /** How often each notification is sent: 0 is never. */
  readonly copies: number
  readonly lateMs: number
}

export const MODE: Mode = { dead: false, notifiesAll: false, copies: 1, lateMs: 0 }

/** Takes the first fault that fits out of the queue. */
export function takeFault(queue: Fault[], operation: BankOperation | 'lookup', key: string): Fault | null {
  const index = queue.findIndex(
    (fault) =>
      (fault.operation === undefined || fault.operation === operation) &&
      (fault.key === undefined || key.startsWith(fault.key)),
  )
  return index < 0 ? null : (queue.splice(index, 1)[0] as Fault)
}

/** Whether what came in from outside is a fault. */
export function isFault(given: object): given is Fault {
  const { fault } = given as { readonly fault?: unknown }
  return typeof fault === 'string' && Object.hasOwn(FAULTS, fault)
}

/** Whether what came in from outside changes how it behaves, and nothing else. */
export function isMode(given: object): given is Partial<Mode> {
  const names = Object.keys(MODE)
  return Object.entries(given).every(
    ([name, value]) => names.includes(name) && typeof value === typeof MODE[name as keyof Mode],
  )
}
