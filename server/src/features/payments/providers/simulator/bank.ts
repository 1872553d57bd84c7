import { createHash } from 'node:crypto'

export const OPERATIONS = ['authorize', 'capture', 'void', 'refund'] as const
export type BankOperation = (typeof OPERATIONS)[number]

/** A request to the bank. Amounts are minor units, as text. */
export interface Order {
  readonly operation: BankOperation
  readonly key: string
  /** The key of the authorization. For an authorization, its own key. */
  readonly payment: string
  readonly amount: string
  readonly currency: string
  /** URLs that the bank's page sends the shopper to, and that receives notifications. */
  readonly returnUrl?: string | undefined
  readonly notifyUrl?: string | undefined
}

/** The bank's response, unless the books prevent it. */
export type BankDecision = 'accept' | 'decline' | 'ask_shopper' | 'delay'

type RecordStatus = 'authorized' | 'action_required' | 'pending' | 'captured' | 'voided' | 'refunded' | 'declined'

/** The result of an order. It never changes for its key. */
export interface BankRecord extends Order {
  readonly reference: string
  readonly status: RecordStatus
  readonly failureCode: string | null
}

/** An order that contradicts the books. It leaves no record and may fit later. */
export interface Contradiction {
  readonly refused: 'payment_never_seen' | 'already_captured' | 'key_reused'
}

/** A dispute of a captured payment. */
export interface BankDispute {
  readonly reference: string
  /** The key of the authorization. */
  readonly payment: string
  readonly amount: string
  readonly currency: string
  readonly status: 'open' | 'won' | 'lost'
  /** RFC 3339. */
  readonly openedAt: string
}

/** A movement of money. Tests compare these with our own records. */
export interface BookEntry {
  readonly operation: BankOperation
  readonly key: string
  readonly payment: string
  readonly amount: string
  readonly currency: string
}

/** A change of the books, from which they can be replayed. */
export type Change =
  | { readonly change: 'order'; readonly order: Order; readonly decision: BankDecision }
  | { readonly change: 'action'; readonly reference: string; readonly approved: boolean }
  | {
      readonly change: 'dispute'
      readonly payment: string
      readonly status: BankDispute['status']
      readonly at: string
    }
  | { readonly change: 'settlement'; readonly key: string; readonly paid: boolean }

/** The status of an operation that succeeded. */
export const DONE = { authorize: 'authorized', capture: 'captured', void: 'voided', refund: 'refunded' } as const

/** Failure codes of forced declines. A void is never declined. */
const DECLINED = {
  authorize: 'card_declined',
  capture: 'card_declined',
  void: null,
  refund: 'refund_declined',
} as const

/** A bank that executes each key at most once, and no order that contradicts its books. */
export class Bank {
  readonly #records = new Map<string, BankRecord>()
  readonly #byReference = new Map<string, string>()
  /** Captured and refunded amounts, keyed by payment. */
  readonly #captured = new Map<string, bigint>()
  readonly #refunded = new Map<string, bigint>()
  readonly #voided = new Set<string>()
  readonly #disputes = new Map<string, BankDispute>()
  readonly #entries: BookEntry[] = []
  readonly #onChange: (change: Change) => void

  constructor(onChange: (change: Change) => void = () => undefined) {
    this.#onChange = onChange
  }

  /** The movements, in order. */
  books(payment?: string): readonly BookEntry[] {
    return payment === undefined ? this.#entries : this.#entries.filter((entry) => entry.payment === payment)
  }

  lookup(key: string): BankRecord | null {
    return this.#records.get(key) ?? null
  }

  /** Delayed payments that have not settled. */
  pending(): readonly BankRecord[] {
    return [...this.#records.values()].filter(({ status }) => status === 'pending')
  }

  byReference(reference: string): BankRecord | null {
    return this.lookup(this.#byReference.get(reference) ?? '')
  }

  /** Executes an order, or returns its earlier result. */
  order(order: Order, decision: BankDecision = 'accept'): BankRecord | Contradiction {
    const known = this.#records.get(order.key)
    if (known) return isSame(known, order) ? known : { refused: 'key_reused' }
    const contradiction = this.#contradictionOf(order)
    if (contradiction) return contradiction
    this.#onChange({ change: 'order', order, decision })
    const failureCode = decision === 'decline' ? DECLINED[order.operation] : this.#whyNot(order)
    if (failureCode !== null) return this.#keep(order, 'declined', failureCode)
    if (decision === 'ask_shopper' && order.operation === 'authorize') return this.#keep(order, 'action_required', null)
    if (decision === 'delay' && order.operation === 'authorize') return this.#keep(order, 'pending', null)
    return this.#do(order)
  }

  /** Open a dispute of a captured payment, or decide it. `null` if nothing is captured or the dispute is decided already. */
  dispute(payment: string, status: BankDispute['status'], at: string): BankDispute | null {
    const captured = this.#captured.get(payment)
    const known = this.#disputes.get(payment)
    const currency = this.lookup(payment)?.currency
    if (captured === undefined || currency === undefined || (known && known.status !== 'open')) return null
    this.#onChange({ change: 'dispute', payment, status, at })
    const left = String(captured - (this.#refunded.get(payment) ?? 0n))
    const reference = referenceOf(`${payment}:dispute`)
    const dispute = known ?? { reference, payment, amount: left, currency, openedAt: at, status }
    this.#disputes.set(payment, { ...dispute, status })
    return this.#disputes.get(payment) ?? null
  }

  disputeOf(payment: string): BankDispute | null {
    return this.#disputes.get(payment) ?? null
  }

  /** Settle a delayed payment: it was paid, or bounced. `null` if none is pending. */
  settle(key: string, paid: boolean): BankRecord | null {
    const record = this.lookup(key)
    if (record?.status !== 'pending' || this.#voided.has(record.payment)) return null
    this.#onChange({ change: 'settlement', key, paid })
    return paid ? this.#do(record) : this.#keep(record, 'declined', 'payment_bounced')
  }

  /** Apply the shopper's answer on the bank's page. `null` if none is expected. */
  act(reference: string, approved: boolean): BankRecord | null {
    const record = this.byReference(reference)
    if (record?.status !== 'action_required' || this.#voided.has(record.payment)) return null
    this.#onChange({ change: 'action', reference, approved })
    return approved ? this.#do(record) : this.#keep(record, 'declined', 'action_declined')
  }

  #contradictionOf({ operation, payment }: Order): Contradiction | null {
    const status = this.#records.get(payment)?.status
    if (operation === 'void') return this.#captured.has(payment) ? { refused: 'already_captured' } : null
    if (operation === 'authorize' || this.#voided.has(payment)) return null
    return status === undefined || status === 'action_required' || status === 'pending'
      ? { refused: 'payment_never_seen' }
      : null
  }

  /** The reason that an order can never be executed; `null` if it can. */
  #whyNot({ operation, payment, amount }: Order): string | null {
    if (operation === 'void') return null
    if (this.#voided.has(payment)) return 'payment_voided'
    if (operation === 'authorize') return null
    const captured = this.#captured.get(payment)
    if (operation === 'capture') {
      const authorized = this.#records.get(payment)
      if (authorized?.status !== 'authorized' || captured !== undefined) return 'not_authorized'
      return BigInt(amount) > BigInt(authorized.amount) ? 'more_than_authorized' : null
    }
    if (captured === undefined) return 'not_captured'
    return (this.#refunded.get(payment) ?? 0n) + BigInt(amount) > captured ? 'more_than_captured' : null
  }

  #do(order: Order): BankRecord {
    const { operation, key, payment, amount, currency } = order
    if (operation === 'capture') this.#captured.set(payment, BigInt(amount))
    if (operation === 'refund') this.#refunded.set(payment, (this.#refunded.get(payment) ?? 0n) + BigInt(amount))
    if (operation === 'void') this.#voided.add(payment)
    this.#entries.push({ operation, key, payment, amount, currency })
    return this.#keep(order, DONE[operation], null)
  }

  #keep(order: Order, status: RecordStatus, failureCode: string | null): BankRecord {
    const record: BankRecord = { ...order, reference: referenceOf(order.key), status, failureCode }
    this.#records.set(order.key, record)
    this.#byReference.set(record.reference, order.key)
    return record
  }
}

/** Rebuild the books from their changes. */
export function replay(bank: Bank, changes: Iterable<Change>): void {
  for (const change of changes) {
    if (change.change === 'order') bank.order(change.order, change.decision)
    else if (change.change === 'action') bank.act(change.reference, change.approved)
    else if (change.change === 'settlement') bank.settle(change.key, change.paid)
    else bank.dispute(change.payment, change.status, change.at)
  }
}

function isSame(known: Order, order: Order): boolean {
  const facts = ['operation', 'payment', 'amount', 'currency'] as const
  return facts.every((fact) => known[fact] === order[fact])
}

function referenceOf(key: string): string {
  return `sim_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`
}
