import type { CheckoutBlocker, CheckoutQuote } from '@vitrine/contract'
import { type CanonicalValue, canonicalJson } from '../../kernel/canonical-json.ts'
import { type Saying, type ShopperTexts, say, textsIn } from '../../kernel/languages/texts.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { PricedCart } from '../pricing/index.ts'
import type { Cart } from './cart.ts'
import { addressStateOf, type CartNotice } from './messages.ts'
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
 * Refuse to quote an incomplete address or a shipping option that is not offered. A cart without an address can be quoted:
 * for its country, with estimated tax.
 *
 * Refusals: `cart_incomplete`.
 */
export function refuseIncomplete(cart: Cart, priced: PricedCart): void {
  const { missing, invalid } = addressStateOf(cart)
  const fields = [...missing, ...invalid]
  if (fields.length > 0) {
    refuse('cart_incomplete', {
      faults: fields.map((field) => {
        const message = `The shipping address needs a valid ${field}. Set it with setPublicCartAddress.`
        return { field: `shippingAddress/${field}`, code: 'required', message }
      }),
    })
  }
  if (cart.shippingOptionId !== null) refuseUnofferedShipping(cart.shippingOptionId, priced, 'cart_incomplete')
}

/**
 * The current status of a quote. A change to the cart makes it stale permanently. The lock of a checkout session does not:
 * it is the cart's latest version and changes nothing that is quoted.
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

/** What prevents checkout, without its words. */
export type Blocker = Pick<CheckoutBlocker, 'path'> & Saying<ShopperTexts['cart']>

/** What prevents checkout, in the order a shopper would fix it. */
export function blockersOf(cart: Cart, notices: readonly CartNotice[], taxStatus: string): Blocker[] {
  const blockers: Blocker[] = []
  if (cart.status !== 'active') blockers.push({ code: `cart_${cart.status}`, path: '' })
  if (cart.lines.length === 0) blockers.push({ code: 'cart_empty', path: '/lines' })
  blockers.push(...notices.filter(({ severity }) => severity === 'blocking'))
  if (!cart.shippingAddress) blockers.push({ code: 'address_missing', path: '/shippingAddress' })
  if (!cart.contact?.email) blockers.push({ code: 'email_missing', path: '/contact/email' })
  if (taxStatus === 'not_calculated') blockers.push({ code: 'tax_not_calculated', path: '/totals/tax' })
  return blockers.slice(0, BLOCKERS_MAX)
}

/** The contract's limit. */
const BLOCKERS_MAX = 200

/** Present blockers in the language of a locale. */
export function presentBlockers(blockers: readonly Blocker[], locale: string): CheckoutBlocker[] {
  const texts = textsIn(locale).cart
  return blockers.map((blocker) => ({ code: blocker.code, path: blocker.path, message: say(texts, blocker) }))
}
