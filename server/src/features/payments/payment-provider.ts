import type { Environment } from '../../kernel/environment.ts'
import type { Step } from './intent.ts'

/** What a provider is asked to do, under a key that never changes: asking twice is asking once. */
export interface ProviderCall {
  readonly intentId: string
  /** The idempotency key of this step of this intent. */
  readonly key: string
  /** The key that the charge was authorized under: what capture, cancel and refund refer to. */
  readonly authorizeKey: string
  readonly amount: bigint
  readonly currency: string
  readonly environment: Environment
  /** The call is given up when this fires; what it did by then is unknown. */
  readonly signal: AbortSignal
}

/**
 * What a provider has said about a step. Only what it says with authority is told from `unknown`: a timeout, a 5xx, a
 * dropped line and an answer that cannot be read are no answers.
 */
export type ProviderAnswer =
  /** It is done: authorized, captured, voided or refunded. */
  | { readonly kind: 'done'; readonly reference: string }
  /** The shopper, or with a manual provider the operator, has to do something first. */
  | { readonly kind: 'action_required'; readonly reference: string; readonly url: string | null }
  /** It was not done and never will be. */
  | { readonly kind: 'declined'; readonly code: string }
  /** It does not fit what we believed of another step, which has to be looked at again. */
  | { readonly kind: 'contradicted'; readonly by: Step; readonly detail: string }
  | { readonly kind: 'unknown'; readonly detail: string }

/** What a lookup may say besides: the key never arrived, so that the same step may be sent again under it. */
export type LookupAnswer = ProviderAnswer | { readonly kind: 'never_seen' }

/** What a provider tells of its own accord. It is never believed, only a reason to look. */
export interface Notification {
  readonly id: string
  /** The key of the step that it is about. */
  readonly key: string
}

export interface NotificationRequest {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The bytes as they came: they are what was signed. */
  readonly body: Buffer
}

/**
 * Who moves money. Every call may be repeated under its key without a second effect; what fails to answer is `unknown`.
 * No method throws for what the provider does.
 *
 * @see DESIGN §6
 */
export interface PaymentProvider {
  readonly name: string
  /** Whether it can be paid with here. Money that is not real is never taken in the live environment. */
  takes(environment: Environment, currency: string): boolean
  /** Whether the intent waits for an operator's word, and there is nobody to look at. */
  readonly isManual: boolean
  authorize(call: ProviderCall): Promise<ProviderAnswer>
  capture(call: ProviderCall): Promise<ProviderAnswer>
  /** Ends an authorization that was not captured, also one that has never arrived: later it is declined. */
  cancel(call: ProviderCall): Promise<ProviderAnswer>
  refund(call: ProviderCall): Promise<ProviderAnswer>
  /** What became of the step with this key. */
  lookup(call: Pick<ProviderCall, 'key' | 'signal'>): Promise<LookupAnswer>
  /** Reads a notification, or answers null where its signature is not the provider's. */
  verify(request: NotificationRequest, now: Date): Notification | null
}
