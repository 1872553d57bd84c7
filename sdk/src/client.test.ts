import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { OutputOf, operations, PublicErrorResponse } from '@vitrine/contract'
import { decodeJwt } from 'jose'
import type { CallInput } from './client.ts'
import { UnreadableAnswer, VitrineError, vitrine } from './index.ts'
import type { PrivateJwk } from './proof.ts'

const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
const CART = { currency: 'EUR', country: 'DE' }

type Step = (request: Request) => Response | Promise<Response>

/** A server that runs one step per request and records the requests. */
function scripted(...steps: Step[]) {
  const requests: Request[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    requests.push(request)
    const step = steps[requests.length - 1]
    assert.ok(step, 'more requests than steps')
    return step(request)
  }
  const client = vitrine({ baseUrl: 'https://shop.example/', key: 'sfk_test_1', privateKey, fetch: send })
  return { client, requests }
}

const responds =
  (data: unknown, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json({ data }, { headers })

function refuses(status: number, code: string, more: Partial<PublicErrorResponse> = {}): Step {
  const retry = { advice: 'do_not_retry', afterMs: null }
  const body = { code, message: 'No.', status, requestId: 'req_1', outcome: 'not_applied', retry, details: [], ...more }
  return () => Response.json(body, { status, headers: { 'dpop-nonce': `nonce after ${code}` } })
}

const breaksConnection: Step = () => {
  throw new TypeError('fetch failed')
}

const nonceOf = (request: Request | undefined) => decodeJwt(request!.headers.get('dpop')!).nonce
const keysOf = (requests: readonly Request[]) => new Set(requests.map(({ headers }) => headers.get('idempotency-key')))

describe('vitrine client', () => {
  test('sends writes as JSON with an idempotency key and a proof for the URL without its query', async () => {
    const { client, requests } = scripted(responds({ id: 'cart_1' }))

    assert.deepEqual(await client.call('createPublicCart', { body: CART }), { id: 'cart_1' })

    const [request] = requests
    assert.equal(request!.method, 'POST')
    assert.equal(request!.url, 'https://shop.example/api/v1/open/storefront/carts')
    assert.deepEqual(await request!.json(), CART)
    assert.equal(request!.headers.get('authorization'), 'DPoP sfk_test_1')
    assert.equal(request!.headers.get('content-type'), 'application/json')
    assert.match(request!.headers.get('idempotency-key')!, /^[0-9a-f-]{36}$/)
    assert.equal(decodeJwt(request!.headers.get('dpop')!).htu, request!.url)
  })

  test('sends reads without a key or with only a key, and lists as repeated parameters', async () => {
    const requests: Request[] = []
    const send: typeof fetch = async (input, init) => {
      requests.push(new Request(input, init))
      return Response.json({ data: [], meta: { next: null } })
    }
    const baseUrl = 'https://shop.example'
    const query = { q: 'a & b', category: ['mugs', 'bowls'], limit: 2 }
    const answer = await vitrine({ baseUrl, fetch: send }).call('searchCatalogProducts', { query })
    await vitrine({ baseUrl, key: 'sfk_test_1', fetch: send }).call('getApiKeyIdentity')

    assert.deepEqual(answer, { data: [], meta: { next: null } }, 'returns a list with its meta')
    assert.equal(requests[0]!.url, `${baseUrl}/api/v1/search?q=a+%26+b&category=mugs&category=bowls&limit=2`)
    assert.equal(requests[0]!.headers.has('authorization'), false)
    assert.equal(requests[0]!.headers.has('idempotency-key'), false)
    assert.equal(requests[1]!.headers.get('authorization'), 'Bearer sfk_test_1')
  })

  test('encodes a path parameter as one segment', async () => {
    const { client, requests } = scripted(responds({}))
    await client.call('getPublicCart', { params: { cartId: 'a/b?c' } })
    assert.equal(new URL(requests[0]!.url).pathname, '/api/v1/open/storefront/carts/a%2Fb%3Fc')
    await assert.rejects(client.call('getPublicCart'), { message: 'getPublicCart needs params.cartId.' })
  })

  test('sends no path parameter that would lead to another operation', async () => {
    const { client, requests } = scripted(responds([]), responds([]), responds([]))
    for (const slug of ['..', '.', '']) {
      await assert.rejects(client.listStoreProducts({ params: { slug } }), { name: 'TypeError' }, slug)
      await assert.rejects(client.pages('listStoreProducts', { params: { slug } }).next(), { name: 'TypeError' }, slug)
    }
    assert.equal(requests.length, 0)
  })

  test('retries at once with the nonce from the response, and starts with the latest nonce after that', async () => {
    const { client, requests } = scripted(
      refuses(401, 'use_dpop_nonce'),
      responds({ id: 'cart_1' }, { 'dpop-nonce': 'a newer one' }),
      responds({ id: 'cart_2' }),
    )

    await client.call('createPublicCart', { body: CART })
    await client.call('createPublicCart', { body: CART })

    assert.deepEqual(requests.map(nonceOf), [undefined, 'nonce after use_dpop_nonce', 'a newer one'])
    assert.equal(keysOf(requests.slice(0, 2)).size, 1, 'one idempotency key per effect')
    assert.equal(keysOf(requests).size, 2, 'a new effect gets a new key')
  })

  test('retries with the same key if the connection breaks or the first attempt is still running', async () => {
    const { client, requests } = scripted(
      breaksConnection,
      refuses(409, 'idempotency_in_progress', { outcome: 'unknown', retry: { advice: 'same_key', afterMs: 1 } }),
      responds({ id: 'cart_1' }),
    )

    assert.deepEqual(await client.call('createPublicCart', { body: CART }, { idempotencyKey: 'mine' }), {
      id: 'cart_1',
    })

    assert.deepEqual([...keysOf(requests)], ['mine'])
    assert.equal(new Set(requests.map(({ headers }) => headers.get('dpop'))).size, 3, 'each attempt has its own proof')
  })

  test('throws a refusal without retrying', async () => {
    const { client, requests } = scripted(refuses(409, 'cart_locked', { conflict: { currentState: 'locked' } }))
    await assert.rejects(client.call('createPublicCart', { body: CART }), (error) => {
      assert.ok(error instanceof VitrineError)
      assert.equal(error.message, 'cart_locked: No.')
      assert.deepEqual(error.answer.conflict, { currentState: 'locked' })
      return true
    })
    assert.equal(requests.length, 1)
  })

  test('throws UnreadableAnswer for a response that is not from the API', async () => {
    const { client } = scripted(() => new Response('<h1>Not found</h1>', { status: 404 }))
    await assert.rejects(client.call('getApiKeyIdentity'), (error) => {
      assert.ok(error instanceof UnreadableAnswer)
      const says = 'https://shop.example/api/v1/open/identity answered 404 with something other than an API response.'
      assert.deepEqual([error.name, error.status, error.message], ['UnreadableAnswer', 404, says])
      return true
    })
  })

  test('retries if a gateway answers for an unavailable server', async () => {
    const away: Step = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const { client, requests } = scripted(away, responds({ id: 'cart_1' }))
    assert.deepEqual(await client.call('createPublicCart', { body: CART }), { id: 'cart_1' })
    assert.equal(keysOf(requests).size, 1)
  })

  test('stops without a retry when the signal aborts', async () => {
    const stop = new AbortController()
    const { client, requests } = scripted((request) => {
      stop.abort(new Error('enough'))
      throw request.signal.reason
    })
    await assert.rejects(client.call('createPublicCart', { body: CART }, { signal: stop.signal }), /enough/)
    assert.equal(requests.length, 1)
  })
})

/** Compile-time checks. */
type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Holds<Claim extends true> = Claim
type Rows = typeof operations
export type Guarantees = [
  Holds<Equal<NonNullable<CallInput<'getPublicCart'>['params']>, { cartId: string }>>,
  Holds<OutputOf<Rows['createPublicCart']> extends { id: string; version: number } ? true : false>,
  Holds<OutputOf<Rows['searchCatalogProducts']> extends { data: readonly unknown[]; meta: object } ? true : false>,
]

/** Never called: each marked line must fail to compile. */
export function mistakes(client: ReturnType<typeof vitrine>): unknown[] {
  return [
    // @ts-expect-error no such operation
    client.call('createCart'),
    // @ts-expect-error a cart needs a country
    client.call('createPublicCart', { body: { currency: 'EUR' } }),
    // @ts-expect-error the path parameter is cartId
    client.call('getPublicCart', { params: { id: 'cart_1' } }),
    // @ts-expect-error a quantity is a number
    client.call('addPublicCartItem', { params: { cartId: 'c' }, body: { skuId: 's', quantity: '1' } }),
  ]
}
