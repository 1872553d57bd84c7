import assert from 'node:assert/strict'
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { calculateJwkThumbprint, decodeJwt, decodeProtectedHeader } from 'jose'
import {
  type CheckoutQuote,
  generateKeyPair,
  hostedLogin,
  oauth,
  type PublicKey,
  QuoteVerificationError,
  RedirectError,
  type TokenSet,
  UnreadableAnswer,
  VitrineError,
  verifyQuote,
  vitrine,
} from './index.ts'

type Respond = (request: Request) => Response | Promise<Response>

/** A server as a function, and the requests it received. */
function served(respond: Respond) {
  const requests: Request[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(request.clone())
    return respond(request)
  }
  return { requests, send }
}

const refusal = (status: number, code: string, advice = 'reauthenticate', headers: Record<string, string> = {}) => {
  const retry = { advice, afterMs: null }
  const body = { code, message: 'No.', status, requestId: 'req_1', outcome: 'not_applied', retry, details: [] }
  return Response.json(body, { status, headers })
}
const baseUrl = 'https://shop.example'

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found = []
  for await (const item of items) found.push(item)
  return found
}

describe('lists', () => {
  const orders = (...ids: string[]) => ids.map((id) => ({ id }))
  const path = '/api/v1/open/storefront/orders'

  test('iterate over all pages by their links, each with a proof for the URL without its query', async () => {
    const { send, requests } = served(({ url }) =>
      Response.json({
        data: url.endsWith('?cursor=two')
          ? { orders: orders('ord_3'), next: null }
          : { orders: orders('ord_1', 'ord_2'), next: `${path}?cursor=two` },
      }),
    )
    const shop = vitrine({ baseUrl, key: 'sfk_test_1', privateKey: await generateKeyPair(), fetch: send })

    const ids = []
    for await (const { id } of shop.iterate('listStorefrontOrders')) ids.push(id)

    assert.deepEqual(ids, ['ord_1', 'ord_2', 'ord_3'])
    assert.deepEqual(
      requests.map(({ url }) => url),
      [baseUrl + path, `${baseUrl}${path}?cursor=two`],
    )
    for (const { headers } of requests) assert.equal(decodeJwt(headers.get('dpop')!).htu, baseUrl + path)
  })

  test('request no page that is not read', async () => {
    const { send, requests } = served(() => Response.json({ data: { orders: orders('a'), next: `${path}?cursor=b` } }))
    for await (const page of vitrine({ baseUrl, key: 'k', fetch: send }).pages('listStorefrontOrders')) {
      assert.equal(page.orders.length, 1)
      break
    }
    assert.equal(requests.length, 1)
  })

  test('follow no link to another place, and no link to the same page', async () => {
    for (const next of ['https://evil.example/', '@evil.example/', '/api/v1/open/storefront/carts?x', `${path}?same`]) {
      const { send, requests } = served(() => Response.json({ data: { orders: [], next } }))
      const items = vitrine({ baseUrl, key: 'k', fetch: send }).iterate('listStorefrontOrders')
      await assert.rejects(all(items), UnreadableAnswer)
      assert.ok(requests.length <= 2)
    }
  })

  test('take path parameters and option filters', async () => {
    const meta = (next: string | null) => ({ data: [{ slug: 'mug' }], meta: { next } })
    const products = '/api/v1/catalog/merchants/ceramics/products'
    const { send, requests } = served(({ url }) =>
      Response.json(meta(url.includes('cursor') ? null : `${products}?cursor=2`)),
    )
    const input = { params: { slug: 'ceramics' }, query: { 'option.color': ['blue', 'red'] } } as const
    const items = await all(vitrine({ baseUrl, fetch: send }).iterate('listStoreProducts', input))
    assert.equal(items.length, 2)
    assert.equal(new URL(requests[0]!.url).search, '?option.color=blue&option.color=red')
  })
})

describe('errors', () => {
  test('narrow by code, and name the outcome, the advice and the request', async () => {
    const { send } = served(() => refusal(409, 'cart_locked', 'refresh_state'))
    const error: unknown = await vitrine({ baseUrl, key: 'k', fetch: send })
      .clearPublicCart({ params: { cartId: 'cart_1' } })
      .catch((thrown: unknown) => thrown)
    assert.ok(error instanceof VitrineError)
    assert.deepEqual(
      [error.code, error.outcome, error.retry.advice, error.requestId],
      ['cart_locked', 'not_applied', 'refresh_state', 'req_1'],
    )
    assert.equal(error.is('out_of_stock'), false)
    assert.ok(error.is('cart_locked', 'cart_revoked'))
    const code: 'cart_locked' | 'cart_revoked' = error.code
    assert.equal(code, 'cart_locked')
  })
})

describe('a client', () => {
  test('sends no credentials where none are asked for, and the access token of a gated store', async () => {
    const { send, requests } = served(() => Response.json({ data: {} }))
    const shop = vitrine({ baseUrl, key: 'sfk_test_1', privateKey: await generateKeyPair(), fetch: send })
    await shop.getStoreProduct({ params: { merchantSlug: 'a', productSlug: 'b' } }, { storeAccess: 'sfg_1' })
    const { headers } = requests[0]!
    assert.deepEqual(
      ['authorization', 'dpop', 'x-store-access'].map((name) => headers.get(name)),
      [null, null, 'sfg_1'],
    )
  })

  test('asks for texts in a language, on each page of a list', async () => {
    const path = '/api/v1/open/catalog/products'
    const { send, requests } = served(({ url }) =>
      Response.json({ data: [], meta: { next: url.endsWith('?cursor=two') ? null : `${path}?cursor=two` } }),
    )
    const shop = vitrine({ baseUrl, key: 'k', fetch: send })
    await all(shop.iterate('listApiKeyCatalogProducts', {}, { language: 'de' }))
    assert.deepEqual(
      requests.map(({ headers }) => headers.get('accept-language')),
      ['de', 'de'],
    )
  })

  test('has a method for each operation that does what call does', async () => {
    const { send } = served(({ url }) => Response.json({ data: url }))
    const shop = vitrine({ baseUrl, fetch: send })
    assert.equal(await shop.getRuntimeConfig(), await shop.call('getRuntimeConfig'))
    assert.equal(Object.values(shop).length, 59 + 3)
  })
})

const ISSUER = 'https://pages.shop.example'
const metadata = {
  issuer: ISSUER,
  authorization_endpoint: `${ISSUER}/oauth/authorize`,
  token_endpoint: `${baseUrl}/api/v1/oauth/token`,
  revocation_endpoint: `${baseUrl}/api/v1/oauth/revoke`,
}
const grant = (n: number) => {
  return {
    access_token: `sfat_${n}`,
    refresh_token: `sfrt_${n}`,
    token_type: 'DPoP',
    expires_in: 600,
    scope: 'catalog:read',
  }
}

/** An app on a server that issues numbered tokens, with a clock of its own. Its store of tokens saves after `beforeSave`. */
async function app(respond?: Respond, beforeSave: (tokens: TokenSet | null) => Promise<void> = async () => {}) {
  let issued = 0
  let nowMs = 1_000_000
  const stored: (TokenSet | null)[] = []
  const posted: Record<string, string>[] = []
  const { send, requests } = served(async (request) => {
    const { pathname } = new URL(request.url)
    if (pathname.startsWith('/.well-known')) return Response.json(metadata)
    if (pathname.startsWith('/api/v1/oauth')) posted.push((await request.clone().json()) as Record<string, string>)
    const other = await respond?.(request)
    if (other && other.status !== 204) return other
    if (pathname.endsWith('/revoke')) return Response.json({ data: { revoked: true } })
    if (!pathname.endsWith('/token')) return Response.json({ data: { status: 'active' } })
    issued += 1
    return Response.json({ data: grant(issued), ...grant(issued) })
  })
  const clock = { now: () => nowMs, sleep: async () => {}, timeout: () => () => {} }
  const session = oauth({
    issuer: ISSUER,
    clientId: 'cli_1',
    redirectUri: 'https://app.example/callback',
    privateKey: await generateKeyPair(),
    tokens: {
      load: async () => stored.at(-1) ?? null,
      async save(tokens) {
        await beforeSave(tokens)
        stored.push(tokens)
      },
    },
    fetch: send,
    clock,
  })
  const advance = (milliseconds: number) => {
    nowMs += milliseconds
  }
  const returned = (more: Record<string, string>) => `https://app.example/callback?${new URLSearchParams(more)}`
  const granted = async () => {
    const { pending } = await session.authorize()
    return session.exchange(returned({ code: 'c', state: pending.state, iss: ISSUER }), pending)
  }
  return { session, requests, posted, stored, advance, returned, granted, fetch: send, clock }
}

const nothing = () => new Response(null, { status: 204 })

describe('OAuth', () => {
  test('asks with PKCE and the thumbprint of its key, and exchanges the code with a proof', async () => {
    const { session, posted, requests, returned } = await app()
    const { url, pending } = await session.authorize({ scope: 'catalog:read' })
    const query = Object.fromEntries(new URL(url).searchParams)
    assert.equal(url.split('?')[0], metadata.authorization_endpoint)
    assert.deepEqual([query.code_challenge_method, query.scope, query.state], ['S256', 'catalog:read', pending.state])

    const tokens = await session.exchange(returned({ code: 'c', state: pending.state, iss: ISSUER }), pending)

    assert.deepEqual(tokens, {
      accessToken: 'sfat_1',
      refreshToken: 'sfrt_1',
      scope: 'catalog:read',
      expiresAt: 1_600_000,
    })
    assert.equal(posted[0]!.code_verifier, pending.codeVerifier)
    const proof = requests.at(-1)!.headers.get('dpop')!
    assert.equal(decodeJwt(proof).ath, undefined)
    assert.equal(await calculateJwkThumbprint(decodeProtectedHeader(proof).jwk!), query.dpop_jkt)
  })

  test('refuses a return with another state, of another issuer, or with an error', async () => {
    const { session, returned, requests } = await app()
    const { pending } = await session.authorize()
    const { state } = pending
    const cases = [
      [{ code: 'c', state: 'x', iss: ISSUER }, 'wrong_state'],
      [{ code: 'c', state, iss: 'https://evil.example' }, 'wrong_issuer'],
      [{ error: 'access_denied', state, iss: ISSUER }, 'access_denied'],
      [{ state, iss: ISSUER }, 'incomplete'],
    ] as const
    for (const [query, reason] of cases) {
      await assert.rejects(session.exchange(returned(query), pending), (error) => {
        return error instanceof RedirectError && error.reason === reason
      })
    }
    assert.equal(requests.length, 1, 'the metadata alone')
  })

  test('refreshes once for all callers before the token expires, and stores the successor', async () => {
    const { session, granted, advance, stored, posted, fetch: send, clock } = await app()
    await granted()
    advance(571_000)
    const shop = vitrine({ baseUrl, oauth: session, fetch: send, clock })
    await Promise.all([1, 2, 3].map(() => shop.getPublicCart({ params: { cartId: 'cart_1' } })))
    assert.deepEqual(
      posted.map(({ grant_type }) => grant_type),
      ['authorization_code', 'refresh_token'],
    )
    assert.deepEqual(
      stored.map((tokens) => tokens?.refreshToken),
      ['sfrt_1', 'sfrt_2'],
    )
  })

  /** An app whose token has expired, on a server that answers its refresh once `answer` is called. */
  async function refreshing(response?: Response) {
    const answer = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    const its = await app(async (request) => {
      const isRefresh = request.url.endsWith('/token') && (await request.clone().text()).includes('"refresh_token"')
      if (!isRefresh) return nothing()
      asked.resolve()
      await answer.promise
      return response ?? nothing()
    })
    await its.granted()
    its.advance(600_000)
    return { ...its, asked: asked.promise, answer: () => answer.resolve() }
  }

  test('the signal of a call ends its wait for a token, and not that of another call', async () => {
    const { session, asked, answer, fetch: send, clock } = await refreshing()
    const shop = vitrine({ baseUrl, oauth: session, fetch: send, clock })
    const read = (signal?: AbortSignal) =>
      shop.getPublicCart({ params: { cartId: 'cart_1' } }, signal === undefined ? {} : { signal })
    const stop = new AbortController()
    const [stopped, patient] = [read(stop.signal), read()]
    await asked
    stop.abort(new Error('enough'))
    const stillWaiting = new Promise((resolve) => setTimeout(resolve, 200, 'still waiting'))
    const ended = await Promise.race([stopped.catch((error: Error) => error.message), stillWaiting])
    answer()
    assert.equal(ended, 'enough')
    assert.deepEqual(await patient, { status: 'active' })
  })

  test('a grant that is exchanged during a refresh stays, and one that is revoked then is not stored', async () => {
    const regranted = await refreshing(refusal(400, 'oauth_invalid_grant'))
    const refused = assert.rejects(regranted.session.accessToken(), { code: 'oauth_invalid_grant' })
    await regranted.asked
    const { accessToken } = await regranted.granted()
    regranted.answer()
    await refused
    assert.equal(await regranted.session.accessToken(), accessToken)

    const revoked = await refreshing()
    const refreshed = revoked.session.accessToken()
    await revoked.asked
    await revoked.session.revoke()
    revoked.answer()
    await refreshed
    assert.equal(revoked.stored.at(-1), null)
  })

  test('a revoked grant stays revoked, however long its store takes to save that', async () => {
    const [begun, saved] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { session, granted } = await app(undefined, async (tokens) => {
      if (tokens !== null) return
      begun.resolve()
      await saved.promise
    })
    await granted()
    const revoked = session.revoke()
    await begun.promise
    const refused = assert.rejects(session.accessToken(), { reason: 'not_authorized' })
    await new Promise((resolve) => setTimeout(resolve, 20))
    saved.resolve()
    await Promise.all([revoked, refused])
    await assert.rejects(session.accessToken(), { reason: 'not_authorized' })
  })

  test('a grant that is revoked while its tokens are being saved is not stored', async () => {
    const saved = Promise.withResolvers<void>()
    const { session, granted, stored } = await app(undefined, (tokens) =>
      tokens === null ? Promise.resolve() : saved.promise,
    )
    const exchanged = granted()
    // The tokens are known as soon as the server has answered.
    while (!(await session.accessToken().catch(() => null))) await new Promise((resolve) => setTimeout(resolve, 5))
    const revoked = session.revoke()
    await new Promise((resolve) => setTimeout(resolve, 20))
    saved.resolve()
    await Promise.all([exchanged, revoked])
    assert.equal(stored.at(-1), null)
  })

  test('a refused token is refreshed for the next call, and the refused call is not repeated', async () => {
    let refusals = 1
    const {
      session,
      granted,
      requests,
      fetch: send,
      clock,
    } = await app(({ url }) =>
      url.includes('/open/') && refusals-- > 0 ? refusal(401, 'credential_expired') : nothing(),
    )
    await granted()
    const shop = vitrine({ baseUrl, oauth: session, fetch: send, clock })
    const call = () => shop.getPublicCart({ params: { cartId: 'cart_1' } })
    await assert.rejects(call(), { code: 'credential_expired' })
    await call()
    const authorization = requests.flatMap(({ headers }) => headers.get('authorization') ?? [])
    assert.deepEqual(authorization, ['DPoP sfat_1', 'DPoP sfat_2'])
  })

  test('a token request is repeated with the nonce of the server', async () => {
    const { granted, requests } = await app(({ url, headers }) => {
      const { nonce } = url.includes('/oauth/') ? decodeJwt(headers.get('dpop')!) : { nonce: 'n' }
      return nonce === 'n' ? nothing() : refusal(400, 'oauth_use_dpop_nonce', 'same_key', { 'dpop-nonce': 'n' })
    })
    assert.equal((await granted()).accessToken, 'sfat_1')
    assert.equal(requests.length, 3)
  })

  test('a grant that ended, or was revoked, is forgotten', async () => {
    const { session, granted, advance, stored } = await app(async (request) => {
      const isRefresh = request.url.endsWith('/token') && (await request.clone().text()).includes('"refresh_token"')
      return isRefresh ? refusal(400, 'oauth_invalid_grant') : nothing()
    })
    await granted()
    advance(600_000)
    await assert.rejects(session.accessToken(), { code: 'oauth_invalid_grant' })
    await assert.rejects(session.accessToken(), { reason: 'not_authorized' })

    const other = await app()
    await other.granted()
    await other.session.revoke()
    assert.equal(other.posted.at(-1)!.token, 'sfrt_1', 'a refresh token ends the grant')
    assert.deepEqual([stored.at(-1), other.stored.at(-1)], [null, null])
  })
})

describe('hosted login', () => {
  test('binds the return to its request by state and verifier', async () => {
    const bodies: Record<string, string>[] = []
    const { send } = served(async (request) => {
      bodies.push((await request.json()) as Record<string, string>)
      const data = request.url.endsWith('initiate')
        ? { loginSession: 'hls_1', loginUrl: 'u', expiresAt: 't' }
        : { customer: {} }
      return Response.json({ data })
    })
    const shop = vitrine({ baseUrl, key: 'k', privateKey: await generateKeyPair(), fetch: send })
    const login = hostedLogin(shop, baseUrl)

    const { pending, loginUrl } = await login.initiate({ returnUrl: 'https://app.example/return' })
    const back = (more: object) =>
      `https://app.example/return?${new URLSearchParams({ loginSession: 'hls_1', code: 'c', state: pending.state, iss: baseUrl, ...more })}`
    await login.consume(back({}), pending)

    assert.equal(loginUrl, 'u')
    const [asked, returned] = bodies
    const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(returned!.codeVerifier))
    assert.equal(asked!.codeChallenge, Buffer.from(hash).toString('base64url'))
    assert.deepEqual([returned!.loginSession, returned!.code, returned!.state], ['hls_1', 'c', asked!.state])
    await assert.rejects(login.consume(back({ state: 'x' }), pending), { reason: 'wrong_state' })
    await assert.rejects(login.consume(back({ iss: 'https://evil.example' }), pending), { reason: 'wrong_issuer' })
  })
})

describe('a quote', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  const { x } = publicKey.export({ format: 'jwk' }) as { x: string }
  const published: PublicKey[] = [{ kid: 'quote-1', kty: 'OKP', crv: 'Ed25519', x, alg: 'EdDSA', use: 'sig' }]
  const content = { id: 'quo_1', lines: [{ quantity: 2 }], totals: { total: { amount: 1999, currency: 'EUR' } } }

  function signed(key: KeyObject, members: object = content): CheckoutQuote {
    const payload = Buffer.from(JSON.stringify(content))
    const value = sign(null, payload, key).toString('base64url')
    const signature = { alg: 'EdDSA', kid: 'quote-1', payload: payload.toString('base64url'), value }
    return { ...members, status: 'in_force', signature } as unknown as CheckoutQuote
  }
  const refuses = (reason: string) => (error: unknown) =>
    error instanceof QuoteVerificationError && error.reason === reason

  test('is read from the bytes that were signed', async () => {
    assert.deepEqual(await verifyQuote(signed(privateKey), published), content)
    const reordered = Object.fromEntries(Object.entries(content).toReversed())
    assert.deepEqual(await verifyQuote(signed(privateKey, reordered), published), content)
  })

  test('is refused with another key, another signature, or a changed, missing or added member', async () => {
    const quote = signed(privateKey)
    await assert.rejects(verifyQuote(quote, []), refuses('unknown_key'))
    await assert.rejects(
      verifyQuote(signed(generateKeyPairSync('ed25519').privateKey), published),
      refuses('wrong_signature'),
    )
    for (const name of ['payload', 'value'] as const) {
      const broken = { ...quote, signature: { ...quote.signature, [name]: `${quote.signature[name]}!` } }
      await assert.rejects(verifyQuote(broken, published), refuses('wrong_signature'))
    }
    const { lines, ...shorter } = content
    const cheaper = { ...content, totals: { total: { amount: 1, currency: 'EUR' } } }
    for (const members of [cheaper, shorter, { ...content, gift: true }, { ...content, lines: [] }]) {
      await assert.rejects(verifyQuote(signed(privateKey, members), published), refuses('differs_from_payload'))
    }
    assert.equal(lines.length, 1)
  })
})
