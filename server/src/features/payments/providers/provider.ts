import type { Environment } from '../../../kernel/environment.ts'

/** Routes of the pages door for providers and their pages. */
export const PAYMENT_PATHS = {
  notifications: '/payments/:provider/notifications',
  return: '/payments/return',
} as const

/** A step of an intent. A charge is authorized and then captured, or voided; a refund is one step. */
export type Step = 'authorize' | 'capture' | 'void' | 'refund'

/** Where a payment would be taken. */
export interface PaymentPlace {
  readonly environment: Environment
  readonly currency: string
  /** The stores of the cart; empty: any. */
  readonly storeIds: readonly string[]
}

/** A request to a provider, under a key that never changes: repeating it has no further effect. */
export interface ProviderCall {
  readonly intentId: string
  readonly step: Step
  /** The idempotency key of this step. */
  readonly key: string
  /** The key of the authorization. Capture, cancel and refund refer to it. */
  readonly authorizeKey: string
  /** The provider's own reference of this intent, as of its last answer; `null` before its first. */
  readonly reference: string | null
  /** Of a refund: the provider's reference of the charge. */
  readonly chargeReference: string | null
  readonly amount: bigint
  readonly currency: string
  readonly environment: Environment
  /** What is paid for; `null` for a refund, and where the provider does not ask for it (`needsOrder`). */
  readonly order: OrderToPay | null
  /** Where a page of the provider sends the shopper: path and query on the pages door. */
  readonly returnPath: string
  /** The same for a shopper who leaves that page without paying: the charge is voided, and they may pay in another way. */
  readonly abandonPath: string
  /** Aborts the call. Its effect is unknown then. */
  readonly signal: AbortSignal
}

/** What a charge pays for. It never changes while the charge is open, so that a repeated call says the same. */
export interface OrderToPay {
  readonly sessionId: string
  /** BCP 47. */
  readonly locale: string
  readonly email: string | null
  readonly phone: string | null
  readonly shippingAddress: PostalAddress | null
  readonly billingAddress: PostalAddress | null
  /** What the shopper pays for each line, in minor units, with its discounts and its tax. */
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
      /** Of an authorization: when the provider releases it, if it says so. */
      readonly until?: Date
      /** Of an authorization that was captured in the dashboard of the provider: how much of it. */
      readonly captured?: bigint
    }
  /** Accepted by the shopper and on its way, as a direct debit is: done or declined in days. */
  | { readonly kind: 'pending'; readonly reference: string }
  /** The shopper has to act first; with a manual provider, the operator. */
  | { readonly kind: 'action_required'; readonly reference: string; readonly url: string | null }
  /** Not done, and never will be. */
  | { readonly kind: 'declined'; readonly code: string }
  /** Contradicts what was recorded for another step, which has to be looked up again. */
  | { readonly kind: 'contradicted'; readonly by: Step; readonly detail: string; readonly reference?: string }
  | { readonly kind: 'unknown'; readonly detail: string }

/** A lookup may also answer that the key never arrived: the step can be sent again under it. */
export type LookupAnswer = ProviderAnswer | { readonly kind: 'never_seen' }

/** Done, with another amount or currency than was asked for. No success, and no failure either: money may have moved. */
export interface Mismatch {
  readonly kind: 'mismatched'
  readonly reference: string
  readonly detail: string
}

/** The answer as it counts for what was asked. */
export function checkedAnswer(
  asked: Pick<ProviderCall, 'amount' | 'currency'>,
  answer: LookupAnswer,
): LookupAnswer | Mismatch {
  if (answer.kind !== 'done') return answer
  const { reference, amount, currency } = answer
  if (amount === asked.amount && currency === asked.currency) return answer
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

/** A payment that its payer disputes with their bank, as the provider's books have it. */
export interface ProviderDispute {
  readonly reference: string
  readonly amount: bigint
  readonly currency: string
  /** In the provider's words, such as `fraudulent`. */
  readonly reason: string
  /** Open: the shop can respond. */
  readonly status: 'open' | 'under_review' | 'won' | 'lost'
  readonly respondBy: Date | null
  /** The provider's page where the shop responds. */
  readonly url: string | null
  readonly openedAt: Date
}

export interface NotificationRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw bytes: they are what was signed. */
  readonly body: Buffer
}

/** How a charge of the simulator can end, as the shopper chooses it. */
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
 * No method throws for what the provider does.
 *
 * @see docs/reference/rules.md#payments
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether it accepts payments here. Simulated payments are never accepted in live. */
  takes(place: PaymentPlace): boolean
  /** Whether the shopper pays on its page. */
  readonly isHosted?: boolean
  /** Whether the shop captures what is authorized here, as when goods ship; otherwise it is captured at once. */
  capturesLater?(environment: Environment, outcome: TestOutcome | null): boolean
  /** Whether an authorization needs the order, which is read for it then. */
  readonly needsOrder?: boolean
  /** Whether an operator confirms payments, because there is no provider to ask. */
  readonly isManual: boolean
  /** Of a simulator only: sets how the charge with this key ends, before it is sent. Rejects if it cannot. */
  rehearse?(call: Pick<ProviderCall, 'key' | 'signal'>, outcome: TestOutcome): Promise<void>
  authorize(call: ProviderCall): Promise<ProviderAnswer>
  capture(call: ProviderCall): Promise<ProviderAnswer>
  /** Cancels an authorization that was not captured, also one that has not arrived yet: it is declined later. */
  cancel(call: ProviderCall): Promise<ProviderAnswer>
  refund(call: ProviderCall): Promise<ProviderAnswer>
  /** Looks up a step by the reference, if there is one, or by its key. */
  lookup(call: ProviderCall): Promise<LookupAnswer>
  /** The disputes of a charge, by its reference. Null without an answer. */
  disputes?(
    charge: Pick<ProviderCall, 'environment' | 'authorizeKey' | 'signal'> & { readonly reference: string },
  ): Promise<readonly ProviderDispute[] | null>
  /** What keeps it from working in an environment, as it says when it is asked: an invalid key, a missing right. */
  problemsIn?(environment: Environment): Promise<readonly string[]>
  /** Reads a notification. Null if the provider has not signed it. */
  verify(request: NotificationRequest, now: Date): Promise<Notification | null>
}
