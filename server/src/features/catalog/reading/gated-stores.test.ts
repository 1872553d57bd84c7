import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { gate, PASSWORD, wayInto } from '../../../../../test/support/store-access.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const GATED = ['vault/products', 'vault/categories', 'vault/products/zephyrine'].map(
  (path) => `/api/v1/catalog/merchants/${path}`,
)
const [LIST = ''] = GATED

let world: World
let other: World
let vault: ReturnType<typeof wayInto>
before(async () => {
  world = await startWorld()
  other = await startWorld({ sharedWith: world })
  vault = wayInto('vault', world)
  await world.import([
    storeLine('open'),
    storeLine('vault'),
    storeLine('maze'),
    { type: 'category', path: ['lamps'], names: { en: 'Lamps' } },
    productLine('lamp', { store: 'open', slug: 'lamp', categories: [['lamps']] }),
    productLine('zephyrine', { store: 'vault', slug: 'zephyrine', categories: [['lamps']] }),
  ])
})

beforeEach(async () => {
  await gate(world, { slug: 'maze', mode: 'challenge' })
  await gate(world, { slug: 'vault', mode: 'password', password: PASSWORD }, [other])
})

const get = (path: string, token?: string, headers: Readonly<Record<string, string>> = {}, node = world) =>
  node.anonymous.get(path, { headers: { ...headers, ...(token !== undefined && { 'x-store-access': token }) } })

describe('a gated store', () => {
  test('is readable with a grant, on every node, and not without', async () => {
    const token = await vault.grant()
    for (const path of GATED) {
      for (const node of [world, other]) {
        assert.equal((await get(path, undefined, {}, node)).body.code, 'store_access_required')
        assert.equal((await get(path, token, {}, node)).status, 200)
        // A following request without a grant gets no cached response.
        for (const shown of [undefined, 'sfg_made.up', `${token}x`, '']) {
          const { status, body } = await get(path, shown, {}, node)
          assert.deepEqual([status, body.code], [403, 'store_access_required'])
        }
      }
    }
    assert.deepEqual(
      (await get(LIST, token)).body.data.map((product: { slug: string }) => product.slug),
      ['zephyrine'],
    )
  })

  test('is not readable by concurrent requests without a grant', async () => {
    const token = await vault.grant()
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => get(LIST, index % 2 ? token : undefined)),
    )
    assert.ok(answers.every(({ status }, index) => status === (index % 2 ? 200 : 403)))
  })

  test('refuses a grant that is for another store, for another purpose, or expired', async () => {
    const wrong = [await wayInto('maze', world).grant(), await vault.grant('register')]
    for (const token of wrong) assert.equal((await get(LIST, token)).body.code, 'store_access_required')
    const token = await vault.grant()
    const etag = String((await get(LIST, token)).headers.get('etag'))
    world.clock.advance(43_199_000)
    assert.equal((await get(LIST, token)).status, 200)
    world.clock.advance(1000)
    for (const headers of [{}, { 'if-none-match': etag }]) {
      assert.equal((await get(LIST, token, headers)).body.code, 'store_access_required')
    }
  })

  test('refuses all grants, on every node, once its password has changed', async () => {
    const token = await vault.grant()
    assert.equal((await get(LIST, token, {}, other)).status, 200)
    await gate(world, { slug: 'vault', mode: 'password', password: 'open barley' }, [other])
    for (const node of [world, other]) {
      assert.equal((await get(LIST, token, {}, node)).body.code, 'store_access_required')
      assert.equal((await get(LIST, await vault.grant('store_access', 'open barley'), {}, node)).status, 200)
    }
  })

  test('is closed at once to readers from the time when it was open, despite caches', async () => {
    await gate(world, { slug: 'vault', mode: 'open' }, [other])
    for (const node of [world, other]) {
      for (const token of [undefined, 'sfg_made.up']) {
        const { status, headers } = await get(LIST, token, {}, node)
        assert.deepEqual([status, headers.get('cache-control')?.startsWith('public')], [200, true])
      }
    }
    await gate(world, { slug: 'vault', mode: 'password' }, [other])
    for (const node of [world, other]) assert.equal((await get(LIST, undefined, {}, node)).status, 403)
  })

  test('responds with private, no-store, and an ETag for conditional requests with a grant', async () => {
    const token = await vault.grant()
    for (const path of GATED) {
      const answer = await get(path, token)
      const etag = String(answer.headers.get('etag'))
      assert.equal(answer.headers.get('cache-control'), 'private, no-store')
      assert.match(String(answer.headers.get('vary')), /X-Store-Access/)
      const again = await get(path, token, { 'if-none-match': etag })
      assert.deepEqual([again.status, again.text, again.headers.get('cache-control')], [304, '', 'private, no-store'])
      const head = await world.anonymous.request('HEAD', path, undefined, { headers: { 'x-store-access': token } })
      assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])
      const blind = await world.anonymous.request('HEAD', path, undefined, { headers: { 'if-none-match': etag } })
      assert.deepEqual([blind.status, blind.text], [403, ''])
    }
  })

  test('is in no list or search of the marketplace, even with a grant', async () => {
    const token = await vault.grant()
    for (const path of ['/api/v1/catalog/products', '/api/v1/search?q=product', '/api/v1/catalog/categories']) {
      const { status, text } = await get(path, token)
      assert.equal(status, 200)
      assert.doesNotMatch(text, /zephyrine|vault/i)
    }
    assert.equal((await get('/api/v1/catalog/products/zephyrine', token)).body.code, 'not_found')
  })
})
