import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { send } from '../support/network/send.ts'
import { checkError, pathOf, rows } from '../support/rows.ts'

const LIST = '/api/v1/catalog/products'
const STORE = '/api/v1/catalog/merchants/ceramics'

let shop: Shop
before(async () => {
  shop = await startShop()
})

/** The raw bytes of a response, before decompression. */
async function get(path: string, headers: Record<string, string> = {}) {
  const response = await fetchRaw(path, headers)
  return { ...response, etag: String(response.headers.etag) }
}

function fetchRaw(path: string, headers: Record<string, string>) {
  return send(shop.origin + path, 'GET', headers)
}

describe('a public read', () => {
  test('declares how long it may be cached, and what it varies by', async () => {
    for (const path of [LIST, STORE, '/api/v1/runtime-config', '/api/v1/search?q=mug']) {
      const { status, headers } = await get(path)
      assert.equal(status, 200)
      assert.match(String(headers['cache-control']), /^public, max-age=\d+, stale-while-revalidate=\d+$/)
      assert.equal(headers.vary, 'Accept-Encoding, Accept-Language, X-Store-Access')
      assert.match(String(headers.etag), /^"[^"]+"$/)
    }
  })

  test('is open to scripts of every origin, as are its errors', async () => {
    const good = await get(LIST, { origin: 'https://anywhere.example' })
    const bad = await get(`${LIST}?zz=1`, { origin: 'https://anywhere.example' })
    const gone = await get('/api/v1/catalog/products/nothing', { origin: 'https://anywhere.example' })
    assert.deepEqual([good.status, bad.status, gone.status], [200, 400, 404])
    for (const { headers } of [good, bad, gone]) {
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.match(String(headers['access-control-expose-headers']), /X-Request-Id, ETag/)
      assert(!('access-control-allow-credentials' in headers))
    }
  })

  test('has the same answer rendered and cached: HEAD and GET, plain and compressed', async () => {
    const path = `${LIST}?limit=3`
    for (const encoding of ['identity', 'gzip', 'br']) {
      const shown = async () => {
        const { status, headers, body } = await get(path, { 'accept-encoding': encoding })
        const { date: _date, 'x-request-id': id, ...rest } = headers
        assert.match(String(id), /^req_/)
        return { status, headers: rest, body }
      }
      const [first, second, third] = [await shown(), await shown(), await shown()]
      assert.deepEqual(second, first)
      assert.deepEqual(third, first)
      const { headers } = await send(shop.origin + path, 'HEAD', { 'accept-encoding': encoding })
      assert.equal(headers['content-length'], first.headers['content-length'])
      assert.equal(headers.etag, first.headers.etag)
    }
  })

  test('answers 304 to its own ETag: alone, in a list, weak, or *', async () => {
    const { etag } = await get(LIST)
    for (const header of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await get(LIST, { 'if-none-match': header })
      assert.deepEqual([again.status, again.text, again.etag], [304, '', etag], header)
      assert.match(String(again.headers['cache-control']), /^public/)
      assert.equal(again.headers.vary, 'Accept-Encoding, Accept-Language, X-Store-Access')
      assert(!('content-type' in again.headers))
    }
    assert.equal((await get(LIST, { 'if-none-match': '"other"' })).status, 200)
  })

  test('has another ETag after a change, and the old one gets 200 again', async () => {
    const before = await get(LIST)
    await shop.import(
      [
        {
          id: 'jug',
          names: { en: 'Jug' },
          skus: [{ code: 'JUG', prices: [{ currency: 'EUR', amount: 1 }], stock: 1 }],
        },
      ],
      'ceramics',
    )
    const after = await get(LIST, { 'if-none-match': before.etag })
    assert.equal(after.status, 200)
    assert.notEqual(after.etag, before.etag)
    assert.match(after.text, /jug/i)
  })

  test('keeps its ETag if only unrelated data changes', async () => {
    const before = await get(STORE)
    await shop.import(
      [
        {
          id: 'tale',
          names: { en: 'Tale' },
          skus: [{ code: 'TALE', prices: [{ currency: 'EUR', amount: 1 }], stock: 1 }],
        },
      ],
      'books',
    )
    assert.equal((await get(STORE, { 'if-none-match': before.etag })).status, 304)
  })

  test('is compressed as the caller accepts, with an ETag for each encoding', async () => {
    const bytes = new Map<string, Buffer>()
    const etags = new Set<string>()
    for (const encoding of ['identity', 'gzip', 'br']) {
      const response = await fetch(shop.origin + LIST, { headers: { 'accept-encoding': encoding } })
      etags.add(String(response.headers.get('etag')))
      bytes.set(encoding, Buffer.from(await response.arrayBuffer()))
      const { headers } = await get(LIST, { 'accept-encoding': encoding })
      assert.equal(headers['content-encoding'], encoding === 'identity' ? undefined : encoding)
    }
    // fetch decodes the body, so all three have the same text.
    assert.equal(new Set([...bytes.values()].map(String)).size, 1)
    assert.equal(etags.size, 3)
  })

  test('is valid gzip or brotli, smaller than the plain body', async () => {
    const plain = (await get(LIST)).text
    for (const [encoding, decode] of [
      ['gzip', gunzipSync],
      ['br', brotliDecompressSync],
    ] as const) {
      const sent = await bytesOf(LIST, { 'accept-encoding': encoding })
      assert.equal(decode(sent).toString(), plain)
      assert(sent.length < plain.length / 2)
    }
  })

  test("answers 304 for the ETag of the requested encoding, and 200 for another's", async () => {
    const { etag } = await get(LIST, { 'accept-encoding': 'br' })
    assert.equal((await get(LIST, { 'accept-encoding': 'br', 'if-none-match': etag })).status, 304)
    assert.equal((await get(LIST, { 'accept-encoding': 'gzip', 'if-none-match': etag })).status, 200)
  })

  test('is in the requested language', async () => {
    const product = '/api/v1/catalog/merchants/ceramics'
    const [en, de] = [await get(product, { 'accept-language': 'en' }), await get(product, { 'accept-language': 'de' })]
    assert.deepEqual([en.body.data.name, de.body.data.name], ['Ceramics', 'Keramik'])
    assert.notEqual(en.etag, de.etag)
  })

  test('ignores credentials', async () => {
    const { key } = await shop.client({ bound: false })
    const [plain, keyed] = [await get(LIST), await get(LIST, { authorization: `Bearer ${key}` })]
    assert.deepEqual([keyed.status, keyed.text], [200, plain.text])
    assert.equal((await get(LIST, { authorization: 'Basic nonsense' })).status, 200)
  })

  test('is not cached if it was refused', async () => {
    const { status, headers, body } = await get(`${LIST}?limit=0`)
    assert.equal(status, 400)
    assert(!('etag' in headers))
    checkError(status, headers, body)
  })

  for (const [id, row] of rows.filter(([, { auth, method }]) => auth.kind === 'public' && method === 'GET')) {
    test(`${id} answers a preflight request from anyone, without checking credentials`, async () => {
      const { status, headers } = await send(shop.origin + pathOf(row), 'OPTIONS', {
        origin: 'https://anywhere.example',
        'access-control-request-method': 'GET',
      })
      assert.equal(status, 204)
      assert.equal(headers['access-control-allow-origin'], '*')
      assert.equal(headers['access-control-allow-methods'], 'GET')
    })
  }
})

describe('a response to a credential', () => {
  const IDENTITY = '/api/v1/open/identity'

  test('is private, must not be stored, and has no ETag', async () => {
    const client = await shop.client()
    for (const path of [IDENTITY, '/api/v1/open/catalog/products']) {
      const { status, headers } = await client.get(path)
      assert.equal(status, 200)
      assert.equal(headers.get('cache-control'), 'private, no-store')
      assert.equal(headers.get('etag'), null)
      assert.equal(headers.get('access-control-allow-origin'), null)
    }
  })

  test("is open to scripts of the installation's own origins only, as are its errors", async () => {
    const client = await shop.client({ origins: ['https://app.example'] })
    const from = (origin: string, path = IDENTITY) => client.get(path, { headers: { origin } })
    const own = await from('https://app.example')
    assert.equal(own.headers.get('access-control-allow-origin'), 'https://app.example')
    assert.match(String(own.headers.get('access-control-expose-headers')), /DPoP-Nonce/)
    assert.match(String(own.headers.get('vary')), /Origin/)
    const refused = await from('https://app.example', `${IDENTITY}?zz=1`)
    assert.equal(refused.headers.get('access-control-allow-origin'), 'https://app.example')
    for (const origin of ['https://evil.example', 'https://app.example.evil.example', 'null', 'http://app.example']) {
      assert.equal((await from(origin)).headers.get('access-control-allow-origin'), null, origin)
    }
  })

  test('passes a preflight request of known origins only', async () => {
    await shop.client({ origins: ['https://other.example'] })
    const preflight = (origin: string) =>
      send(`${shop.origin}/api/v1/open/storefront/carts`, 'OPTIONS', {
        origin,
        'access-control-request-method': 'POST',
      })
    const known = await preflight('https://other.example')
    assert.equal(known.headers['access-control-allow-origin'], 'https://other.example')
    assert.match(String(known.headers['access-control-allow-headers']), /Idempotency-Key/)
    assert.match(String(known.headers['access-control-allow-headers']), /DPoP/)
    assert.equal((await preflight('https://evil.example')).headers['access-control-allow-origin'], undefined)
  })
})

/** The raw response, undecoded. */
async function bytesOf(path: string, headers: Record<string, string>): Promise<Buffer> {
  const { get: httpGet } = await import('node:http')
  return new Promise((resolve, reject) => {
    httpGet(shop.origin + path, { headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => resolve(Buffer.concat(chunks)))
    }).on('error', reject)
  })
}
