import type { Address, CheckoutQuote, Contact, HostedCheckoutSession, Order, ShippingOption } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { Environment } from '../../kernel/environment.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import type { Claim, Occasion } from '../payments/index.ts'

/** What stands in the address of a session's page. Who holds it is the shopper: nobody can guess it. */
export interface PageAccess {
  readonly sessionId: string
  readonly key: string
}

/** A session as its page shows it. */
export interface PageSession {
  /** As its installation is shown it: state, lines, totals, blockers, payment. */
  readonly session: HostedCheckoutSession
  readonly installationName: string
  readonly environment: Environment
  readonly currency: string
  readonly country: string
  readonly locale: string
  /** The stores that are bought from, in the order of their first lines, in the session's locale. */
  readonly stores: readonly { readonly id: string; readonly name: string }[]
  /** The countries that all of these stores sell to. */
  readonly countries: readonly string[]
  readonly contact: Static<typeof Contact> | null
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly promotion: CheckoutQuote['promotion']
  readonly automaticPromotions: CheckoutQuote['automaticPromotions']
  readonly selectedShipping: CheckoutQuote['selectedShipping']
  /** What may be chosen now; empty where the session is not open any more. */
  readonly shippingOptions: readonly ShippingOption[]
  readonly acceptedDocuments: AcceptedDocuments
  /** The charge of the last try to pay; `null` before the first. */
  readonly chargeId: string | null
  /** Where the shopper goes from here: the return URL once it is over well, else the cancel URL. */
  readonly wayBack: string
}

export type AcceptedDocuments = Order['acceptedDocuments']

/** Who and where. What is absent stays; `null` makes the shipping address that of the bill. */
export interface GivenOnPage {
  readonly contact?: Static<typeof Contact>
  readonly shippingAddress?: Address
  readonly billingAddress?: Address | null
}

export interface PaymentWish {
  readonly acceptedDocuments: AcceptedDocuments
  /** The name of a payment provider. */
  readonly provider: string
  /** The version that the shopper was shown when they pressed the button: they pay what they saw. */
  readonly expectedVersion: number
  /** Of who sends the charge as soon as it is committed; absent: a worker does, or who advances it. */
  readonly sending?: Occasion
}

/** What came of the wish to pay. */
export interface PaymentBegun {
  /** The intent to be advanced once this is committed; `null` where there was nothing to pay and the order exists. */
  readonly chargeId: string | null
  /** What the caller has said to send. */
  readonly claim: Claim | null
}

/**
 * What the page of a checkout may do. Everything refuses `not_found` for an address that we did not give, `session_expired`
 * for a session whose time is over, and `version_conflict`, with its state, for one where this cannot be done now.
 */
export interface CheckoutForPages {
  sessionForPage(reader: Reader, access: PageAccess, now: Date): Promise<PageSession | null>
  /**
   * Takes who and where. Items cost what was quoted; shipping and tax are those of the address, in a quote signed anew.
   *
   * Refusals: `address_invalid`, `cart_incomplete` naming what the country requires.
   */
  giveAddress(tx: Transaction, access: PageAccess, given: GivenOnPage, context: EventContext): Promise<PageSession>
  /** Takes a way to ship, one for each store joined by `+`. Refusals: `cart_incomplete` where it is not offered. */
  chooseShipping(
    tx: Transaction,
    access: PageAccess,
    shippingOptionId: string,
    context: EventContext,
  ): Promise<PageSession>
  /**
   * Keeps what was accepted and writes the intent to charge; the session is being processed from then on. Whoever calls
   * advances the payment after the commit.
   *
   * Refusals: `cart_incomplete` with the blockers, `validation_failed` for a provider or documents that will not do.
   */
  acceptAndPay(tx: Transaction, access: PageAccess, wish: PaymentWish, context: EventContext): Promise<PaymentBegun>
  /** Gives up. Refusals: `payment_outcome_unknown`, `session_not_cancelable`. @returns where the shopper goes */
  cancelFromPage(tx: Transaction, access: PageAccess, context: EventContext): Promise<string>
}
