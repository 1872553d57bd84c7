import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, makeProof } from '../support/client.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { startWorld, type World } from '../support/world.ts'

/** Two nodes that share only PostgreSQL. */
const RATE_LIMITS = JSON.stringify({ 'key-read': { limit: 60, windowSeconds: 60, burst: 40 } })
const CART = { currency: 'EUR', country: 'DE' }

let shop: Shop
let other: World
before(async () => {
  shop = await startShop({ environment: { RATE_LIMITS } })
  other = await startWorld({ sharedWith: shop, environment: { RATE_LIMITS } })
})

type Client = Awaited<ReturnType<Shop['client']>>
const nodes = () => [shop, other] as const

/** Sends a request to one node with a given proof. */
async function send(
  node: World,
  client: Client,
  method: string,
  path: string,
  more: { nonce?: string; jti?: string; key?: string } = {},
) {
  assert(client.proof && client.key)
  const { nonce, jti, key } = more
  const claims = {
    method,
    url: shop.publicUrl + path,
    token: client.key,
    nonce,
    now: shop.clock.now(),
    ...(jti && { jti }),
  }
  const headers = { authorization: `DPoP ${client.key}`, dpop: await makeProof(client.proof, claims) }
  const body = method === 'POST' ? CART : undefined
  return node.anonymous.request(method, path, body, { headers, ...(key && { key }) })
}

const nonceOf = (answer: Answer) => answer.headers.get('dpop-nonce') ?? assert.fail('no nonce')

describe('two nodes', () => {
  test("accept each other's nonces", async () => {
    const client = await shop.client()
    const nonce = nonceOf(await send(shop, client, 'GET', '/api/v1/open/identity'))
    assert.equal((await send(other, client, 'POST', CARTS, { nonce })).status, 200)
  })

  test('accept a proof once between them', async () => {
    const client = await shop.client()
    const nonce = nonceOf(await send(shop, client, 'GET', '/api/v1/open/identity'))
    const sent = nodes().flatMap((node) =>
      [1, 2, 3].map(() => send(node, client, 'POST', CARTS, { nonce, jti: 'once' })),
    )
    const statuses = (await Promise.all(sent)).map((answer) => answer.status).sort()
    assert.deepEqual(statuses, [200, 401, 401, 401, 401, 401])
  })

  test('execute a request once between them and return the same response', async () => {
    const client = await shop.client()
    const nonce = nonceOf(await send(shop, client, 'GET', '/api/v1/open/identity'))
    const insist = async (node: World): Promise<Answer> => {
      for (;;) {
        const answer = await send(node, client, 'POST', CARTS, { nonce, key: 'once' })
        if (answer.body.code !== 'idempotency_in_progress') return answer
      }
    }
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => insist(nodes()[index % 2] as World)))
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    assert.equal(
      (await shop.query('select id from carts where installation_id = $1', [client.installationId])).length,
      1,
    )
  })

  test('refuse a revoked key at once', async () => {
    const client = await shop.client()
    const nonce = nonceOf(await send(shop, client, 'GET', '/api/v1/open/identity'))
    const write = (node: World, key: string) => send(node, client, 'POST', CARTS, { nonce, key })
    for (const [index, node] of nodes().entries()) {
      assert.equal((await send(node, client, 'GET', '/api/v1/open/identity')).status, 200)
      assert.equal((await write(node, `before-${index}`)).status, 200)
    }
    await shop.run('update api_keys set revoked_at = $2 where id = $1', [client.keyId, shop.clock.now()])
    for (const node of nodes()) {
      const { body } = await send(node, client, 'GET', '/api/v1/open/identity')
      assert.equal(body.code, 'credential_revoked')
      assert.equal((await write(node, 'after')).body.code, 'credential_revoked')
    }
  })

  test('share one rate limit', async () => {
    const client = await shop.client({ bound: false })
    const headers = { authorization: `Bearer ${client.key}` }
    const asked = Array.from({ length: 80 }, (_, index) =>
      (nodes()[index % 2] as World).anonymous.get('/api/v1/open/identity', { headers }),
    )
    const passed = (await Promise.all(asked)).filter((answer) => answer.status === 200)
    assert.equal(passed.length, 40)
  })

  test('show a change made on the other node after the next poll at the latest', async () => {
    const path = '/api/v1/catalog/products'
    const before = await other.anonymous.get(path)
    const line = {
      id: 'teapot',
      names: { en: 'Teapot' },
      skus: [{ code: 'TEAPOT', prices: [{ currency: 'EUR', amount: 1 }], stock: 1 }],
    }
    await shop.import([line], 'ceramics')
    await other.refresh()
    const after = await other.anonymous.get(path)
    assert.notEqual(after.headers.get('etag'), before.headers.get('etag'))
    assert.match(after.text, /Teapot/)
  })

  test('return the same ETag for a public response', async () => {
    const [one, two] = await Promise.all(nodes().map((node) => node.anonymous.get('/api/v1/catalog/products')))
    assert.equal(one?.headers.get('etag'), two?.headers.get('etag'))
    assert.equal(one?.text, two?.text)
  })
})
