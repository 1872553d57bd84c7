import type { CartMessage, CheckoutBlocker, CheckoutQuote } from '@vitrine/contract'
import { type CanonicalValue, canonicalJson } from '../../kernel/canonical-json.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { PricedCart } from '../pricing/index.ts'
import type { Cart } from './cart.ts'
import { addressStateOf } from './messages.ts'
import type { QuoteSigner } from './quote-signature.ts'
import { refuseUnofferedShipping } from './shipping-choice.ts'

/** What a quote promises: all that it shows, but how it stands now and its own signature. */
export type QuoteContent = Omit<CheckoutQuote, 'status' | 'signature'>

/** A promise that is kept: the bytes that were signed are the only place where its prices stand. */
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

/** Writes the content down in its one canonical form, and signs those bytes. */
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
 * Refuses to promise what is not settled: an address that lacks something, or a choice of shipping that is not offered.
 * Without an address a quote is for the cart's country, and says that its tax is estimated.
 *
 * Refusals: `cart_incomplete`.
 */
export function refuseIncomplete(cart: Cart, priced: PricedCart): void {
  const { missing, invalid } = addressStateOf(cart)
  const fields = [...missing, ...invalid]
  if (fields.length > 0) {
    refuse('cart_incomplete', {
      details: fields.map((field) => {
        const message = `The shipping address needs a ${field} of its country. Set it by setPublicCartAddress.`
        return { in: 'body', pointer: `/shippingAddress/${field}`, code: 'required', message }
      }),
    })
  }
  if (cart.shippingOptionId !== null) refuseUnofferedShipping(cart.shippingOptionId, priced, 'cart_incomplete')
}

/**
 * How a quote stands: a cart that changed makes it stale for good, time makes it expire. A checkout that holds the cart has
 * changed nothing that was promised: its lock is one version, and the last.
 */
export function statusOf(quote: Quote, cart: Cart, now: Date): CheckoutQuote['status'] {
  const isOfLocked = cart.status === 'locked' && quote.cartVersion === cart.version - 1
  if (quote.cartVersion !== cart.version && !isOfLocked) return 'stale'
  return now < quote.expiresAt ? 'in_force' : 'expired'
}

/** What was promised, read from the bytes that were signed. */
export function contentOf({ payload }: Pick<Quote, 'payload'>): QuoteContent {
  return JSON.parse(payload.toString()) as QuoteContent
}

/** A quote as the contract shows it: what was signed then, and how it stands now. */
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

/** What still stands in the way of checkout, in the order in which a shopper would mend it. */
export function blockersOf(cart: Cart, messages: readonly CartMessage[], taxStatus: string): CheckoutBlocker[] {
  const blockers: CheckoutBlocker[] = []
  if (cart.status !== 'active')
    blockers.push({ code: `cart_${cart.status}`, path: '', message: `The cart is ${cart.status}.` })
  if (cart.lines.length === 0) blockers.push({ code: 'cart_empty', path: '/lines', message: 'The cart has no lines.' })
  for (const { code, path, text, severity } of messages) {
    if (severity === 'blocking') blockers.push({ code, path, message: text })
  }
  if (!cart.shippingAddress) {
    blockers.push({ code: 'address_missing', path: '/shippingAddress', message: 'The shipping address is missing.' })
  }
  if (!cart.contact?.email) {
    blockers.push({ code: 'email_missing', path: '/contact/email', message: 'An e-mail address is missing.' })
  }
  if (taxStatus === 'not_calculated') {
    blockers.push({ code: 'tax_not_calculated', path: '/totals/tax', message: 'No tax rate is known for this place.' })
  }
  return blockers.slice(0, BLOCKERS_MAX)
}

/** As many as the contract shows at once. */
const BLOCKERS_MAX = 200
