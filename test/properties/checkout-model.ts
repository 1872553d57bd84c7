/** A model of a cart of one SKU through checkout, order and after-sales: one value and a function per command. */

export const PRICE = 1000
const DISCOUNT = 100
const SHIPPING = 490
const HOUR_MS = 3_600_000
const QUOTE_MS = 1_800_000

/** How a provider handles a charge, on the way and finally. */
export const BANKS = ['pays', 'declines', 'asks', 'pays unheard', 'hears nothing', 'hears late and declines'] as const
export type Bank = (typeof BANKS)[number]

/** Kinds of after-sales requests. */
export const KINDS = ['return', 'refund_only', 'exchange', 'repair'] as const
export type Kind = (typeof KINDS)[number]

export const COMMANDS = [
  'add',
  'code',
  'quote',
  'checkout',
  'checkout by quote',
  'revoke',
  'press',
  'look',
  'approve',
  'turn down',
  'cancel',
  'cancel a unit',
  'cancel the order',
  'decide for it',
  'decide against it',
  'ship a unit',
  'deliver',
  'ask for a unit',
  'go on with the request',
  'decline the request',
] as const
type Name = (typeof COMMANDS)[number]
/** A command. `bank`: the provider's behavior for `press`; `kind`: the request for `ask for a unit`. */
export interface Command {
  readonly name: Name
  readonly bank: Bank
  readonly kind: Kind
}

interface Charge {
  readonly bank: Bank
  status: 'created' | 'requires_action' | 'unknown' | 'succeeded' | 'failed' | 'canceled'
  answer: 'approved' | 'turned down' | null
  /** No longer wanted. */
  isVoided: boolean
  /** Late payments: refunds pending and completed. */
  lateRefund: 'none' | 'asked' | 'back'
}
interface Session {
  status: 'open' | 'processing' | 'requires_action' | 'completed' | 'canceled' | 'expired'
  payment: 'not_started' | 'pending' | 'unknown' | 'succeeded' | 'failed'
  version: number
  expiresAt: number
  readonly units: number
  readonly code: boolean
  charge: Charge | null
}
interface Order {
  status: 'confirmed' | 'processing' | 'completed' | 'canceled'
  readonly units: number
  readonly each: number
  canceled: number
  fulfilled: number
  returned: number
  /** Units refunded or being refunded. */
  reimbursed: number
  pending: number
  refunded: number
  cancellation: { status: 'requested' | 'approved'; readonly units: number } | null
  parcels: number
  delivered: number
  request: { readonly kind: Kind; status: RequestStatus } | null
}
type RequestStatus =
  | 'requested'
  | 'approved'
  | 'awaiting_return'
  | 'in_transit'
  | 'received'
  | 'inspecting'
  | 'resolving'
export interface Model {
  readonly cart: {
    status: 'active' | 'locked' | 'converted' | 'revoked'
    version: number
    units: number
    code: boolean
  }
  quote: { readonly cartVersion: number; readonly expiresAt: number } | null
  session: Session | null
  readonly stock: { onHand: number; held: number }
  uses: number
  order: Order | null
}

export const newModel = (onHand: number): Model => ({
  // Created with one unit, then given an address.
  cart: { status: 'active', version: 2, units: 1, code: false },
  quote: null,
  session: null,
  stock: { onHand, held: 0 },
  uses: 0,
  order: null,
})

export const totalOf = ({ units, code }: Pick<Session, 'units' | 'code'>) =>
  units * (PRICE - (code ? DISCOUNT : 0)) + SHIPPING

/** `done`, or the code of the refusal; `refused` for any code; `nothing` if no request is sent. */
type Answer = string

/** Applies a command to the model. @returns the expected result */
export function apply(model: Model, { name, bank, kind }: Command, now: number): Answer {
  return DOES[name](model, now, { bank, kind })
}

/** Expires an overdue session. */
export function expire(model: Model, now: number): void {
  if (model.session && isDue(model.session, now)) end(model, model.session, 'expired', 'active')
}

const isDue = ({ status, expiresAt }: Session, now: number) =>
  (status === 'open' || status === 'requires_action') && now >= expiresAt
const available = ({ stock }: Model) => stock.onHand - stock.held

/** An ended session releases its holds; its cart is released, or ended by the caller. */
function giveBack(model: Model, session: Session, cart: 'active' | 'revoked'): void {
  model.stock.held -= session.units
  if (session.code) model.uses -= 1
  model.cart.status = cart
  model.cart.version += 1
}

const ENDED: readonly Session['status'][] = ['completed', 'canceled', 'expired']

function end(model: Model, session: Session, status: 'canceled' | 'expired', cart: 'active' | 'revoked'): void {
  session.status = status
  session.version += 1
  if (session.charge) voidCharge(session.charge)
  giveBack(model, session, cart)
}

function voidCharge(charge: Charge): void {
  if (charge.status === 'created') charge.status = 'canceled'
  else if (charge.status === 'requires_action') charge.isVoided = true
}

type Does = (model: Model, now: number, how: Pick<Command, 'bank' | 'kind'>) => Answer

function change(edit: (model: Model, now: number) => Answer | undefined): Does {
  return (model, now) => {
    if (model.cart.status !== 'active') return `cart_${model.cart.status}`
    return edit(model, now) ?? 'done'
  }
}

function begin(model: Model, now: number, byQuote: boolean): Answer {
  const { cart, quote, session } = model
  if (byQuote && quote === null) return 'nothing'
  if (cart.status === 'converted' || cart.status === 'revoked') return `cart_${cart.status}`
  const isHeld = cart.status === 'locked' && session !== null
  if (isHeld && !isDue(session, now)) return 'done'
  // If the next begin is refused, the end of the previous session is rolled back with it.
  const version = cart.version + (isHeld ? 1 : 0)
  if (byQuote && quote && now >= quote.expiresAt) return 'quote_expired'
  if (byQuote && quote && quote.cartVersion !== version) return 'quote_stale'
  if (cart.units > available(model) + (isHeld ? session.units : 0)) return 'out_of_stock'
  if (isHeld) end(model, session, 'expired', 'active')
  cart.status = 'locked'
  cart.version += 1
  model.stock.held += cart.units
  if (cart.code) model.uses += 1
  const { units, code } = cart
  const expiresAt = now + HOUR_MS
  model.session = { status: 'open', payment: 'not_started', version: 1, expiresAt, units, code, charge: null }
  return 'done'
}

/** A provider answer changes the session in the transaction that saves it. */
function settle(model: Model, session: Session, charge: Charge, now: number): void {
  if (isDue(session, now)) end(model, session, 'expired', 'active')
  if (session.status === 'expired' || session.status === 'canceled') {
    const payment = PAYMENT[charge.status]
    if (payment && payment !== session.payment) {
      session.payment = payment
      session.version += 1
    }
    if (charge.status === 'succeeded') charge.lateRefund = 'asked'
    return
  }
  const isChanged = STATUS[charge.status] !== session.status || PAYMENT[charge.status] !== session.payment
  if (!isChanged) return
  session.version += 1
  session.payment = PAYMENT[charge.status] ?? session.payment
  session.status = STATUS[charge.status] ?? session.status
  if (session.status === 'requires_action') session.expiresAt = Math.max(session.expiresAt, now + HOUR_MS)
  if (session.status === 'completed') createOrderFromSession(model, session)
}
const PAYMENT: Readonly<Record<string, Session['payment']>> = {
  requires_action: 'pending',
  unknown: 'unknown',
  succeeded: 'succeeded',
  failed: 'failed',
  canceled: 'failed',
}
const STATUS: Readonly<Record<string, Session['status']>> = {
  requires_action: 'requires_action',
  unknown: 'processing',
  succeeded: 'completed',
  failed: 'open',
}

function createOrderFromSession(model: Model, { units, code }: Session): void {
  model.stock.held -= units
  model.stock.onHand -= units
  model.cart.status = 'converted'
  model.cart.version += 1
  model.order = {
    status: 'confirmed',
    units,
    each: PRICE - (code ? DISCOUNT : 0),
    canceled: 0,
    fulfilled: 0,
    returned: 0,
    reimbursed: 0,
    pending: 0,
    refunded: 0,
    cancellation: null,
    parcels: 0,
    delivered: 0,
    request: null,
  }
}

/** Reconciles all unsettled intents. */
function look(model: Model, now: number): Answer {
  const { session, order } = model
  const charge = session?.charge
  if (!session || !charge) return 'nothing'
  if (charge.lateRefund === 'asked') charge.lateRefund = 'back'
  const next = answerOf(charge)
  if (next) {
    charge.status = next
    settle(model, session, charge, now)
  }
  if (order && order.pending > 0) {
    order.refunded += order.pending
    order.pending = 0
    if (order.cancellation?.status === 'approved') order.cancellation = null
    if (order.request?.status === 'resolving' && isRefunded(order.request.kind)) order.request = null
  }
  return 'done'
}

/** The outcome of an unsettled charge when reconciled; null if settled. */
function answerOf(charge: Charge): Charge['status'] | null {
  const { bank, status, answer, isVoided } = charge
  if (status === 'created') return FIRST[bank]
  if (status === 'unknown') return bank === 'hears late and declines' ? 'failed' : 'succeeded'
  if (status !== 'requires_action') return null
  if (isVoided) return 'canceled'
  if (answer === null) return 'requires_action'
  return answer === 'approved' ? 'succeeded' : 'failed'
}
const FIRST: Readonly<Record<Bank, Charge['status']>> = {
  pays: 'succeeded',
  declines: 'failed',
  asks: 'requires_action',
  'pays unheard': 'unknown',
  'hears nothing': 'unknown',
  'hears late and declines': 'unknown',
}

function act(answer: 'approved' | 'turned down'): Does {
  return ({ session }) => {
    const charge = session?.charge
    // The bank accepts one answer, and none for a canceled charge.
    if (charge?.status !== 'requires_action' || charge.answer !== null || charge.isVoided) return 'nothing'
    charge.answer = answer
    return 'done'
  }
}

function cancelUnits(order: Order, units: number, stock: Model['stock']): void {
  order.canceled += units
  reimburse(order, units)
  stock.onHand += units
  const left = order.units - order.canceled - order.fulfilled
  if (left === 0) order.status = order.fulfilled === 0 ? 'canceled' : 'completed'
}

function reimburse(order: Order, units: number): void {
  order.reimbursed += units
  order.pending += units * order.each + (order.reimbursed === order.units ? SHIPPING : 0)
}

const unitsLeft = ({ units, canceled, fulfilled }: Order) => units - canceled - fulfilled

function cancelOrder(unitsOf: (order: Order) => number): Does {
  return ({ order, stock }) => {
    if (order === null) return 'nothing'
    const left = unitsLeft(order)
    const units = unitsOf(order)
    if (left === 0 || units > left || order.cancellation !== null) return 'refused'
    if (order.status === 'processing') order.cancellation = { status: 'requested', units }
    else cancelUnits(order, units, stock)
    return 'done'
  }
}

const isRefunded = (kind: Kind) => kind === 'return' || kind === 'refund_only'

/** The next step of an operator. Only money completes a refund; a refund alone needs no goods. */
function nextOf({ kind, status }: NonNullable<Order['request']>): RequestStatus | 'completed' | null {
  if (status === 'resolving') return isRefunded(kind) ? null : 'completed'
  return kind === 'refund_only' && status === 'requested' ? 'approved' : NEXT[status]
}
const NEXT = {
  requested: 'awaiting_return',
  approved: 'resolving',
  awaiting_return: 'in_transit',
  in_transit: 'received',
  received: 'inspecting',
  inspecting: 'resolving',
} as const

/** What each step moves: returned goods, replacement goods, money. */
function goOn(
  { order, stock }: { readonly order: Order; readonly stock: Model['stock'] },
  kind: Kind,
  to: string,
): void {
  if (to === 'inspecting' && kind === 'return') order.returned += 1
  if (to === 'inspecting' && kind !== 'repair') stock.onHand += 1
  if (to === 'resolving' && kind === 'exchange') stock.onHand -= 1
  if (to === 'resolving' && isRefunded(kind)) reimburse(order, 1)
}

const DOES: Readonly<Record<Name, Does>> = {
  add: change((model) => {
    if (model.cart.units + 1 > available(model)) return 'out_of_stock'
    model.cart.units += 1
    model.cart.version += 1
    return undefined
  }),
  code: change(({ cart }) => {
    cart.code = true
    cart.version += 1
    return undefined
  }),
  quote: change((model, now) => {
    if (model.cart.units > available(model)) return 'out_of_stock'
    model.quote = { cartVersion: model.cart.version, expiresAt: now + QUOTE_MS }
    return undefined
  }),
  checkout: (model, now) => begin(model, now, false),
  'checkout by quote': (model, now) => begin(model, now, true),
  revoke(model, now) {
    const { cart, session } = model
    if (cart.status === 'converted' || cart.status === 'revoked') return `cart_${cart.status}`
    if (cart.status === 'active') {
      cart.status = 'revoked'
      cart.version += 1
      return 'done'
    }
    if (session!.status === 'processing') return 'payment_outcome_unknown'
    end(model, session!, isDue(session!, now) ? 'expired' : 'canceled', 'revoked')
    return 'done'
  },
  press({ session }, now, { bank }) {
    if (session === null) return 'nothing'
    // The key is invalid an hour after the end of the session; page-session.test.ts covers which refusal it gets.
    if (ENDED.includes(session.status) || isDue(session, now)) return 'refused'
    if (session.status !== 'open') return 'version_conflict'
    session.status = 'processing'
    session.payment = 'pending'
    session.version += 1
    session.charge = { bank, status: 'created', answer: null, isVoided: false, lateRefund: 'none' }
    return 'done'
  },
  look,
  approve: act('approved'),
  'turn down': act('turned down'),
  cancel(model, now) {
    const { session } = model
    if (session === null) return 'nothing'
    if (session.status === 'expired' || isDue(session, now)) return 'session_expired'
    if (session.status === 'completed' || session.status === 'canceled') return 'session_not_cancelable'
    if (session.payment === 'unknown') return 'payment_outcome_unknown'
    // The charge was not sent yet, so it is canceled at once.
    if (session.status === 'processing') {
      session.version += 1
      session.payment = 'failed'
    }
    end(model, session, 'canceled', 'active')
    return 'done'
  },
  'cancel a unit': cancelOrder(() => 1),
  'cancel the order': cancelOrder(unitsLeft),
  'decide for it': ({ order, stock }) => {
    if (order?.cancellation?.status !== 'requested') return 'nothing'
    if (order.cancellation.units > unitsLeft(order)) return 'refused'
    cancelUnits(order, order.cancellation.units, stock)
    order.cancellation.status = 'approved'
    return 'done'
  },
  'decide against it': ({ order }) => {
    if (order?.cancellation?.status !== 'requested') return 'nothing'
    order.cancellation = null
    return 'done'
  },
  'ship a unit': ({ order }) => {
    if (order === null) return 'nothing'
    if (unitsLeft(order) === 0) return 'refused'
    order.fulfilled += 1
    order.parcels += 1
    order.status = unitsLeft(order) === 0 ? 'completed' : 'processing'
    return 'done'
  },
  deliver: ({ order }) => {
    if (order === null || order.delivered === order.parcels) return 'nothing'
    order.delivered += 1
    return 'done'
  },
  'ask for a unit': (model, _now, { kind }) => {
    const { order } = model
    if (order === null) return 'nothing'
    const kept = order.fulfilled - (order.reimbursed - order.canceled)
    if (order.fulfilled === 0 || kept === 0 || order.request !== null) return 'refused'
    // Exchanged for the same SKU.
    if (kind === 'exchange' && available(model) === 0) return 'refused'
    order.request = { kind, status: 'requested' }
    return 'done'
  },
  'go on with the request': ({ order, stock }) => {
    const to = order?.request && nextOf(order.request)
    if (!to || !order?.request) return 'nothing'
    const { kind } = order.request
    goOn({ order, stock }, kind, to)
    order.request = to === 'completed' ? null : { kind, status: to }
    return 'done'
  },
  'decline the request': ({ order }) => {
    if (order?.request?.status !== 'requested') return 'nothing'
    order.request = null
    return 'done'
  },
}
