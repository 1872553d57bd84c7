import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { Secret } from '../../platform/secrets/rotating-secret.ts'
import type { QuoteDeps } from '../carts/index.ts'
import type { Order } from '../orders/index.ts'
import type { DefaultAccount, PaymentPlace, TestOutcome } from '../payments/index.ts'
import type { PageUrlDeps } from './session-view.ts'

/** Dependencies of the checkout operations. */
export interface CheckoutDeps extends PageUrlDeps, QuoteDeps {}

/** Loads the data that the fulfillment of SKUs depends on. The returned function starts fulfilling a new order. It refuses nothing. */
type PrepareFulfillment = (
  tx: Transaction,
  skuIds: readonly string[],
) => Promise<(order: Order, context: EventContext) => void>

/** The terms of payment by bank transfer, which holds stock before it is paid. */
export interface TransferTerms extends DefaultAccount {
  /** How long a session waits for the money. */
  readonly holdMs: number
  /** How long it waits for the shopper to confirm their email address. `null`: no confirmation is required. */
  readonly unconfirmedMs: number | null
  /** The share of a SKU's stock that all open transfers may hold together. */
  readonly stockPercent: number
}

/** Dependencies of creating an order from a session. */
export interface OrderingDeps {
  readonly prepareFulfillment: PrepareFulfillment
  /** Public URL of the hosted pages, without a trailing slash. */
  readonly pagesUrl: string
  readonly pageSecret: Secret
  readonly transfer: TransferTerms
}

/** Dependencies of the checkout page. */
export interface CheckoutPageDeps extends CheckoutDeps, OrderingDeps {
  /** Whether a payment provider is available. */
  isOffered(provider: string, place: PaymentPlace): boolean
  /** Whether the provider's payments arrive by bank transfer and are confirmed by an operator. */
  isTransfer(provider: string): boolean
  /** Whether the provider's authorizations wait for the shop to capture them. */
  capturesLater(provider: string, environment: Environment, outcome: TestOutcome | null): boolean
  /** The revision of a subject known to this process. */
  revisionOf(subject: string): string
}
