import type { Address, PublicErrorDetail } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import {
  type Cart,
  type Completed,
  completeNow,
  contentOf,
  faultsOf,
  presentShippingOptions,
  type QuoteContent,
  readCart,
  refuseInvalidAddress,
  refuseUnofferedShipping,
  saveCompleted,
  signCompleted,
  tidyAddress,
} from '../carts/index.ts'
import { beginCharge, beginHeldCharge } from '../payments/index.ts'
import { checkAcceptance } from '../storefront/index.ts'
import type { CheckoutForPages, PageAccess, PageSession } from './checkout-for-pages.ts'
import { becomeOrder } from './checkout-outcome.ts'
import { checkoutUrl, isKeyOf } from './checkout-paths.ts'
import { cancelSession } from './end-session.ts'
import type { CheckoutDeps, PagesDeps } from './parts.ts'
import { completedForNothing, paying, refuseUnlessPayable, type Session, wayBack, withQuote } from './session.ts'
import { tellSession } from './session-events.ts'
import { findAnySession, holdSession, type LoadedSession, saveSession } from './session-store.ts'
import { blockersOf, presentSession } from './session-view.ts'

/** What the page of a checkout does. @see CheckoutForPages */
export function checkoutForPages(parts: CheckoutDeps & PagesDeps): CheckoutForPages {
  const { revisionOf, pageSecret, pagesUrl } = parts

  const isHolder = ({ sessionId, key }: PageAccess) => isKeyOf(pageSecret, sessionId, key)

  /** The session as of now, locked behind its cart. */
  async function held(tx: Transaction, access: PageAccess, now: Date): Promise<LoadedSession> {
    if (!isHolder(access)) refuse('not_found')
    holdSession(tx, access.sessionId)
    return (await findAnySession(tx, access.sessionId, now)) ?? refuse('not_found')
  }

  /** What the session costs for a place and a way to ship, where both are known. */
  function completed(
    reader: Reader,
    cart: Cart,
    quote: QuoteContent,
    { shippingAddress, shippingOptionId, now }: Place,
  ): Promise<Completed> {
    return completeNow(reader, parts, { cart, promised: quote, shippingAddress, shippingOptionId }, { now, revisionOf })
  }

  async function shown(reader: Reader, loaded: LoadedSession, known: Known): Promise<PageSession> {
    const { installationName, completion } = known
    const { session, quote } = loaded
    const facts = [...completion.loaded.skus.values()].map(({ store }) => store)
    const stores = new Map(quote.lines.map(({ storeId }) => [storeId, facts.find(({ id }) => id === storeId)]))
    return {
      session: presentSession(loaded, parts),
      installationName: installationName ?? (await nameOf(reader, session)),
      environment: session.environment,
      currency: quote.currency,
      country: quote.country,
      locale: quote.locale,
      stores: [...stores].map(([id, store]) => ({ id, name: store?.name ?? id })),
      countries: sharedCountries([...stores.values()].map((store) => store?.countries ?? [])),
      contact: session.contact,
      shippingAddress: session.shippingAddress,
      billingAddress: session.billingAddress,
      promotion: quote.promotion,
      automaticPromotions: quote.automaticPromotions,
      selectedShipping: quote.selectedShipping,
      shippingOptions: session.status === 'open' ? presentShippingOptions(completion.priced) : [],
      acceptedDocuments: session.acceptedDocuments,
      chargeId: session.chargeId,
      wayBack: wayBack(session),
    }
  }

  /** Signs what was completed, and keeps it in the place of the promise before. */
  function save(
    tx: Transaction,
    session: Session,
    loaded: LoadedSession,
    completion: Completed,
    context: EventContext,
  ) {
    const quote = signCompleted(parts, loaded.quote, completion, context)
    saveCompleted({ tx, ...context }, completion.loaded.cart, quote)
    const saved = { session: { ...session, quoteId: quote.id }, quote: contentOf(quote) }
    saveSession(tx, saved.session)
    return saved
  }

  return {
    async sessionForPage(reader, access, now) {
      if (!isHolder(access)) return null
      const loaded = await findAnySession(reader, access.sessionId, now)
      if (!loaded) return null
      const { session, quote } = loaded
      const [cart, installationName] = await Promise.all([readCart(reader, session.cartId), nameOf(reader, session)])
      const completion = await completed(reader, cart, quote, placeOf(loaded, now))
      return shown(reader, loaded, { installationName, completion })
    },

    async giveAddress(tx, access, given, context) {
      const loaded = await held(tx, access, context.now)
      const { session, quote } = loaded
      const shippingAddress = given.shippingAddress ? tidyAddress(given.shippingAddress) : session.shippingAddress
      const billingAddress = given.billingAddress === undefined ? session.billingAddress : given.billingAddress
      const known = {
        quoteId: session.quoteId,
        contact: { ...session.contact, ...given.contact },
        shippingAddress,
        billingAddress: billingAddress && tidyAddress(billingAddress),
      }
      const after = withQuote(session, known, { now: context.now })
      if (given.shippingAddress) refuseIncomplete(given.shippingAddress, '/shippingAddress')
      if (given.billingAddress) refuseIncomplete(given.billingAddress, '/billingAddress')

      const cart = await readCart(tx, session.cartId)
      const place = { ...placeOf(loaded, context.now), shippingAddress }
      const completion = await completed(tx, cart, quote, place)
      if (isSamePlace(session.shippingAddress, shippingAddress)) {
        saveSession(tx, after)
        return shown(tx, { session: after, quote }, { installationName: null, completion })
      }
      const saved = save(tx, after, loaded, completion, context)
      return shown(tx, saved, { installationName: null, completion })
    },

    async chooseShipping(tx, access, shippingOptionId, context) {
      const loaded = await held(tx, access, context.now)
      const { session, quote } = loaded
      const { quoteId, contact, shippingAddress, billingAddress } = session
      const known = { quoteId, contact, shippingAddress, billingAddress }
      const after = withQuote(session, known, { now: context.now })

      const cart = await readCart(tx, session.cartId)
      const completion = await completed(tx, cart, quote, { ...placeOf(loaded, context.now), shippingOptionId })
      refuseUnofferedShipping(shippingOptionId, completion.priced, 'cart_incomplete')
      const saved = save(tx, after, loaded, completion, context)
      return shown(tx, saved, { installationName: null, completion })
    },

    async acceptAndPay(tx, access, { acceptedDocuments, provider, expectedVersion, sending }, context) {
      const loaded = await held(tx, access, context.now)
      const { session, quote } = loaded
      const occasion = { now: context.now, expectedVersion }
      refuseUnlessPayable(session, occasion)
      refuseBlocked(loaded)
      const storeIds = quote.lines.map(({ storeId }) => storeId)
      await checkAcceptance(tx, acceptedDocuments, 'buying', { now: context.now, storeIds })

      const { amount, currency } = quote.totals.total
      if (amount === 0) {
        const accepted = { ...loaded, session: { ...session, acceptedDocuments } }
        const paid = { loaded: accepted, chargeId: null, parts }
        const order = await becomeOrder(tx, paid, context)
        const done = completedForNothing(session, { orderId: order.id, acceptedDocuments }, occasion)
        saveSession(tx, done)
        tellSession(tx, 'checkout.session.completed', { session: done, quote }, context)
        return { chargeId: null, claim: null }
      }
      if (!parts.isOffered(provider, session.environment, currency)) refuse('validation_failed', notOffered)
      const { id: subjectId, environment, installationId, storeId } = session
      const charge = {
        subjectId,
        purpose: 'checkout',
        environment,
        installationId,
        storeId,
        provider,
        amount: BigInt(amount),
        currency,
        returnUrl: checkoutUrl(pagesUrl, pageSecret, subjectId),
      } as const
      const claim = sending ? beginHeldCharge(tx, charge, sending, context) : null
      const chargeId = claim?.intent.id ?? beginCharge(tx, charge, context)
      saveSession(tx, paying(session, { chargeId, acceptedDocuments }, occasion))
      return { chargeId, claim }
    },

    async cancelFromPage(tx, access, context) {
      const loaded = await held(tx, access, context.now)
      const why = { cancelReason: 'customer_request', cancelNote: null } as const
      return wayBack((await cancelSession(tx, loaded, why, context)).session)
    },
  }
}

interface Place {
  readonly shippingAddress: Address | null
  readonly shippingOptionId: string | null
  readonly now: Date
}

/** What is loaded beside a session; `null`: still to be read. */
interface Known {
  readonly installationName: string | null
  readonly completion: Completed
}

function placeOf({ session, quote }: LoadedSession, now: Date): Place {
  return { shippingAddress: session.shippingAddress, shippingOptionId: quote.shippingOptionId ?? null, now }
}

/** Prices know an address by its country and region alone. */
function isSamePlace(one: Address | null, other: Address | null): boolean {
  return one?.countryCode === other?.countryCode && one?.region === other?.region && (one === null) === (other === null)
}

/** An address that is paid for lacks nothing. Refusals: `address_invalid`, `cart_incomplete`. */
function refuseIncomplete(address: Address, pointer: string): void {
  refuseInvalidAddress(address, pointer)
  const { missing } = faultsOf(tidyAddress(address))
  if (missing.length === 0) return
  const details = missing.map((field): PublicErrorDetail => {
    return { in: 'body', pointer: `${pointer}/${field}`, code: 'required', message: `Its country requires a ${field}.` }
  })
  refuse('cart_incomplete', { details })
}

function refuseBlocked({ session, quote }: LoadedSession): void {
  const blockers = blockersOf(session, quote)
  if (blockers.length === 0) return
  const details = blockers.map(
    ({ code, path, message }): PublicErrorDetail => ({ in: 'body', pointer: path, code, message }),
  )
  refuse('cart_incomplete', { details })
}

const notOffered = {
  details: [
    { in: 'body', pointer: '/provider', code: 'not_offered', message: 'One of the payment methods that are offered.' },
  ],
} as const

function sharedCountries(each: readonly (readonly string[])[]): readonly string[] {
  const [first = [], ...others] = each
  return first.filter((country) => others.every((countries) => countries.includes(country)))
}

const readName = statement<{ name: string }>(
  'checkout.installation_name',
  'select name from installations where id = $1',
)

async function nameOf(reader: Reader, { installationId }: Session): Promise<string> {
  return present(await reader.row(readName, [installationId]), 'a session belongs to an installation').name
}
