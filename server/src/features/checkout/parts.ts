import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { QuoteDeps } from '../carts/index.ts'
import type { Order } from '../orders/index.ts'
import type { ViewParts } from './session-view.ts'

/** What the operations of checkout stand on, beside the request. */
export interface CheckoutDeps extends ViewParts, QuoteDeps {}

/** Asks for the goods of an order that exists. Refuses nothing. */
export type BeginFulfilment = (tx: Transaction, order: Order, context: EventContext) => Promise<void>

/** What making an order of a session stands on. */
export interface OrderingDeps {
  readonly beginFulfilment: BeginFulfilment
  /** The pages door as the world sees it, without a trailing slash. */
  readonly pagesUrl: string
}

/** What its page stands on beside them. */
export interface PagesDeps extends OrderingDeps {
  /** Whether a payment provider can be paid with. */
  isOffered(provider: string, environment: Environment, currency: string): boolean
  /** The revision of a subject as this process knows it. */
  revisionOf(subject: string): string
}
