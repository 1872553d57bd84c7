import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
// @ts-expect-error: the package has no types.
import Provider from 'oidc-provider'
import { atFileEnd } from '../file-end.ts'
import { operatorClient } from '../operator.ts'
import { startWorld, type World, type WorldOptions } from '../world.ts'

/** An account at the provider. Its sign-in there succeeds at once. */
export interface Account {
  readonly email: string
  /** The email address by default. */
  readonly subject?: string
  /** Whether the provider has verified the address; true by default. */
  readonly isVerified?: boolean
  /** The authentication methods, such as `pwd` and `mfa`. */
  readonly amr?: readonly string[]
}

/** Changes that a test makes during the sign-in. */
export interface Tampering {
  readonly isFresh?: boolean
  /** Changes the URL that the browser is sent to. */
  readonly url?: (url: URL) => void
  /** Changes the query that the provider returns. */
  readonly query?: (query: URLSearchParams) => void
}

export interface TestProvider {
  readonly issuer: string
  /** The environment of a world whose operators sign in here. */
  readonly environment: Readonly<Record<string, string>>
  /** Sets the account that is signed in at the provider from now on. */
  setAccount(account: Account): void
  /** Signs in like a browser. @returns the body for `signInWithProvider` */
  signIn(
    world: World,
    account: Account,
    tampering?: Tampering,
  ): Promise<{ readonly token: string; readonly query: string }>
  /** Replaces the signing keys. */
  rotate(): void
  /** Stops the provider, or starts it again at the same address. */
  setRunning(isRunning: boolean): Promise<void>
}

interface Interactive {
  callback(): (request: IncomingMessage, response: ServerResponse) => void
  interactionFinished(request: IncomingMessage, response: ServerResponse, result: object): Promise<void>
}

const CLIENT = { client_id: 'vitrine', client_secret: 'a secret of the console at the provider' }
const REDIRECTS_MAX = 10

let current: Promise<TestProvider> | null = null

/** The provider of this test file. */
export function testProvider(redirectUri = 'http://127.0.0.1:8082/sign-in/return'): Promise<TestProvider> {
  if (current === null) {
    current = startProvider(redirectUri)
    atFileEnd(() => {
      current = null
    })
  }
  return current
}

/**
 * A world whose operators can sign in with the provider. Its clock is set to the time of the machine, which the provider uses.
 */
export async function worldWithProvider(options: WorldOptions = {}): Promise<World> {
  const { environment } = await testProvider()
  const world = await startWorld({ ...options, environment: { ...environment, ...options.environment } })
  world.clock.advance(Date.now() - world.clock.now().getTime())
  return world
}

/** oidc-provider, which is certified by the OpenID Foundation, on loopback. */
async function startProvider(redirectUri: string): Promise<TestProvider> {
  let account: Account = { email: 'unknown@shop.example' }
  const accounts = new Map<string, Account>()
  let provider: Interactive
  let keys = 0
  const server = createServer((request, response) => {
    if (!request.url?.startsWith('/interaction/')) return provider.callback()(request, response)
    const { amr, email, subject = email } = account
    accounts.set(subject, account)
    // The session is not remembered, so each sign-in comes here.
    const login = { accountId: subject, remember: false, ...(amr && { amr }) }
    void provider.interactionFinished(request, response, { login })
  })
  const listen = (port: number) => new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  await listen(0)
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const rotate = () => {
    keys += 1
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256', kid: `key ${keys}` }
    provider = providerWith({ issuer, redirectUri, key, accounts })
  }
  rotate()
  let isListening = true
  const setRunning = async (isRunning: boolean) => {
    if (isRunning === isListening) return
    isListening = isRunning
    if (isRunning) return listen(port)
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  atFileEnd(() => setRunning(false))

  return {
    issuer,
    environment: {
      OIDC_ISSUER: issuer,
      OIDC_CLIENT_ID: CLIENT.client_id,
      OIDC_CLIENT_SECRET: CLIENT.client_secret,
      OIDC_LABEL: 'Company login',
    },
    rotate,
    setRunning,
    setAccount: (next) => {
      account = next
    },
    async signIn(world, next, { isFresh = false, url: changeUrl, query: changeQuery } = {}) {
      account = next
      const { body } = await (await operatorClient(world, {})).send('POST', '/provider-sessions/begin', { isFresh })
      const url = new URL(body.data.url)
      changeUrl?.(url)
      const query = await visited(url, redirectUri)
      changeQuery?.(query)
      return { token: body.data.token, query: query.toString() }
    },
  }
}

interface ProviderOptions {
  readonly issuer: string
  readonly redirectUri: string
  readonly key: object
  readonly accounts: ReadonlyMap<string, Account>
}

function providerWith({ issuer, redirectUri, key, accounts }: ProviderOptions): Interactive {
  const provider = new Provider(issuer, {
    clients: [
      {
        ...CLIENT,
        redirect_uris: [redirectUri],
        id_token_signed_response_alg: 'ES256',
        require_auth_time: true,
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['a key of a test'] },
    claims: { openid: ['sub', 'amr', 'auth_time'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    ttl: { Session: 600, Interaction: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
    interactions: { url: (_context: unknown, { uid }: { readonly uid: string }) => `/interaction/${uid}` },
    async findAccount(_context: unknown, subject: string) {
      const { email, isVerified = true } = accounts.get(subject) ?? { email: subject }
      return { accountId: subject, claims: async () => ({ sub: subject, email, email_verified: isVerified }) }
    },
    // Consent is not what these tests are about.
    async loadExistingGrant(context: {
      readonly oidc: {
        readonly client: { readonly clientId: string }
        readonly session: { readonly accountId: string }
        readonly provider: {
          readonly Grant: new (of: object) => { addOIDCScope(scope: string): void; save(): Promise<string> }
        }
      }
    }) {
      const { client, session, provider: at } = context.oidc
      const grant = new at.Grant({ clientId: client.clientId, accountId: session.accountId })
      grant.addOIDCScope('openid email')
      await grant.save()
      return grant
    },
  })
  return provider
}

/** Follows the provider's redirects like a browser, with its cookies. @returns the query of the final redirect */
async function visited(start: URL, redirectUri: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let url = start
  for (let redirects = 0; redirects < REDIRECTS_MAX; redirects += 1) {
    if (url.href.startsWith(redirectUri)) return url.searchParams
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    assert.ok(location, `${response.status} ${await response.text()}`)
    url = new URL(location, url)
  }
  throw new Error(`${start} redirects more than ${REDIRECTS_MAX} times`)
}
