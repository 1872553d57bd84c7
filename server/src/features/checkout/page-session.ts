import { isDeepStrictEqual } from 'node:util'
import type { Address, CheckoutQuote, Contact, Order, ShippingOption } from '@vitrine/contract'
import type { Static } from 'typebox'
import type { Environment } from '../../kernel/environment.ts'
import { type FieldFault, refuse, refuseField } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import {
  addressFaults,
  type Cart,
  contentOf,
  destinationOf,
  findCartOfSession,
  loadCartById,
  presentBlockers,
  presentShippingOptions,
  type Quote,
  type Recalculation,
  recalculateQuote,
  refuseInvalidAddress,
  refuseUnofferedShipping,
  requiresShipping,
  requoteWithCode,
  saveRecalculatedQuote,
  signRecalculation,
  tidyAddress,
  vatIdOf,
} from '../carts/index.ts'
import { beginCharge, beginLeasedCharge, type Lease, type LeaseTerms, type TestOutcome } from '../payments/index.ts'
import { releaseRedemptions, reserveRedemptions } from '../promotions/index.ts'
import { checkAcceptance } from '../storefront/index.ts'
import { promotionsIn } from './begin-checkout.ts'
import type { CheckoutPageDeps } from './deps.ts'
import { cancelSession } from './end-session.ts'
import { checkoutUrl, isKeyOf } from './page-url.ts'
import { createOrderFromSession } from './payment-outcome.ts'
import { assertPayable, completeFree, exitUrl, type Session, startPayment, updateQuote } from './session.ts'
import { publishSessionEvent } from './session-events.ts'
import { findSessionById, type LoadedSession, lockSessionById, saveSession } from './session-store.ts'
import { blockersOf, presentSession } from './session-view.ts'
import { refuseTransfer } from './transfer.ts'

// The checkout page reads and changes its session through these functions. Changes refuse `not_found` for a wrong key,
// `session_expired`, and `version_conflict` if the state of the session does not allow them.

/** The session id and key in the page's address. The key identifies the shopper. */
export interface PageAccess {
  readonly sessionId: string
  readonly key: string
}

/** A session for the checkout page. */
export interface PageSession {
  /** The session as the API returns it: status, lines, totals, blockers, payment. */
  readonly session: ReturnType<typeof presentSession>
  readonly environment: Environment
  readonly currency: string
  readonly country: string
  readonly locale: string
  /** In the order of their first lines, named in the session's locale. */
  readonly stores: readonly { readonly id: string; readonly name: string }[]
  /** The countries that all of these stores sell to. */
  readonly countries: readonly string[]
  readonly contact: Static<typeof Contact> | null
  /** Whether anything has to be shipped. */
  readonly requiresShipping: boolean
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  /** Whether a registry does not know the buyer's VAT number. Tax is charged then. */
  readonly isVatIdRefused: boolean
  readonly promotion: CheckoutQuote['promotion']
  readonly automaticPromotions: CheckoutQuote['automaticPromotions']
  readonly selectedShipping: CheckoutQuote['selectedShipping']
  /** Empty once the session is no longer open. */
  readonly shippingOptions: readonly ShippingOption[]
  /** The selected options that are still offered, even if the session is no longer open. */
  readonly delivery: readonly ShippingOption[]
  readonly acceptedDocuments: AcceptedDocuments
  /** The charge of the latest payment attempt. */
  readonly chargeId: string | null
  /** The URL that the shopper leaves to: the return URL after success or while a payment is in progress, else the cancel URL. */
  readonly exitUrl: string
}

export type AcceptedDocuments = Order['acceptedDocuments']

/** Contact and addresses from the page. Absent: unchanged; `null`: bill to the shipping address. */
export interface AddressInput {
  readonly contact?: Static<typeof Contact>
  readonly shippingAddress?: Address
  readonly billingAddress?: Address | null
}

interface PaymentRequest {
  readonly acceptedDocuments: AcceptedDocuments
  readonly provider: string
  /** The session version that was shown: shoppers pay what they saw. */
  readonly expectedVersion: number
  /** The outcome of a simulated payment, chosen by the shopper. */
  readonly outcome?: TestOutcome | null
  /** Set if the caller sends the charge right after the commit; otherwise a worker does. */
  readonly sending?: LeaseTerms
}

interface PaymentStarted {
  /** The charge to advance after the commit; `null` for a free order, which exists already. */
  readonly chargeId: string | null
  /** The lease of a caller that sends the charge itself. */
  readonly claim: Lease | null
}

/** Load a session for its page; `null` for a wrong key. */
export async function findPageSession(
  deps: CheckoutPageDeps,
  reader: Reader,
  access: PageAccess,
  now: Date,
): Promise<PageSession | null> {
  if (!isHolder(deps, access)) return null
  const [loaded, cart] = await Promise.all([
    findSessionById(reader, access.sessionId, now),
    findCartOfSession(reader, access.sessionId),
  ])
  if (!loaded || !cart || isClosed(loaded, now)) return null
  const recalculation = await recalculate(deps, reader, { cart, loaded, now }, {})
  return presentPageSession(deps, loaded, recalculation)
}

/** The locale of a session, for its error pages; `null` for a wrong key. Reads no prices, which may be what fails. */
export async function findPageLocale(
  deps: CheckoutPageDeps,
  reader: Reader,
  access: PageAccess,
  now: Date,
): Promise<string | null> {
  return isHolder(deps, access) ? ((await findSessionById(reader, access.sessionId, now))?.quote.locale ?? null) : null
}

/**
 * Save contact and addresses. A new destination gets a new quote with its shipping and tax; items keep their quoted prices.
 *
 * Refusals: `address_invalid`, `cart_incomplete` naming missing fields.
 */
export async function updateAddresses(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  input: AddressInput,
  context: EventContext,
): Promise<PageSession> {
  const { now } = context
  const loaded = await lockPageSession(deps, tx, access, now)
  const { session, quote } = loaded
  const shippingAddress = input.shippingAddress ? tidyAddress(input.shippingAddress) : session.shippingAddress
  const billingAddress = input.billingAddress === undefined ? session.billingAddress : input.billingAddress
  const changes = {
    quoteId: session.quoteId,
    contact: { ...session.contact, ...input.contact },
    shippingAddress,
    billingAddress: billingAddress && tidyAddress(billingAddress),
  }
  const updated = updateQuote(session, changes, { now })
  if (input.shippingAddress) refuseIncompleteAddress(input.shippingAddress, 'shippingAddress')
  if (input.billingAddress) refuseIncompleteAddress(input.billingAddress, 'billingAddress')

  const cart = await loadCartById(tx, session.cartId)
  const addresses = { shippingAddress, billingAddress: updated.billingAddress }
  const recalculation = await recalculate(deps, tx, { cart, loaded, now }, addresses)
  const placeOf = (each: typeof addresses) => destinationOf(each, quote.lines).address
  const isSame = recalculation.isTaxProvided ? isDeepStrictEqual : isSameDestination
  if (!isSame(placeOf(session), placeOf(updated)) || vatIdOf(session) !== vatIdOf(updated)) {
    return saveAndPresent(deps, tx, { loaded, updated, recalculation }, context)
  }
  saveSession(tx, updated)
  return presentPageSession(deps, { session: updated, quote }, recalculation)
}

/** Select shipping options, one per store, joined by `+`. Refusals: `cart_incomplete` if one is not offered. */
export async function selectShipping(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  shippingOptionId: string,
  context: EventContext,
): Promise<PageSession> {
  const { now } = context
  const loaded = await lockPageSession(deps, tx, access, now)
  const { quoteId, contact, shippingAddress, billingAddress, cartId } = loaded.session
  const unchanged = { quoteId, contact, shippingAddress, billingAddress }
  const updated = updateQuote(loaded.session, unchanged, { now })

  const cart = await loadCartById(tx, cartId)
  const recalculation = await recalculate(deps, tx, { cart, loaded, now }, { shippingOptionId })
  refuseUnofferedShipping(shippingOptionId, recalculation.priced, 'cart_incomplete')
  return saveAndPresent(deps, tx, { loaded, updated, recalculation }, context)
}

/**
 * Apply a promotion code, or remove it with `null`. Creates a new quote and redeems limited promotions again. The cart keeps its
 * code; the new code applies to this checkout only.
 *
 * Refusals: `promotion_inapplicable`, `price_changed`.
 */
export async function applyCode(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  code: string | null,
  context: EventContext,
): Promise<PageSession> {
  const loaded = await lockPageSession(deps, tx, access, context.now)
  const { session, quote: quoted } = loaded
  const { contact, shippingAddress, billingAddress } = session
  const unchanged = { quoteId: session.quoteId, contact, shippingAddress, billingAddress }
  const updated = updateQuote(session, unchanged, { now: context.now })

  const cart = await loadCartById(tx, session.cartId)
  // First, so that the session's own redemptions do not count toward the limit of a promotion.
  releaseRedemptions(tx, session.id)
  const destination = { shippingAddress, billingAddress, shippingOptionId: quoted.shippingOptionId ?? null }
  const pricing = { ...context, revisionOf: deps.revisionOf }
  const { quote, recalculation } = await requoteWithCode(tx, deps, { cart, quoted, code, ...destination }, pricing)
  const promotionIds = promotionsIn(contentOf(quote))
  const holder = { holder: session.id, environment: session.environment, customerId: cart.customerId }
  await reserveRedemptions(tx, { ...holder, promotionIds })
  return saveQuoted(deps, tx, { quote, updated, recalculation }, context)
}

/**
 * Save the accepted documents and the intent to charge; the session is processing from then on. The caller advances the
 * payment after the commit. A free order is placed at once.
 *
 * Refusals: `cart_incomplete` with the blockers, `validation_failed` for an invalid provider or documents.
 */
export async function payFromPage(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  { acceptedDocuments, provider, expectedVersion, outcome = null, sending }: PaymentRequest,
  context: EventContext,
): Promise<PaymentStarted> {
  const loaded = await lockPageSession(deps, tx, access, context.now)
  const { session, quote } = loaded
  const command = { now: context.now, expectedVersion }
  assertPayable(session, command)
  refuseBlocked(loaded)
  const storeIds = quote.lines.map(({ storeId }) => storeId)
  await checkAcceptance(tx, acceptedDocuments, 'buying', { now: context.now, storeIds })

  const { amount, currency } = quote.totals.total
  if (amount === 0) {
    const accepted = { ...loaded, session: { ...session, acceptedDocuments } }
    const cart = await loadCartById(tx, session.cartId)
    const order = await createOrderFromSession(tx, { loaded: accepted, cart, ...FREE, deps }, context)
    const completed = completeFree(session, { orderId: order.id, acceptedDocuments }, command)
    saveSession(tx, completed)
    publishSessionEvent(tx, 'checkout.session.completed', { session: completed, quote }, context)
    return { chargeId: null, claim: null }
  }
  if (!deps.isOffered(provider, { environment: session.environment, currency, storeIds }))
    refuseField('provider', 'not_offered', 'Must be one of the offered payment methods.')
  const { id: subjectId, environment, installationId, storeId } = session
  if (deps.isTransfer(provider)) {
    const transfer = { sessionId: subjectId, provider, environment, currency, storeIds, at: context.now }
    await refuseTransfer(tx, transfer, deps.transfer)
  }
  const charge = {
    subjectId,
    purpose: 'checkout',
    environment,
    installationId,
    storeId,
    provider,
    amount: BigInt(amount),
    currency,
    capturesLater: deps.capturesLater(provider, environment, outcome),
    returnUrl: checkoutUrl(deps.pagesUrl, deps.pageSecret, subjectId),
  } as const
  const claim = sending ? beginLeasedCharge(tx, charge, sending, context) : null
  const chargeId = claim?.intent.id ?? beginCharge(tx, charge, context)
  saveSession(tx, startPayment(session, { chargeId, acceptedDocuments }, command))
  return { chargeId, claim }
}

/**
 * Cancel the session. Refusals: `payment_outcome_unknown`, `session_not_cancelable`.
 *
 * @returns the URL to send the shopper to
 */
export async function cancelFromPage(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  context: EventContext,
): Promise<string> {
  const loaded = await lockPageSession(deps, tx, access, context.now)
  const cancellation = { cancelReason: 'customer_request', cancelNote: null } as const
  return exitUrl((await cancelSession(tx, loaded, cancellation, context)).session)
}

function isHolder({ pageSecret }: CheckoutPageDeps, { sessionId, key }: PageAccess): boolean {
  return isKeyOf(pageSecret, sessionId, key)
}

/** How long an ended session is shown: long enough to read the outcome. Logs and browser histories keep its key for longer. */
const SHOWN_AFTER_END_MS = 60 * 60_000

function isClosed({ session }: LoadedSession, now: Date): boolean {
  return 'endedAt' in session && now.getTime() >= session.endedAt.getTime() + SHOWN_AFTER_END_MS
}

/** Load the session as of now and lock it with its cart. Refusals: `not_found`. */
async function lockPageSession(
  deps: CheckoutPageDeps,
  tx: Transaction,
  access: PageAccess,
  now: Date,
): Promise<LoadedSession> {
  if (!isHolder(deps, access)) refuse('not_found')
  const loaded = await lockSessionById(tx, access.sessionId, now)
  return loaded && !isClosed(loaded, now) ? loaded : refuse('not_found')
}

interface DestinationChanges {
  readonly shippingAddress: Address | null
  readonly billingAddress: Address | null
  readonly shippingOptionId: string | null
}

interface SessionToPrice {
  readonly cart: Cart
  readonly loaded: LoadedSession
  readonly now: Date
}

/** Recalculate the session's quote, with changes to its destination. */
function recalculate(
  deps: CheckoutPageDeps,
  reader: Reader,
  { cart, loaded: { session, quote }, now }: SessionToPrice,
  changes: Partial<DestinationChanges>,
): Promise<Recalculation> {
  const { shippingAddress, billingAddress } = session
  const destination = { shippingAddress, billingAddress, shippingOptionId: quote.shippingOptionId ?? null, ...changes }
  const { revisionOf } = deps
  return recalculateQuote(reader, deps, { cart, quoted: quote, ...destination }, { now, revisionOf })
}

interface UpdatedSession {
  readonly loaded: LoadedSession
  readonly updated: Session
  readonly recalculation: Recalculation
}

/** Sign the recalculated quote and save it with the session in place of the previous one. */
async function saveAndPresent(
  deps: CheckoutPageDeps,
  tx: Transaction,
  { loaded, updated, recalculation }: UpdatedSession,
  context: EventContext,
): Promise<PageSession> {
  const quote = signRecalculation(deps, loaded.quote, recalculation, context)
  return saveQuoted(deps, tx, { quote, updated, recalculation }, context)
}

/** Save a new quote with the session in place of the previous one. */
function saveQuoted(
  deps: CheckoutPageDeps,
  tx: Transaction,
  { quote, updated, recalculation }: Omit<UpdatedSession, 'loaded'> & { readonly quote: Quote },
  context: EventContext,
): PageSession {
  saveRecalculatedQuote({ tx, ...context }, recalculation.loaded.cart, quote)
  const saved = { session: { ...updated, quoteId: quote.id }, quote: contentOf(quote) }
  saveSession(tx, saved.session)
  return presentPageSession(deps, saved, recalculation)
}

function presentPageSession(deps: CheckoutPageDeps, loaded: LoadedSession, recalculation: Recalculation): PageSession {
  const { session, quote } = loaded
  const options = presentShippingOptions(recalculation.priced)
  const facts = [...recalculation.loaded.skus.values()].map(({ store }) => store)
  const stores = new Map(quote.lines.map(({ storeId }) => [storeId, facts.find(({ id }) => id === storeId)]))
  return {
    session: presentSession(loaded, deps),
    environment: session.environment,
    currency: quote.currency,
    country: quote.country,
    locale: quote.locale,
    stores: [...stores].map(([id, store]) => ({ id, name: store?.name ?? id })),
    countries: sharedCountries([...stores.values()].map((store) => store?.countries ?? [])),
    contact: session.contact,
    requiresShipping: requiresShipping(quote.lines),
    shippingAddress: session.shippingAddress,
    billingAddress: session.billingAddress,
    isVatIdRefused: recalculation.isVatIdRefused === true,
    promotion: quote.promotion,
    automaticPromotions: quote.automaticPromotions,
    selectedShipping: quote.selectedShipping,
    shippingOptions: session.status === 'open' ? options : [],
    delivery: options.filter(({ id }) => quote.selectedShipping.some(({ optionId }) => optionId === id)),
    acceptedDocuments: session.acceptedDocuments,
    chargeId: session.chargeId,
    exitUrl: exitUrl(session),
  }
}

/** Whether two addresses are equal in the fields that shipping and tax depend on. */
function isSameDestination(one: Address | null, other: Address | null): boolean {
  if (one === null || other === null) return one === other
  return one.countryCode === other.countryCode && one.region === other.region && one.postalCode === other.postalCode
}

/** Payment needs a complete address. Refusals: `address_invalid`, `cart_incomplete`. */
function refuseIncompleteAddress(typed: Address, field: string): void {
  const address = tidyAddress(typed)
  refuseInvalidAddress(address, field)
  const { missing } = addressFaults(address)
  if (missing.length === 0) return
  const faults = missing.map((name): FieldFault => {
    return { field: `${field}/${name}`, code: 'required', message: `The country requires a ${name}.` }
  })
  refuse('cart_incomplete', { faults })
}

function refuseBlocked({ session, quote }: LoadedSession): void {
  const blockers = blockersOf(session, quote)
  if (blockers.length === 0) return
  const faults = presentBlockers(blockers, 'en').map(({ code, path, message }): FieldFault => {
    return { field: path.slice(1), code, message }
  })
  refuse('cart_incomplete', { faults })
}

const FREE = { chargeId: null, charge: 'captured' } as const

function sharedCountries(each: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = each
  return first.filter((country) => others.every((countries) => countries.includes(country)))
}
