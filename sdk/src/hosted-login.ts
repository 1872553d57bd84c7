import type { CallOptions, VitrineClient } from './client.ts'
import { digest, randomText } from './encoding.ts'
import type { HostedLogin, HostedLoginResult, InitiateHostedLoginRequest } from './generated/resources.ts'
import { readReturn } from './redirect.ts'

/** The data to keep in the session of the browser until it returns. */
export interface PendingLogin {
  readonly loginSession: string
  readonly state: string
  readonly codeVerifier: string
}

export interface HostedLoginHelper {
  /** Starts a login with PKCE. Send the browser to `loginUrl`, and keep `pending` in its session. */
  initiate(
    request: Pick<InitiateHostedLoginRequest, 'returnUrl' | 'locale' | 'prompt'>,
    options?: CallOptions,
  ): Promise<Pick<HostedLogin, 'loginUrl' | 'expiresAt'> & { readonly pending: PendingLogin }>
  /**
   * Completes the login with the address that the browser returned to.
   *
   * @throws RedirectError if it is not the answer to this login, or if the shopper gave up
   */
  consume(address: string | URL, pending: PendingLogin, options?: CallOptions): Promise<HostedLoginResult>
}

/**
 * Signs shoppers in on the hosted pages.
 *
 * @param issuer the URL of the public API, which the return has as `iss`
 * @example
 * ```ts
 * const login = hostedLogin(shop, 'https://shop.example')
 * const { loginUrl, pending } = await login.initiate({ returnUrl: 'https://app.example/return' })
 * const { customer, customerToken } = await login.consume(request.url, pending)
 * ```
 */
export function hostedLogin(
  client: Pick<VitrineClient, 'initiateHostedLogin' | 'consumeHostedLoginReturn'>,
  issuer: string,
): HostedLoginHelper {
  return {
    async initiate(request, options) {
      const secrets = { state: randomText(), codeVerifier: randomText() }
      const codeChallenge = await digest(secrets.codeVerifier)
      const body = { ...request, state: secrets.state, codeChallenge, codeChallengeMethod: 'S256' as const }
      const { loginSession, loginUrl, expiresAt } = await client.initiateHostedLogin({ body }, options)
      return { loginUrl, expiresAt, pending: { loginSession, ...secrets } }
    },
    async consume(address, { loginSession, state, codeVerifier }, options) {
      const { code } = readReturn(address, { state, issuer: issuer.replace(/\/+$/, '') })
      return client.consumeHostedLoginReturn({ body: { loginSession, code, state, codeVerifier } }, options)
    },
  }
}
