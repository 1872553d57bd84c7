import type { CheckoutBlocker, CheckoutQuote, TaxTotal } from '@vitrine/contract'
import { type CanonicalValue, canonicalJson } from '../../kernel/json.ts'
import { type Saying, type ShopperTexts, say, textsIn } from '../../kernel/languages/texts.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { PricedCart } from '../pricing/index.ts'
import { addressStateOf, type Destination } from './address/destination.ts'
import type { Cart } from './cart.ts'
import { destinationOfCart, type LoadedCart } from './load-cart.ts'
import { type CartNotice, noticesOf } from './messages.ts'
import type { QuoteSigner } from './quote-signature.ts'
import { refuseUnofferedShipping } from './shipping-choice.ts'

/** The signed content of a quote: everything but its current status and its signature. */
export type QuoteContent = Omit<CheckoutQuote, 'status' | 'signature'>

/** A signed quote. Its prices are stored only in the signed bytes. */
export interface Quote {
  readonly id: string
  readonly cartId: string
  readonly cartVersion: number
  readonly payload: Buffer
  readonly keyId: string
  readonly signature: Buffer
  readonly createdAt: Date
  readonly expiresAt: Date
}

/** Serialize a quote as canonical JSON and sign the bytes. */
export function signQuote(content: QuoteContent, signer: QuoteSigner): Quote {
  const payload = Buffer.from(canonicalJson(content as unknown as CanonicalValue))
  return {
    id: content.id,
    cartId: content.cartId,
    cartVersion: content.cartVersion,
    payload,
    keyId: signer.kid,
    signature: signer.sign(payload),
    createdAt: new Date(content.createdAt),
    expiresAt: new Date(content.expiresAt),
  }
}

/**
 * Refuse to quote an incomplete address, a shipping option that is not offered, or quantities that are no longer sold. A cart
 * without an address can be quoted, for its country and with estimated tax.
 *
 * Refusals: `cart_incomplete`.
 */
export function refuseIncomplete(loaded: LoadedCart, priced: PricedCart): void {
  const destination = destinationOfCart(loaded)
  const { missing, invalid } = addressStateOf(destination)
  const fields = [...missing, ...invalid]
  if (fields.length > 0) {
    refuse('cart_incomplete', {
      faults: fields.map((field) => {
        const message = `The address needs a valid ${field}. Set it with setPublicCartAddress.`
        return { field: `${destination.field}/${field}`, code: 'required', message }
      }),
    })
  }
  const { shippingOptionId } = loaded.cart
  if (destination.ships && shippingOptionId !== null) {
    refuseUnofferedShipping(shippingOptionId, priced, 'cart_incomplete')
  }
  const faults = noticesOf(loaded, priced).flatMap((notice) => {
    if (notice.code !== 'quantity_invalid') return []
    return [{ field: notice.path.slice(1), code: notice.code, message: say(textsIn('en').cart, notice) }]
  })
  if (faults.length > 0) refuse('cart_incomplete', { faults: faults.slice(0, 20) })
}

/**
 * The current status of a quote. A change to the cart makes it stale permanently. Locking the cart for checkout does not:
 * that adds a version, but changes nothing that is quoted.
 */
export function statusOf(quote: Quote, cart: Cart, now: Date): CheckoutQuote['status'] {
  const isLockedByCheckout = cart.status === 'locked' && quote.cartVersion === cart.version - 1
  if (quote.cartVersion !== cart.version && !isLockedByCheckout) return 'stale'
  return now < quote.expiresAt ? 'in_force' : 'expired'
}

/** The content of a quote, read from the signed bytes. */
export function contentOf({ payload }: Pick<Quote, 'payload'>): QuoteContent {
  return JSON.parse(payload.toString()) as QuoteContent
}

/** Present a quote: the signed content and its current status. */
export function presentQuote(quote: Quote, status: CheckoutQuote['status']): CheckoutQuote {
  return {
    ...contentOf(quote),
    status,
    signature: {
      alg: 'EdDSA',
      kid: quote.keyId,
      payload: quote.payload.toString('base64url'),
      value: quote.signature.toString('base64url'),
    },
  }
}

/** A blocker of checkout before it is translated. */
export type Blocker = Pick<CheckoutBlocker, 'path'> & Saying<ShopperTexts['cart']>

/** The blockers of checkout, in the order a shopper would fix them. */
export function blockersOf(
  loaded: LoadedCart,
  notices: readonly CartNotice[],
  taxStatus: TaxTotal['status'],
): Blocker[] {
  const { cart } = loaded
  const blockers: Blocker[] = []
  if (cart.status !== 'active') blockers.push({ code: `cart_${cart.status}`, path: '' })
  if (cart.lines.length === 0) blockers.push({ code: 'cart_empty', path: '/lines' })
  blockers.push(...notices.filter(({ severity }) => severity === 'blocking'))
  blockers.push(...addressBlockers(destinationOfCart(loaded), taxStatus))
  if (!cart.contact?.email) blockers.push({ code: 'email_missing', path: '/contact/email' })
  if (taxStatus === 'not_calculated') blockers.push({ code: 'tax_not_calculated', path: '/totals/tax' })
  return blockers.slice(0, BLOCKERS_MAX)
}

/** The blocker of a missing address. If nothing is shipped, an address is required only where tax depends on it. */
export function addressBlockers(destination: Destination, taxStatus: TaxTotal['status']): readonly Blocker[] {
  const { ships, address, field } = destination
  if (!ships && taxStatus === 'final') return []
  const isPostalCodeMissing = address?.postalCode === undefined && taxStatus === 'estimated'
  if (address && !ships && isPostalCodeMissing && addressStateOf(destination).status === 'complete') {
    const of = field === 'shippingAddress' ? 'shipping' : 'billing'
    return [{ code: 'address_incomplete', path: `/${field}/postalCode`, facts: { address: of, field: 'postalCode' } }]
  }
  if (address) return []
  const facts = { address: ships ? 'shipping' : 'billing' } as const
  return [{ code: 'address_missing', path: `/${field}`, facts }]
}

/** The contract's limit. */
const BLOCKERS_MAX = 200

/** Present blockers in the language of a locale. */
export function presentBlockers(blockers: readonly Blocker[], locale: string): CheckoutBlocker[] {
  const texts = textsIn(locale).cart
  return blockers.map((blocker) => ({ code: blocker.code, path: blocker.path, message: say(texts, blocker) }))
}
