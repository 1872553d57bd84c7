import { createHash, randomBytes } from 'node:crypto'
import { currentCart, type Visit } from '../visit.ts'

/** Starts a hosted login, bound to this browser by PKCE. @returns where the visitor signs in @see RFC 7636 */
export async function beginSignIn({ client, session, shop, locale }: Visit, back: string): Promise<string> {
  const state = randomBytes(16).toString('base64url')
  const verifier = randomBytes(32).toString('base64url')
  const codeChallenge = createHash('sha256').update(verifier).digest('base64url')
  session.login = { state, verifier, back }
  const { loginUrl } = await client.call('initiateHostedLogin', {
    body: { returnUrl: `${shop.config.url}/login/return`, state, codeChallenge, codeChallengeMethod: 'S256', locale },
  })
  return loginUrl
}

/** Completes it, and gives the cart to the customer. @returns whether it worked */
export async function completeSignIn(visit: Visit): Promise<boolean> {
  const { client, session, url } = visit
  const { login } = session
  delete session.login
  const loginSession = url.searchParams.get('loginSession')
  const code = url.searchParams.get('code')
  if (!login || !loginSession || !code || url.searchParams.get('state') !== login.state) return false
  const { customer, customerToken, expiresAt } = await client.call('consumeHostedLoginReturn', {
    body: { loginSession, code, state: login.state, codeVerifier: login.verifier },
  })
  session.customer = {
    id: customer.id,
    name: [customer.firstName, customer.lastName].filter(Boolean).join(' ') || customer.email,
  }
  if (!customerToken) return true
  session.customerToken = { value: customerToken, expiresAt }
  const cart = await currentCart(visit)
  if (cart?.status === 'active') {
    await client.call('setPublicCartAddress', { params: { cartId: cart.id }, body: { customerToken } as never })
  }
  return true
}
