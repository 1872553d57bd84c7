import { hostedLogin, RedirectError } from '@vitrine/sdk'
import { currentCart } from '../carts.ts'
import { href, isRefused, safe, type Visit } from '../visit.ts'

/** Starts a hosted login. @returns the URL of the sign-in page */
export async function beginSignIn(visit: Visit): Promise<string> {
  const { session, shop, locale, url } = visit
  const { loginUrl, pending } = await hostedLogin(shop.client, shop.config.serviceUrl).initiate({
    returnUrl: `${shop.config.url}/login/return`,
    locale,
  })
  session.login = { ...pending, back: safe(url.searchParams.get('back') ?? undefined, href(visit, '/orders')) }
  return loginUrl
}

/** Completes the login, and assigns the cart to the customer. @returns the page to go back to */
export async function completeSignIn(visit: Visit): Promise<string> {
  const { client, session, shop, texts, url } = visit
  const { login } = session
  delete session.login
  try {
    if (!login) throw new RedirectError('incomplete')
    const { customer, customerToken, expiresAt } = await hostedLogin(client, shop.config.serviceUrl).consume(url, login)
    const name = [customer.firstName, customer.lastName].filter(Boolean).join(' ')
    session.customer = { id: customer.id, name: name || customer.email }
    session.notice = { tone: 'good', text: texts.signedIn }
    if (customerToken) {
      session.customerToken = { value: customerToken, expiresAt }
      const cart = await currentCart(visit)
      if (cart?.status === 'active') {
        await client.setPublicCartAddress({ params: { cartId: cart.id }, body: { customerToken } })
      }
    }
    return login.back
  } catch (error) {
    if (!(error instanceof RedirectError) && !isRefused(error)) throw error
    session.notice = { tone: 'bad', text: texts.signInFailed }
    return href(visit, '/')
  }
}
