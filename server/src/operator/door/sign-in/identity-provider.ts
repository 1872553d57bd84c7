import { createHash, createHmac } from 'node:crypto'
import type { Configuration, ServerMetadata } from 'openid-client'
import type { ProviderSettings } from '../../../config.ts'
import { refuse } from '../../../kernel/refusal.ts'

/** The account at the provider that signed in. */
export interface ProviderAccount {
  readonly issuer: string
  readonly subject: string
  /** `null`: the provider has none, or has not verified it. */
  readonly verifiedEmail: string | null
  /** Whether the provider has asked for a second factor. @see RFC 8176 §2 */
  readonly hasUsedTwoFactors: boolean
  /** The time of the last authentication; `null`: not reported. */
  readonly authenticatedAt: Date | null
}

/** The page that the provider sends the browser back to. */
const PROVIDER_RETURN_PATH = '/sign-in/return'
/** How long the metadata of a provider is cached: it rarely changes. */
const METADATA_MS = 10 * 60_000
const TIMEOUT_SECONDS = 5
const SCOPE = 'openid email'
const CODE = /^\w{1,60}$/
/** Why an answer is not accepted, if it has no error code. */
export const NOT_COMPLETED = 'not_completed'

/** The identity provider of the operators. */
export class IdentityProvider {
  readonly #settings: ProviderSettings
  readonly redirectUri: string
  #metadata: { readonly loadedAt: number; readonly found: Promise<ServerMetadata> } | null = null

  constructor(settings: ProviderSettings, operatorUrl: string) {
    this.#settings = settings
    this.redirectUri = `${operatorUrl}${PROVIDER_RETURN_PATH}`
  }

  get label(): string {
    return this.#settings.label
  }

  get issuer(): string {
    return this.#settings.issuer
  }

  get emailDomains(): readonly string[] {
    return this.#settings.emailDomains
  }

  /** The address to send the browser to. Refusals: `provider_unavailable`. */
  async begin(token: string, { isFresh, now }: { readonly isFresh: boolean; readonly now: Date }): Promise<string> {
    const { buildAuthorizationUrl } = await import('openid-client')
    const { state, nonce, verifier } = secretsOf(token)
    const url = buildAuthorizationUrl(await this.#client(now), {
      redirect_uri: this.redirectUri,
      scope: SCOPE,
      state,
      nonce,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
      ...(isFresh && { prompt: 'login', max_age: '0' }),
    })
    return url.href
  }

  /**
   * Exchanges the code, and checks state, nonce and the signature of the ID token, with the keys that the provider has now.
   *
   * Refusals: `provider_unavailable`.
   *
   * @returns the account, or why the answer is not accepted
   */
  async finish(token: string, query: string, now: Date): Promise<ProviderAccount | { readonly why: string }> {
    const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client')
    const client = await this.#client(now)
    const { state, nonce, verifier } = secretsOf(token)
    try {
      const tokens = await authorizationCodeGrant(client, new URL(`${this.redirectUri}?${query}`), {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      })
      const claims = tokens.claims()
      if (claims === undefined) return { why: NOT_COMPLETED }
      // Some providers return the email address only from this endpoint. @see OpenID Connect Core §5.4
      const person =
        claims.email === undefined && client.serverMetadata().userinfo_endpoint !== undefined
          ? await fetchUserInfo(client, tokens.access_token, claims.sub)
          : claims
      const { amr } = claims
      return {
        issuer: claims.iss,
        subject: claims.sub,
        verifiedEmail: person.email_verified === true && typeof person.email === 'string' ? person.email : null,
        hasUsedTwoFactors: Array.isArray(amr) && amr.includes('mfa'),
        authenticatedAt: claims.auth_time === undefined ? null : new Date(claims.auth_time * 1000),
      }
    } catch (error) {
      if (isAway(error)) refuseProvider(error)
      return { why: codeOf(error) }
    }
  }

  /** The problem with the provider; `null`: none. For `vitrine doctor`. */
  async problem(now: Date): Promise<string | null> {
    try {
      await this.#load(now)
      return null
    } catch (error) {
      const { cause, message } = error as Error & { readonly cause?: Error }
      return cause?.message ?? message
    }
  }

  // The keys are loaded with each sign-in, so that a provider may replace them at any time.
  async #client(now: Date): Promise<Configuration> {
    const library = await import('openid-client')
    const { clientId, clientSecret, issuer } = this.#settings
    const metadata = await this.#load(now).catch(refuseProvider)
    const client = new library.Configuration(metadata, clientId, clientSecret)
    client.timeout = TIMEOUT_SECONDS
    if (issuer.startsWith('http:')) library.allowInsecureRequests(client)
    library.enableNonRepudiationChecks(client)
    return client
  }

  #load(now: Date): Promise<ServerMetadata> {
    if (this.#metadata && now.getTime() - this.#metadata.loadedAt < METADATA_MS) return this.#metadata.found
    const found = discover(this.#settings)
    const loading = { loadedAt: now.getTime(), found }
    this.#metadata = loading
    found.catch(() => {
      if (this.#metadata === loading) this.#metadata = null
    })
    return found
  }
}

async function discover({ issuer, clientId, clientSecret }: ProviderSettings): Promise<ServerMetadata> {
  const { allowInsecureRequests, discovery } = await import('openid-client')
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : []
  const client = await discovery(new URL(issuer), clientId, clientSecret, undefined, {
    execute,
    timeout: TIMEOUT_SECONDS,
  })
  return client.serverMetadata()
}

/** Derived from the token in the browser: nothing secret is stored, and no other browser can complete the sign-in. */
function secretsOf(token: string): { readonly state: string; readonly nonce: string; readonly verifier: string } {
  const derived = (use: string) => createHmac('sha256', token).update(use).digest('base64url')
  return { state: derived('state'), nonce: derived('nonce'), verifier: derived('code verifier') }
}

/** The error code of the provider, such as `invalid_client`, or of the library, for the audit log. */
function codeOf(error: unknown): string {
  const { error: ofProvider, code } = error as { readonly error?: string; readonly code?: string }
  return CODE.exec(ofProvider ?? code ?? '')?.[0] ?? NOT_COMPLETED
}

/** Whether the provider did not answer, or its answer does not conform. */
function isAway(error: unknown): boolean {
  const { code } = error as { readonly code?: string }
  return error instanceof TypeError || /TIMEOUT|RESPONSE_IS_NOT_(CONFORM|JSON)/.test(code ?? '')
}

/** The reason is for the log. */
function refuseProvider(error: unknown): never {
  const { message, cause } = error as Error & { readonly cause?: Error }
  refuse('provider_unavailable', { reason: [message, cause?.message].filter(Boolean).join(': ') })
}
