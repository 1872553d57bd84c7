import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deprecate } from '../support/deprecated.ts'
import { send } from '../support/network/send.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

let world: World
let client: InstallationClient
before(async () => {
  const restore = deprecate('getRuntimeConfig', 'getPublicCart', 'createPublicCart')
  try {
    // The doors read the rows once.
    world = await startWorld()
  } finally {
    restore()
  }
  client = await world.client()
})

const HEADERS = ['@1767225600', 'Wed, 30 Jun 2027 23:59:59 GMT', '</docs/next>; rel="deprecation"; type="text/html"']

describe('a deprecated operation', () => {
  test('has the headers on a public read: rendered, cached, compressed and unchanged', async () => {
    const url = `${world.origin}/api/v1/runtime-config`
    const announced = async (headers: Record<string, string>) => {
      const response = await send(url, 'GET', headers)
      const { deprecation, sunset, link, etag } = response.headers
      assert.deepEqual([deprecation, sunset, link], HEADERS, JSON.stringify(headers))
      return { status: response.status, etag: String(etag) }
    }
    const { etag } = await announced({})
    await announced({})
    await announced({ 'accept-encoding': 'br' })
    assert.equal((await announced({ 'if-none-match': etag })).status, 304)
    const { headers } = await send(url, 'GET', { origin: 'https://anywhere.example' })
    assert.match(String(headers['access-control-expose-headers']), /Deprecation, Sunset, Link/)
  })

  test('has the headers with a credential, in refusals too', async () => {
    const answers = [
      await client.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE' }),
      await client.get('/api/v1/open/storefront/carts/cart_01k5b7m2q8e9rtv3w4x5y6z7a8'),
      await client.post('/api/v1/open/storefront/carts', {}),
    ]
    for (const { headers, text } of answers) {
      assert.deepEqual(
        ['deprecation', 'sunset', 'link'].map((name) => headers.get(name)),
        HEADERS,
        text,
      )
    }
  })

  test('does not affect other operations: they have no such headers', async () => {
    for (const path of ['/api/v1/open/identity', '/api/v1/bootstrap']) {
      const { headers } = await client.get(path)
      assert.deepEqual([headers.get('deprecation'), headers.get('sunset')], [null, null])
    }
  })
})
