import type { Cart } from '@vitrine/sdk'
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

/** Creates a cart with these lines: the customer's, or a guest's if the sign-in has ended. */
export async function createCart(
  { client, session }: Pick<Visit, 'client' | 'session'>,
  { currency, country, locale }: Market,
  lines: { skuId: string; quantity: number }[],
): Promise<Cart> {
  const customerToken = tokenOf(session)
  const body = { currency, country, locale, lines }
  if (customerToken === null) return client.createPublicCart({ body })
  try {
    return await client.createPublicCart({ body: { ...body, customerToken } })
  } catch (error) {
    // It ends early if the customer changes the password.
    if (!isRefused(error) || !error.answer.details.some(({ pointer }) => pointer === '/customerToken')) throw error
    delete session.customerToken
    return client.createPublicCart({ body })
  }
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
  if (cart.customer && !moved.customer) visit.session.notice = { tone: 'bad', text: visit.texts.signInAgain }
  return moved
}

async function unlessRefused(call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!isRefused(error)) throw error
  }
}
