import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { QuoteDeps } from '../carts/index.ts'
import type { Order } from '../orders/index.ts'
import type { PageUrlDeps } from './session-view.ts'

/** Dependencies of the checkout operations. */
export interface CheckoutDeps extends PageUrlDeps, QuoteDeps {}

/** Starts the fulfillment of a new order. Refuses nothing. */
export type BeginFulfillment = (tx: Transaction, order: Order, context: EventContext) => Promise<void>

/** Dependencies of creating an order from a session. */
export interface OrderingDeps {
  readonly beginFulfillment: BeginFulfillment
  /** Public URL of the hosted pages, without a trailing slash. */
  readonly pagesUrl: string
}

/** Dependencies of the checkout page. */
export interface CheckoutPageDeps extends CheckoutDeps, OrderingDeps {
  /** Whether a payment provider is available. */
  isOffered(provider: string, environment: Environment, currency: string): boolean
  /** The revision of a subject known to this process. */
  revisionOf(subject: string): string
}
