import { unreachable } from '../../../../kernel/assert.ts'
import {
  Bank,
  type BankDecision,
  type BankDispute,
  type BankRecord,
  type Change,
  type Contradiction,
  type Order,
} from './bank.ts'
import { type Fault, MODE, type Mode, takeFault } from './faults.ts'

/** The response on the connection: an answer, possibly late, or none. */
export type Served =
  | { readonly line: 'answer'; readonly status: number; readonly body: string; readonly afterMs: number }
  | { readonly line: 'drop' }
  | { readonly line: 'hang' }

/** Time until a delayed payment settles: long enough to see the page of an unsettled one. */
export const SETTLES_MS = 60_000

/** A notification to the merchant. */
export interface SimulatorNotification {
  /** The same for every copy. */
  readonly id: string
  readonly key: string
  readonly status: string
  readonly url: string
}

interface SimulatorDeps {
  /** Base URL of its pages, without a trailing slash. */
  readonly origin: () => string
  readonly now: () => Date
  /** Runs `act` after a time. */
  readonly later: (milliseconds: number, act: () => void) => void
  readonly notify: (notification: SimulatorNotification, mode: Mode) => void
  readonly onChange?: (change: Change) => void
}

/** A payment provider with faults on demand, without its HTTP server. */
export class Simulator {
  readonly bank: Bank
  readonly faults: Fault[] = []
  mode: Mode = MODE
  readonly #deps: SimulatorDeps

  constructor(deps: SimulatorDeps) {
    this.#deps = deps
    this.bank = new Bank(deps.onChange)
  }

  /** Serves an order, applying a queued fault. */
  order(order: Order): Served {
    if (this.mode.dead) return { line: 'drop' }
    const fault = takeFault(this.faults, order.operation, order.key)
    switch (fault?.fault) {
      case undefined:
        return this.#answer(this.#execute(order))
      case 'decline':
        return this.#answer(this.#execute(order, 'decline'))
      case 'ask_shopper':
        return this.#answer(this.#execute(order, 'ask_shopper'))
      case 'settles':
      case 'bounces': {
        const made = this.#execute(order, 'delay')
        const isPaid = fault.fault === 'settles'
        this.#deps.later(fault.delayMs ?? SETTLES_MS, () => void this.settle(order.key, isPaid))
        return this.#answer(made)
      }
      case 'disputed':
        this.#deps.later(fault.delayMs ?? SETTLES_MS, () => void this.dispute(order.payment, 'open'))
        return this.#answer(this.#execute(order))
      case 'delay':
        return this.#answer(this.#execute(order), fault.delayMs)
      case 'effect_without_answer':
        this.#execute(order)
        return { line: 'drop' }
      case 'effect_without_end':
        this.#execute(order)
        return { line: 'hang' }
      case 'no_effect_no_answer':
        return { line: 'drop' }
      case 'late_effect':
        this.#deps.later(fault.delayMs ?? 0, () => void this.#execute(order))
        return { line: 'drop' }
      case 'other_amount':
        return this.#answer(this.#execute({ ...order, amount: String(BigInt(order.amount) - 1n) }))
      case 'answer_without_effect':
        return this.#answer(this.#pretend(order))
      case 'error_without_effect':
        return broken(500)
      case 'error_with_effect':
        this.#execute(order)
        return broken(503)
      case 'garbage':
        this.#execute(order)
        return { line: 'answer', status: 200, body: '<html>Welcome</html>', afterMs: 0 }
      default:
        return unreachable(fault as never)
    }
  }

  /** Serves a lookup. */
  lookup(key: string): Served {
    if (this.mode.dead) return { line: 'drop' }
    const fault = takeFault(this.faults, 'lookup', key)
    const answer = this.#answer(this.bank.lookup(key))
    switch (fault?.fault) {
      case undefined:
        return answer
      case 'delay':
        return { ...answer, afterMs: fault.delayMs ?? 0 }
      case 'error_without_effect':
      case 'error_with_effect':
        return broken(500)
      case 'garbage':
        return { line: 'answer', status: 200, body: '<html>Welcome</html>', afterMs: 0 }
      case 'effect_without_end':
        return { line: 'hang' }
      default:
        return { line: 'drop' }
    }
  }

  /** Apply the shopper's answer on the page. `null` if none is expected. */
  act(reference: string, approved: boolean): BankRecord | null {
    const record = this.bank.act(reference, approved)
    if (record) this.#notify(record)
    return record
  }

  /** Settle a delayed payment. `null` if none is pending. */
  settle(key: string, paid: boolean): BankRecord | null {
    const record = this.bank.settle(key, paid)
    if (record) this.#notify(record)
    return record
  }

  /** Open a dispute of a captured payment, or decide it. `null` if that is not possible. */
  dispute(payment: string, status: BankDispute['status']): BankDispute | null {
    const dispute = this.bank.dispute(payment, status, this.#deps.now().toISOString())
    const url = this.bank.lookup(payment)?.notifyUrl
    if (dispute === null || url === undefined) return dispute
    const notification = { id: `${dispute.reference}/${status}`, key: payment, status: 'disputed', url }
    for (let copy = 0; copy < this.mode.copies; copy += 1) this.#deps.notify(notification, this.mode)
    return dispute
  }

  /** Serves a lookup of the disputes of a payment. */
  disputes(payment: string): Served {
    if (this.mode.dead) return { line: 'drop' }
    const dispute = this.bank.disputeOf(payment)
    return answerOf(200, { status: 'found', disputes: dispute ? [dispute] : [] }, 0)
  }

  #execute(order: Order, decision?: BankDecision): BankRecord | Contradiction {
    const known = this.bank.lookup(order.key)
    const made = this.bank.order(order, decision)
    if (!known && 'status' in made && this.mode.notifiesAll) this.#notify(made)
    return made
  }

  /** Execute the order on discarded books only. */
  #pretend(order: Order): BankRecord | Contradiction {
    const elsewhere = new Bank()
    const { payment } = order
    if (order.operation !== 'authorize') elsewhere.order({ ...order, operation: 'authorize', key: payment })
    if (order.operation === 'refund') elsewhere.order({ ...order, operation: 'capture', key: `${payment}:captured` })
    return elsewhere.order(order)
  }

  #notify(record: BankRecord): void {
    const { key, status } = record
    const url = record.notifyUrl ?? this.bank.lookup(record.payment)?.notifyUrl
    if (url === undefined) return
    const notification = { id: `${key}/${status}`, key, status, url }
    for (let copy = 0; copy < this.mode.copies; copy += 1) this.#deps.notify(notification, this.mode)
  }

  #answer(made: BankRecord | Contradiction | null, afterMs = 0): Served & { readonly line: 'answer' } {
    if (made === null) return answerOf(404, { status: 'never_seen' }, afterMs)
    if ('refused' in made) return answerOf(409, { status: 'refused', reason: made.refused }, afterMs)
    const { key, reference, amount, currency, status, failureCode } = made
    const actionUrl = status === 'action_required' ? `${this.#deps.origin()}/actions/${reference}` : null
    return answerOf(200, { key, reference, amount, currency, status, failureCode, actionUrl }, afterMs)
  }
}

function answerOf(status: number, body: object, afterMs: number): Served & { readonly line: 'answer' } {
  return { line: 'answer', status, body: JSON.stringify(body), afterMs }
}

function broken(status: number): Served {
  return { line: 'answer', status, body: '{"status":"error"}', afterMs: 0 }
}
