import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { OutputOf, operations, PublicErrorResponse } from '@vitrine/contract'
import { decodeJwt } from 'jose'
import { type CallInput, VitrineError, vitrine } from './client.ts'
import type { PrivateJwk } from './proof.ts'

const privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
const CART = { currency: 'EUR', country: 'DE' }

type Step = (request: Request) => Response | Promise<Response>

/** A server that answers one step after the other, and keeps what it was asked. */
function scripted(...steps: Step[]) {
  const asked: Request[] = []
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    asked.push(request)
    const step = steps[asked.length - 1]
    assert.ok(step, 'the server was asked more often than it should be')
    return step(request)
  }
  const client = vitrine({ baseUrl: 'https://shop.example/', key: 'sfk_test_1', privateKey, fetch: send })
  return { client, asked }
}

const answers =
  (data: unknown, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json({ data }, { headers })

function refuses(status: number, code: string, more: Partial<PublicErrorResponse> = {}): Step {
  const retry = { advice: 'do_not_retry', afterMs: null }
  const body = { code, message: 'No.', status, requestId: 'req_1', outcome: 'not_applied', retry, details: [], ...more }
  return () => Response.json(body, { status, headers: { 'dpop-nonce': `nonce after ${code}` } })
}

const breaks: Step = () => {
  throw new TypeError('fetch failed')
}

const nonceOf = (request: Request | undefined) => decodeJwt(request!.headers.get('dpop')!).nonce
const keysOf = (asked: readonly Request[]) => new Set(asked.map(({ headers }) => headers.get('idempotency-key')))

describe('the client', () => {
  test('writes with a proof for the address without its query, JSON, and a key that names the effect', async () => {
    const { client, asked } = scripted(answers({ id: 'cart_1' }))

    assert.deepEqual(await client.call('createPublicCart', { body: CART }), { id: 'cart_1' })

    const [request] = asked
    assert.equal(request!.method, 'POST')
    assert.equal(request!.url, 'https://shop.example/api/v1/open/storefront/carts')
    assert.deepEqual(await request!.json(), CART)
    assert.equal(request!.headers.get('authorization'), 'DPoP sfk_test_1')
    assert.equal(request!.headers.get('content-type'), 'application/json')
    assert.match(request!.headers.get('idempotency-key')!, /^[0-9a-f-]{36}$/)
    assert.equal(decodeJwt(request!.headers.get('dpop')!).htu, request!.url)
  })

  test('reads with what it was given: no key, or a key alone, and lists as repeated parameters', async () => {
    const asked: Request[] = []
    const send: typeof fetch = async (input, init) => {
      asked.push(new Request(input, init))
      return Response.json({ data: [], meta: { next: null } })
    }
    const baseUrl = 'https://shop.example'
    const query = { q: 'a & b', category: ['mugs', 'bowls'], limit: 2 }
    const answer = await vitrine({ baseUrl, fetch: send }).call('searchCatalogProducts', { query })
    await vitrine({ baseUrl, key: 'sfk_test_1', fetch: send }).call('getApiKeyIdentity')

    assert.deepEqual(answer, { data: [], meta: { next: null } }, 'a list comes with its meta')
    assert.equal(asked[0]!.url, `${baseUrl}/api/v1/search?q=a+%26+b&category=mugs&category=bowls&limit=2`)
    assert.equal(asked[0]!.headers.has('authorization'), false)
    assert.equal(asked[0]!.headers.has('idempotency-key'), false)
    assert.equal(asked[1]!.headers.get('authorization'), 'Bearer sfk_test_1')
  })

  test('writes what stands in a path as one part of it', async () => {
    const { client, asked } = scripted(answers({}))
    await client.call('getPublicCart', { params: { cartId: 'a/b?c' } })
    assert.equal(new URL(asked[0]!.url).pathname, '/api/v1/open/storefront/carts/a%2Fb%3Fc')
    await assert.rejects(client.call('getPublicCart'), { message: 'getPublicCart needs params.cartId.' })
  })

  test('takes the nonce it is told, asks again at once, and begins with the last nonce from then on', async () => {
    const { client, asked } = scripted(
      refuses(401, 'use_dpop_nonce'),
      answers({ id: 'cart_1' }, { 'dpop-nonce': 'a newer one' }),
      answers({ id: 'cart_2' }),
    )

    await client.call('createPublicCart', { body: CART })
    await client.call('createPublicCart', { body: CART })

    assert.deepEqual(asked.map(nonceOf), [undefined, 'nonce after use_dpop_nonce', 'a newer one'])
    assert.equal(keysOf(asked.slice(0, 2)).size, 1, 'one effect, one key')
    assert.equal(keysOf(asked).size, 2, 'another effect, another key')
  })

  test('asks again under the same key where the connection broke or the first try is still at work', async () => {
    const { client, asked } = scripted(
      breaks,
      refuses(409, 'idempotency_in_progress', { outcome: 'unknown', retry: { advice: 'same_key', afterMs: 1 } }),
      answers({ id: 'cart_1' }),
    )

    assert.deepEqual(await client.call('createPublicCart', { body: CART }, { idempotencyKey: 'mine' }), {
      id: 'cart_1',
    })

    assert.deepEqual([...keysOf(asked)], ['mine'])
    assert.equal(new Set(asked.map(({ headers }) => headers.get('dpop'))).size, 3, 'each with a proof of its own')
  })

  test('gives a refusal as it is, and asks no more', async () => {
    const { client, asked } = scripted(refuses(409, 'cart_locked', { conflict: { currentState: 'locked' } }))
    await assert.rejects(client.call('createPublicCart', { body: CART }), (error) => {
      assert.ok(error instanceof VitrineError)
      assert.equal(error.message, 'cart_locked: No.')
      assert.deepEqual(error.answer.conflict, { currentState: 'locked' })
      return true
    })
    assert.equal(asked.length, 1)
  })

  test('says that the server answered something else where it is not ours that answers', async () => {
    const { client } = scripted(() => new Response('<h1>Not found</h1>', { status: 404 }))
    await assert.rejects(client.call('getApiKeyIdentity'), {
      name: 'UnreadableAnswer',
      message: 'https://shop.example/api/v1/open/identity answered 404 with something that is not the contract’s JSON.',
    })
  })

  test('asks again where a gateway answers for a server that is away for a moment', async () => {
    const away: Step = () => new Response('<h1>Bad gateway</h1>', { status: 502 })
    const { client, asked } = scripted(away, answers({ id: 'cart_1' }))
    assert.deepEqual(await client.call('createPublicCart', { body: CART }), { id: 'cart_1' })
    assert.equal(keysOf(asked).size, 1)
  })

  test('ends when it is told to, and does not try again', async () => {
    const stop = new AbortController()
    const { client, asked } = scripted((request) => {
      stop.abort(new Error('enough'))
      throw request.signal.reason
    })
    await assert.rejects(client.call('createPublicCart', { body: CART }, { signal: stop.signal }), /enough/)
    assert.equal(asked.length, 1)
  })
})

/** Types that hold where this compiles. */
type Equal<One, Other> = (<T>() => T extends One ? 1 : 2) extends <T>() => T extends Other ? 1 : 2 ? true : false
type Holds<Claim extends true> = Claim
type Rows = typeof operations
export type Guarantees = [
  Holds<Equal<NonNullable<CallInput<'getPublicCart'>['params']>, { cartId: string }>>,
  Holds<OutputOf<Rows['createPublicCart']> extends { id: string; version: number } ? true : false>,
  Holds<OutputOf<Rows['searchCatalogProducts']> extends { data: readonly unknown[]; meta: object } ? true : false>,
]

/** Never called: each marked line must not compile. */
export function mistakes(client: ReturnType<typeof vitrine>): unknown[] {
  return [
    // @ts-expect-error there is no such operation
    client.call('createCart'),
    // @ts-expect-error a cart has a country
    client.call('createPublicCart', { body: { currency: 'EUR' } }),
    // @ts-expect-error the part of the path is called cartId
    client.call('getPublicCart', { params: { id: 'cart_1' } }),
    // @ts-expect-error a quantity is a number
    client.call('addPublicCartItem', { params: { cartId: 'c' }, body: { skuId: 's', quantity: '1' } }),
  ]
}
