import { digest, randomText } from './encoding.ts'
import { VitrineError } from './errors.ts'
import type { OAuthTokenGrant } from './generated/resources.ts'
import { type KeyPair, type PrivateJwk, type Prover, prover } from './proof.ts'
import { RedirectError, readReturn } from './redirect.ts'
import { type TransportOptions, transport } from './transport.ts'

/** The tokens of a grant. */
export interface TokenSet {
  readonly accessToken: string
  readonly refreshToken?: string
  /** Scopes, separated by spaces. */
  readonly scope: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** Stores the tokens of one grant, so that a restart needs no new consent. */
export interface TokenStore {
  load(): Promise<TokenSet | null>
  /** `null`: the grant has ended. */
  save(tokens: TokenSet | null): Promise<void>
}

export interface OAuthOptions extends TransportOptions {
  /** URL of the hosted pages, such as `https://pages.shop.example`. */
  readonly issuer: string
  readonly clientId: string
  /** A registered redirect URI of the client, character by character. */
  readonly redirectUri: string
  /** The key that codes and tokens are bound to, for example from `generateKeyPair`. */
  readonly privateKey: PrivateJwk | KeyPair
  /** Defaults to memory. */
  readonly tokens?: TokenStore
}

/** The data to keep in the session of the browser until it returns. */
export interface PendingAuthorization {
  readonly state: string
  readonly codeVerifier: string
}

export interface OAuthSession {
  /** Prepares an authorization request with PKCE. Send the browser to `url`, and keep `pending` in its session. */
  authorize(options?: {
    /** Scopes, separated by spaces. */
    readonly scope?: string
  }): Promise<{ readonly url: string; readonly pending: PendingAuthorization }>
  /**
   * Exchanges the code in the address that the browser returned to.
   *
   * @throws RedirectError if it is not the answer to this request, or if the person declined
   * @throws VitrineError `oauth_invalid_grant` if the code has expired or was used
   */
  exchange(address: string | URL, pending: PendingAuthorization): Promise<TokenSet>
  /**
   * A valid access token. Refreshes it if it is about to expire, once for all callers.
   *
   * @throws RedirectError `not_authorized` if there are no tokens
   */
  accessToken(): Promise<string>
  /** Marks the access token as refused: the next call refreshes it. */
  expire(): void
  /** Revokes the grant, and forgets its tokens. */
  revoke(): Promise<void>
  /** Signs with the key that the tokens are bound to. */
  prover(): Promise<Prover>
}

/** RFC 8414. */
interface ServerMetadata {
  readonly issuer: string
  readonly authorization_endpoint: string
  readonly token_endpoint: string
  readonly revocation_endpoint: string
}

/** Refresh before a request could arrive with an expired token. */
const REFRESH_EARLY_MS = 30_000

/**
 * Access that the staff of a store grants to an app: authorization code, PKCE (S256), and tokens bound to a key (DPoP).
 *
 * @example
 * ```ts
 * const access = oauth({ issuer, clientId, redirectUri, privateKey: await generateKeyPair() })
 * const { url, pending } = await access.authorize({ scope: 'catalog:read checkout:quote' })
 * await access.exchange(returnedTo, pending)
 * const shop = vitrine({ baseUrl, oauth: access })
 * ```
 * @see RFC 6749 §4.1, RFC 7636, RFC 9449
 */
export function oauth(options: OAuthOptions): OAuthSession {
  const { redirectUri } = options
  const { clock, issuer, metadata, post, prover } = serverOf(options)
  const { current, save, replace, expire } = currentTokens(options.tokens ?? memoryStore())
  let refreshing: Promise<TokenSet> | undefined

  async function requestTokens(fields: Readonly<Record<string, string>>): Promise<TokenSet> {
    const sentAt = clock.now()
    return tokensOf((await post((await metadata()).token_endpoint, fields)) as OAuthTokenGrant, sentAt)
  }

  async function refresh(refreshToken: string): Promise<TokenSet> {
    try {
      const tokens = await requestTokens({ grant_type: 'refresh_token', refresh_token: refreshToken })
      await replace(refreshToken, tokens)
      return tokens
    } catch (error) {
      // The grant has ended: its tokens never work again.
      if (error instanceof VitrineError && error.code === 'oauth_invalid_grant') await replace(refreshToken, null)
      throw error
    }
  }

  return {
    prover,
    expire,
    async authorize({ scope } = {}) {
      const pending = { state: randomText(), codeVerifier: randomText() }
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: options.clientId,
        redirect_uri: redirectUri,
        ...(scope !== undefined && { scope }),
        state: pending.state,
        code_challenge: await digest(pending.codeVerifier),
        code_challenge_method: 'S256',
        dpop_jkt: (await prover()).thumbprint,
      })
      return { url: `${(await metadata()).authorization_endpoint}?${query}`, pending }
    },
    async exchange(address, { state, codeVerifier }) {
      const { code } = readReturn(address, { state, issuer })
      const tokens = await requestTokens({
        grant_type: 'authorization_code',
        code,
        redirect_uri: redirectUri,
        code_verifier: codeVerifier,
      })
      await save(tokens)
      return tokens
    },
    async accessToken() {
      const tokens = await current()
      const isValid = clock.now() < tokens.expiresAt - REFRESH_EARLY_MS
      if (isValid || tokens.refreshToken === undefined) return tokens.accessToken
      refreshing ??= refresh(tokens.refreshToken).finally(() => {
        refreshing = undefined
      })
      return (await refreshing).accessToken
    },
    async revoke() {
      const { accessToken, refreshToken = accessToken } = await current()
      await post((await metadata()).revocation_endpoint, { token: refreshToken })
      await save(null)
    },
  }
}

/** The tokens in use, loaded from their store when they are first needed. */
function currentTokens(store: TokenStore) {
  let known: TokenSet | null | undefined
  let saves = 0
  let lastUse: Promise<unknown> = Promise.resolve()

  /** One use of the store after another: a slow save neither overtakes a later one nor is missed by a load. */
  function inOrder<Value>(use: () => Promise<Value>): Promise<Value> {
    const done = lastUse.then(use)
    lastUse = done.catch(() => {})
    return done
  }

  async function save(tokens: TokenSet | null): Promise<void> {
    known = tokens
    saves += 1
    await inOrder(() => store.save(tokens))
  }

  return {
    save,
    /** Saves the result of a refresh, unless the grant was revoked or another one exchanged meanwhile. */
    async replace(refreshToken: string, tokens: TokenSet | null): Promise<void> {
      if (known?.refreshToken === refreshToken) await save(tokens)
    },
    async current(): Promise<TokenSet> {
      const savesBefore = saves
      if (!known) {
        await inOrder(async () => {
          const loaded = known ?? (await store.load())
          // Not what was loaded, if tokens were saved or the grant was revoked meanwhile.
          if (saves === savesBefore) known ??= loaded
        })
      }
      if (!known) throw new RedirectError('not_authorized')
      return known
    },
    expire(): void {
      if (known) known = { ...known, expiresAt: 0 }
    },
  }
}

/** The authorization server, and the requests of the client to it. */
function serverOf(options: OAuthOptions) {
  const issuer = options.issuer.replace(/\/+$/, '')
  const { send, clock } = transport(options)
  const proverOnce = lazily(() => prover(options.privateKey))

  async function discover(): Promise<ServerMetadata> {
    const url = `${issuer}/.well-known/oauth-authorization-server`
    const headers = { accept: 'application/json' }
    const request = { method: 'GET', url, query: '', headers, body: undefined, isRepeatable: true, member: 'issuer' }
    const server = (await send(request)) as ServerMetadata
    if (server.issuer !== issuer) throw new RedirectError('wrong_issuer')
    return server
  }

  /** Sends a request with a proof. The server gives a repeated request with the same key the same answer. */
  async function post(url: string, fields: Readonly<Record<string, string>>): Promise<object> {
    const signer = await proverOnce()
    const answer = await send({
      method: 'POST',
      url,
      query: '',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ client_id: options.clientId, ...fields }),
      isRepeatable: true,
      member: 'data',
      authorize: async (nonce) => ({ dpop: await signer.prove({ method: 'POST', url, nonce, now: clock.now() }) }),
    })
    return (answer as { readonly data: object }).data
  }

  return { clock, issuer, metadata: lazily(discover), post, prover: proverOnce }
}

function tokensOf({ access_token, refresh_token, scope, expires_in }: OAuthTokenGrant, sentAt: number): TokenSet {
  return {
    accessToken: access_token,
    ...(refresh_token !== undefined && { refreshToken: refresh_token }),
    scope,
    expiresAt: sentAt + expires_in * 1000,
  }
}

/** Computes a value once. A failure is not cached. */
function lazily<Value>(compute: () => Promise<Value>): () => Promise<Value> {
  let promise: Promise<Value> | undefined
  return () => {
    promise ??= compute().catch((error: unknown) => {
      promise = undefined
      throw error
    })
    return promise
  }
}

function memoryStore(): TokenStore {
  let kept: TokenSet | null = null
  return {
    load: async () => kept,
    async save(tokens) {
      kept = tokens
    },
  }
}
