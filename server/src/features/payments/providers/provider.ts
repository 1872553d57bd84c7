import type { Environment } from '../../../kernel/environment.ts'

/** Routes of the pages door for providers' notifications and returning shoppers. */
export const PAYMENT_PATHS = {
  notifications: '/payments/:provider/notifications',
  return: '/payments/return',
} as const

/** A step of an intent. A charge is authorized and then captured, or voided; a refund is one step. */
export type Step = 'authorize' | 'capture' | 'void' | 'refund'

/** The environment, currency and stores of a payment to offer. */
export interface PaymentPlace {
  readonly environment: Environment
  readonly currency: string
  /** The stores of the cart; empty: any. */
  readonly storeIds: readonly string[]
}

/** A request to a provider. Its key never changes, so that repeating the request has no further effect. */
export interface ProviderCall {
  readonly intentId: string
  readonly step: Step
  /** The idempotency key of this step. */
  readonly key: string
  /** The key of the authorization. Capture, cancel and refund refer to it. */
  readonly authorizeKey: string
  /** The provider's own reference of this intent, as of its last answer; `null` before its first. */
  readonly reference: string | null
  /** For a refund: the provider's reference of the charge. */
  readonly chargeReference: string | null
  readonly amount: bigint
  readonly currency: string
  readonly environment: Environment
  /** The order that is paid for; `null` for a refund, and if the provider does not need it (`needsOrder`). */
  readonly order: OrderToPay | null
  /** Path and query on the pages door that the provider's page sends the shopper back to. */
  readonly returnPath: string
  /** The same for a shopper who leaves that page without paying: the charge is voided, and they can choose another method. */
  readonly abandonPath: string
  /** Aborts the call. Its effect is unknown then. */
  readonly signal: AbortSignal
}

/** The order that a charge pays for. It never changes while the charge is open, so that a repeated call has the same content. */
export interface OrderToPay {
  readonly sessionId: string
  /** BCP 47. */
  readonly locale: string
  readonly email: string | null
  readonly phone: string | null
  readonly shippingAddress: PostalAddress | null
  readonly billingAddress: PostalAddress | null
  /** Amounts are the line totals in minor units, after discounts and including tax. */
  readonly lines: readonly { readonly name: string; readonly quantity: number; readonly amount: bigint }[]
  /** The total of each store, in minor units. Their sum is the amount of the charge. */
  readonly stores: readonly { readonly storeId: string; readonly shipping: bigint; readonly total: bigint }[]
}

export interface PostalAddress {
  readonly recipientName: string
  readonly line1: string
  readonly line2?: string
  readonly city: string
  readonly region?: string
  readonly postalCode?: string
  readonly countryCode: string
}

/**
 * A provider's answer about a step. Only an authoritative answer is definite: a timeout, a 5xx, a dropped connection and an
 * unreadable answer are `unknown`.
 */
export type ProviderAnswer =
  /** Done: authorized, captured, voided or refunded, with the amount in the provider's books. */
  | {
      readonly kind: 'done'
      readonly reference: string
      readonly amount: bigint
      readonly currency: string
      /** For an authorization: when the provider releases it, if known. */
      readonly until?: Date
      /** For an authorization that was captured in the provider's dashboard: the captured amount, which counts. */
      readonly captured?: bigint
    }
  /** Accepted by the shopper, but not settled yet, such as a direct debit: done or declined in days. */
  | { readonly kind: 'pending'; readonly reference: string }
  /** The shopper has to act first; with a manual provider, the operator. */
  | { readonly kind: 'action_required'; readonly reference: string; readonly url: string | null }
  /** Not done, and never will be. */
  | { readonly kind: 'declined'; readonly code: string }
  /** Contradicts what was recorded for another step, which has to be looked up again. */
  | { readonly kind: 'contradicted'; readonly by: Step; readonly detail: string; readonly reference?: string }
  | NoAnswer

/** The outcome is not known. The detail is for operators. */
export interface NoAnswer {
  readonly kind: 'unknown'
  readonly detail: string
}

/** A lookup may also answer that the key was never seen. The step can then be sent again under it. */
export type LookupAnswer = ProviderAnswer | { readonly kind: 'never_seen' }

/** Done, but with another amount or currency than requested. Neither a success nor a failure: money may have moved. */
export interface Mismatch {
  readonly kind: 'mismatched'
  readonly reference: string
  readonly detail: string
}

/**
 * Check an answer against the requested amount and currency. Of an authorization that the shop captures later, any part may have been
 * captured in the provider's dashboard instead: `capturable` is then all of it.
 */
export function checkedAnswer(
  asked: Pick<ProviderCall, 'amount' | 'currency'> & { readonly capturable?: bigint | undefined },
  answer: LookupAnswer,
): LookupAnswer | Mismatch {
  if (answer.kind !== 'done') return answer
  const { reference, amount, currency } = answer
  if (amount === asked.amount && currency === asked.currency) return answer
  const isCapture = asked.capturable !== undefined && amount > 0n && amount <= asked.capturable
  if (isCapture && currency === asked.currency) return { ...answer, captured: amount }
  const detail = `${amount} ${currency} in minor units, not ${asked.amount} ${asked.currency}; reference ${reference}`
  return { kind: 'mismatched', reference, detail }
}

/** A provider's notification. It is never trusted, only a reason for a lookup. */
export interface Notification {
  readonly id: string
  /** The key of a step; `null`: it names none. */
  readonly key: string | null
  /** The provider's reference of a payment, for notifications that name no key. */
  readonly reference?: string | null
  /** Whether it is about a dispute of a payment, not about the payment itself. */
  readonly isDispute?: boolean
}

/** A dispute of a payment, as the provider reports it. */
export interface ProviderDispute {
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  /** The provider's code, such as `fraudulent`. */
  readonly reason: string
  /** `open`: the shop can respond. */
  readonly status: 'open' | 'under_review' | 'won' | 'lost'
  readonly respondBy: Date | null
  /** The provider's page where the shop responds. */
  readonly url: string | null
  readonly openedAt: Date
}

export interface NotificationRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw bytes, which the signature covers. */
  readonly body: Buffer
}

/** The outcomes of a simulated charge that a shopper can choose. */
export const TEST_OUTCOMES = [
  'pays',
  'declined',
  'bank_asks',
  'no_answer',
  'reserves',
  'settles',
  'bounces',
  'disputed',
] as const
export type TestOutcome = (typeof TEST_OUTCOMES)[number]

/**
 * A payment provider. Every call can be repeated under its key without a second effect; a call without an answer is `unknown`.
 * No method throws because of the provider.
 *
 * @see docs/reference/rules.md#payments
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether it accepts payments here. Simulated payments are never accepted in live. */
  takes(place: PaymentPlace): boolean
  /** Whether the shopper pays on its page. */
  readonly isHosted?: boolean
  /** Whether the shop captures authorizations later, such as when goods ship; otherwise they are captured at once. */
  capturesLater?(environment: Environment, outcome: TestOutcome | null): boolean
  /** Whether an authorization needs the order, which is then loaded for it. */
  readonly needsOrder?: boolean
  /** Whether an operator confirms payments, because there is no provider to ask. */
  readonly isManual: boolean
  /** Simulators only: sets the outcome of the charge with this key before it is sent. Rejects if that fails. */
  rehearse?(call: Pick<ProviderCall, 'key' | 'signal'>, outcome: TestOutcome): Promise<void>
  authorize(call: ProviderCall): Promise<ProviderAnswer>
  capture(call: ProviderCall): Promise<ProviderAnswer>
  /** Cancels an authorization that was not captured. One that has not arrived yet is declined when it does. */
  cancel(call: ProviderCall): Promise<ProviderAnswer>
  refund(call: ProviderCall): Promise<ProviderAnswer>
  /** Looks up a step by the reference, if there is one, or by its key. */
  lookup(call: ProviderCall): Promise<LookupAnswer>
  /** Looks up the disputes of a charge by its reference. */
  disputes?(
    charge: Pick<ProviderCall, 'environment' | 'authorizeKey' | 'signal'> & { readonly reference: string },
  ): Promise<readonly ProviderDispute[] | NoAnswer>
  /** Asks the provider for problems in an environment, such as an invalid key or a missing right. */
  problemsIn?(environment: Environment): Promise<readonly string[]>
  /** Reads a notification. `null` if the provider has not signed it. */
  verify(request: NotificationRequest, now: Date): Promise<Notification | null>
}
