import * as oauth from 'oauth4webapi'

export interface ConnectOptions {
  /** The pages door, such as `https://pages.shop.example`: the issuer. Plain http is for a server on your own machine. */
  readonly issuer: URL
  /** The public door, such as `https://shop.example`. */
  readonly baseUrl: string
  /** The client id that `vitrine oauth client create` printed. */
  readonly clientId: string
  /** A redirect URI that the client has registered. It is compared character by character. */
  readonly redirectUri: string
  /** Sends a member of the store's staff to the authorization endpoint, and returns the address their browser came back to. */
  readonly consent: (page: string) => Promise<URL>
}

/** Takes an app from no access to its first write for an installation, with a client from npm. */
export async function connect({ issuer, baseUrl, clientId, redirectUri, consent }: ConnectOptions) {
  const insecure = { [oauth.allowInsecureRequests]: issuer.protocol === 'http:' }
  const discovered = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
  const as = await oauth.processDiscoveryResponse(issuer, discovered)
  const client: oauth.Client = { client_id: clientId }

  // The key pair that codes and tokens are bound to. Its private half never leaves the app.
  const DPoP = oauth.DPoP(client, await oauth.generateKeyPair('ES256'))
  const options = { DPoP, ...insecure }

  // Request authorization. The endpoint leads to the consent page.
  const verifier = oauth.generateRandomCodeVerifier()
  const state = oauth.generateRandomState()
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'catalog:read checkout:quote',
    state,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    dpop_jkt: await DPoP.calculateThumbprint(),
  })
  const back = await consent(`${as.authorization_endpoint}?${asked}`)

  // The answer must belong to our request (state) and come from the server that was asked (iss, RFC 9207).
  const parameters = oauth.validateAuthResponse(as, client, back, state)
  const tokens = await withNonce(async () =>
    oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirectUri, verifier, options),
    ),
  )

  // A write, with the token and a proof of the key that it is bound to.
  const cart = await withNonce(() =>
    oauth.protectedResourceRequest(
      tokens.access_token,
      'POST',
      new URL(`${baseUrl}/api/v1/open/storefront/carts`),
      new Headers({ 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
      JSON.stringify({ currency: 'EUR', country: 'DE' }),
      options,
    ),
  )

  // Ten minutes later: a retry within 60 seconds gets the same new refresh token, so a lost answer does no harm.
  const refreshed = await withNonce(async () =>
    oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), String(tokens.refresh_token), options),
    ),
  )
  return { scope: tokens.scope, cart: (await cart.json()) as unknown, refreshed }
}

/** A request without a nonce is refused with a new nonce. The client stores it, so a second attempt succeeds. RFC 9449 §8. */
async function withNonce<Result>(ask: () => Promise<Result>): Promise<Result> {
  try {
    return await ask()
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error
    return ask()
  }
}
