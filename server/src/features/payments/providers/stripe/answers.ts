import type { Stripe } from 'stripe'
import type { LookupAnswer, NoAnswer, ProviderAnswer, ProviderDispute, Step } from '../provider.ts'

// Translates Stripe's objects into answers about a step. Pure.

/** Metadata keys of Stripe's objects: the intent and the step that created them. */
export const METADATA = { intent: 'vitrine_intent', key: 'vitrine_key' } as const

/** The state of a charge at Stripe: the state of its hosted page, or the payment made on that page. */
export type ChargeState =
  | { readonly kind: 'open'; readonly reference: string; readonly url: string | null }
  | { readonly kind: 'expired'; readonly reference: string }
  | { readonly kind: 'payment'; readonly payment: Stripe.PaymentIntent }

export function stateOfSession(session: Stripe.Checkout.Session): ChargeState {
  const { id, url, status, payment_intent: payment } = session
  if (status === 'expired') return { kind: 'expired', reference: id }
  if (status === 'complete' && payment !== null && typeof payment === 'object') return { kind: 'payment', payment }
  return { kind: 'open', reference: id, url }
}

/** The answer about a step of a charge. */
export function answerAbout(step: Step, state: ChargeState): LookupAnswer {
  switch (step) {
    case 'authorize':
      return authorization(state)
    case 'capture':
      return capture(state)
    case 'void':
      return voiding(state)
    case 'refund':
      return unknown('a refund is looked up by its own reference')
  }
}

function authorization(state: ChargeState): LookupAnswer {
  if (state.kind === 'expired') return { kind: 'declined', code: 'page_expired' }
  if (state.kind === 'open') {
    const { reference, url } = state
    return url === null ? unknown('the page has no URL') : { kind: 'action_required', reference, url }
  }
  const { payment } = state
  switch (payment.status) {
    case 'requires_capture':
      return { ...done(payment, payment.amount_capturable), ...untilOf(payment) }
    case 'succeeded':
      return payment.capture_method === 'manual'
        ? { ...done(payment, payment.amount), captured: BigInt(payment.amount_received) }
        : done(payment, payment.amount_received)
    case 'processing':
    // The page is completed: the shopper has a voucher, or the details of a bank transfer, and pays in the next days.
    case 'requires_action':
      return { kind: 'pending', reference: payment.id }
    case 'canceled':
      return { kind: 'declined', code: payment.cancellation_reason ?? 'canceled' }
    case 'requires_payment_method':
      return { kind: 'declined', code: failureOf(payment) }
    default:
      return unknown(payment.status)
  }
}

/** When the card's bank releases the authorization. */
function untilOf({ latest_charge: charge }: Stripe.PaymentIntent): { readonly until?: Date } {
  const seconds = typeof charge === 'object' ? charge?.payment_method_details?.card?.capture_before : undefined
  return seconds === undefined ? {} : { until: new Date(seconds * 1000) }
}

function capture(state: ChargeState): LookupAnswer {
  if (state.kind !== 'payment') {
    return { kind: 'contradicted', by: 'authorize', detail: `the page is ${state.kind}` }
  }
  const { payment } = state
  switch (payment.status) {
    case 'succeeded':
      return done(payment, payment.amount_received)
    case 'requires_capture':
      return { kind: 'never_seen' }
    case 'canceled':
      return { kind: 'declined', code: payment.cancellation_reason ?? 'canceled' }
    case 'requires_payment_method':
      return { kind: 'declined', code: failureOf(payment) }
    default:
      return unknown(payment.status)
  }
}

/** A void that is not done yet is answered as never seen, so that it is sent again. */
function voiding(state: ChargeState): LookupAnswer {
  if (state.kind !== 'payment') return { kind: 'never_seen' }
  const { payment } = state
  switch (payment.status) {
    case 'canceled':
      return done(payment, payment.amount)
    case 'succeeded':
      return { kind: 'contradicted', by: 'capture', detail: 'it is captured', reference: payment.id }
    case 'processing':
      return unknown('processing')
    default:
      return { kind: 'never_seen' }
  }
}

/** Convert a dispute. An inquiry withholds no money yet, but needs a response like a dispute. */
export function disputeOf(dispute: Stripe.Dispute): ProviderDispute {
  const { id, amount, currency, reason, evidence_details: evidence, created, livemode } = dispute
  const status = DISPUTE_STATUSES[dispute.status] ?? 'open'
  return {
    reference: id,
    amount: BigInt(amount),
    currency: currency.toUpperCase(),
    reason,
    status,
    respondBy: status === 'open' && evidence.due_by !== null ? new Date(evidence.due_by * 1000) : null,
    url: `https://dashboard.stripe.com/${livemode ? '' : 'test/'}disputes/${id}`,
    openedAt: new Date(created * 1000),
  }
}

const DISPUTE_STATUSES: Readonly<Record<string, ProviderDispute['status']>> = {
  needs_response: 'open',
  warning_needs_response: 'open',
  appeal_needs_response: 'open',
  appeal_under_review: 'under_review',
  under_review: 'under_review',
  warning_under_review: 'under_review',
  won: 'won',
  warning_closed: 'won',
  prevented: 'won',
  lost: 'lost',
}

/** The answer to a void for an expired page: it has no payment, and never will. */
export function expired(session: Stripe.Checkout.Session): ProviderAnswer {
  if (session.amount_total === null || session.currency === null) return unknown('the page has no amount')
  return {
    kind: 'done',
    reference: session.id,
    amount: BigInt(session.amount_total),
    currency: session.currency.toUpperCase(),
  }
}

export function refundAnswer(refund: Stripe.Refund): ProviderAnswer {
  const { id, status, amount, currency, failure_reason: reason } = refund
  switch (status) {
    case 'succeeded':
      return { kind: 'done', reference: id, amount: BigInt(amount), currency: currency.toUpperCase() }
    // Pending, or waiting for the shopper’s bank details. Stripe takes care of both.
    case 'pending':
    case 'requires_action':
      return { kind: 'action_required', reference: id, url: null }
    case 'failed':
    case 'canceled':
      return { kind: 'declined', code: reason ?? status }
    default:
      return unknown(`a refund that is ${status}`)
  }
}

function done(payment: Stripe.PaymentIntent, amount: number): ProviderAnswer & { readonly kind: 'done' } {
  return { kind: 'done', reference: payment.id, amount: BigInt(amount), currency: payment.currency.toUpperCase() }
}

/** The failure code, with the checkout page's own codes where it has them. */
function failureOf({ last_payment_error: error }: Stripe.PaymentIntent): string {
  if (error?.decline_code === 'insufficient_funds') return 'insufficient_funds'
  if (error?.code === 'payment_intent_authentication_failure') return 'action_declined'
  return error?.code ?? 'declined'
}

/** Types of errors after which nothing was done. */
const REFUSALS: Readonly<Record<string, string>> = {
  StripeInvalidRequestError: 'refused',
  StripeCardError: 'declined',
  StripeAuthenticationError: 'invalid_key',
  StripePermissionError: 'missing_right',
}

/** The answer for a failed call: a refusal is definite, any other error leaves the outcome unknown. */
export function failedCall(error: unknown): NoAnswer | { readonly kind: 'refused'; readonly code: string } {
  const { type = '', code, statusCode, message } = error as Partial<Stripe.errors.StripeError> & Error
  const refusal = REFUSALS[type]
  const isRepeatable = statusCode === 409 || statusCode === 429
  if (refusal !== undefined && !isRepeatable) return { kind: 'refused', code: code ?? refusal }
  return unknown(`${statusCode ?? ''} ${type} ${code ?? message}`.trim())
}

export function unknown(detail: string): NoAnswer {
  return { kind: 'unknown', detail }
}
