import type { Cart, HostedCheckoutSession } from '@vitrine/sdk'
import type { Market } from './market.ts'
import { isOpen, isRefused, orNull, rememberCart, type Visit } from './visit.ts'

/**
 * The visitor's cart in the language of the visit, or `null` if there is none that can be checked out. A cart has one language, that of
 * its order and its emails, so after a switch its content moves to a new one. A cart that is being paid stays as it is.
 */
export async function currentCart(visit: Visit): Promise<Cart | null> {
  const { client, session, locale } = visit
  if (!session.cartId) return null
  const cart = await orNull(client.getPublicCart({ params: { cartId: session.cartId } }))
  if (!cart || !isOpen(cart)) return null
  const isForeign = cart.locale.split('-')[0] !== locale
  if (!isForeign || cart.status === 'locked' || cart.lines.length === 0 || isLeftBehind(visit, cart)) return cart
  try {
    return await moveCart(visit, cart, { locale, currency: cart.currency, country: cart.country })
  } catch (error) {
    // Such as for a product that is sold out.
    if (!isRefused(error)) throw error
    return cart
  }
}

/** Whether a new cart would no longer be the customer's: it needs a token, which ends before the session. */
const isLeftBehind = ({ session }: Visit, { customer }: Cart) => customer !== undefined && !tokenOf(session)

function tokenOf({ customerToken }: Visit['session']): string | null {
  return customerToken && new Date(customerToken.expiresAt) > new Date() ? customerToken.value : null
}

/** Creates a cart with these lines. */
export function createCart(
  { client, session }: Pick<Visit, 'client' | 'session'>,
  { currency, country, locale }: Market,
  lines: { skuId: string; quantity: number }[],
): Promise<Cart> {
  const customerToken = tokenOf(session)
  return client.createPublicCart({
    body: { currency, country, locale, lines, ...(customerToken && { customerToken }) },
  })
}

/** Moves the lines of a cart to a new one, with the promotion code and, in the same country, the addresses, as far as they fit. */
export async function moveCart(visit: Visit, cart: Cart, market: Market): Promise<Cart> {
  const { client } = visit
  const lines = cart.lines.map(({ skuId, quantity }) => ({ skuId, quantity }))
  const created = await createCart(visit, market, lines)
  const params = { cartId: created.id }
  const { contact, shippingAddress: shipping, billingAddress: billing, promotion } = cart
  const body = { ...(contact && { contact }), ...(shipping && { shipping }), ...(billing && { billing }) }
  const hasAddress = market.country === cart.country && Object.keys(body).length > 0
  if (hasAddress) await unlessRefused(client.setPublicCartAddress({ params, body }))
  const { code } = promotion
  if (code) await unlessRefused(client.applyPublicCartPromotion({ params, body: { code } }))
  const moved = hasAddress || code ? await client.getPublicCart({ params }) : created
  rememberCart(visit, moved)
  return moved
}

async function unlessRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isRefused(error)) throw error
  }
}

/** A cart that is being paid, with the lines and totals that the shopper pays. A cart itself has the current prices. */
export function asPriced(cart: Cart, { snapshot }: Pick<HostedCheckoutSession, 'snapshot'>): Cart {
  const lines = cart.lines.map((line) => {
    const priced = snapshot.lines.find(({ skuId }) => skuId === line.skuId)
    if (!priced) return line
    const { unitPrice, subtotal, discountAllocations } = priced
    const discount = discountAllocations.reduce((sum, { amount }) => sum + amount.amount, 0)
    return { ...line, unitPrice, subtotal, total: { ...subtotal, amount: subtotal.amount - discount } }
  })
  return { ...cart, lines, totals: snapshot.totals, messages: [] }
}
