import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { cachedResponse, chooseEncoding, matchesEtag, ResponseCache, representationOf } from './response-cache.ts'

const LONG = Buffer.from(JSON.stringify({ data: 'mug '.repeat(2000) }))
const SHORT = Buffer.from('{"data":{}}')

const cachedOf = (bytes: Buffer, subjects: readonly string[], revision: bigint, shared = true) =>
  cachedResponse(bytes, { operationId: 'getStore', subjects, revision, shared, ownHeaders: {}, onAnswer: null })

/** Revisions that a test increments. */
function revisions() {
  const known = new Map<string, bigint>()
  return {
    of: (subject: string) => known.get(subject) ?? 0n,
    get stamp() {
      return String([...known.values()].reduce((sum, each) => sum + each, 0n))
    },
    bump: (subject: string) => known.set(subject, (known.get(subject) ?? 0n) + 1n),
  }
}

describe('the encoding of a response', () => {
  const cases: readonly (readonly [string | undefined, 'identity' | 'gzip' | 'br'])[] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
    ['identity, gzip;q=0.5', 'identity'],
    ['gzip, br;q=0.9, identity;q=0.9', 'gzip'],
    ['br;q=0.2, gzip;q=0.5, *;q=0.1', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.5', 'gzip'],
    ['gzip;q=0.5, br;q=0.5', 'br'],
    ['GZIP', 'gzip'],
    ['br ; q=0.1', 'br'],
    ['br;q=0', 'identity'],
    ['br;q=0, gzip', 'gzip'],
    ['*', 'br'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['identity', 'identity'],
    ['deflate, zstd', 'identity'],
    [';;;,,,q=1', 'identity'],
  ]
  for (const [header, encoding] of cases) {
    test(`is ${encoding} for ${JSON.stringify(header)}`, () => assert.equal(chooseEncoding(header), encoding))
  }

  test('changes the ETag, not the decoded bytes', async () => {
    const answer = cachedOf(LONG, ['catalog'], 1n)
    const [plain, gzip, br] = await Promise.all(
      [undefined, 'gzip', 'br'].map((header) => representationOf(answer, header)),
    )
    assert(plain && gzip && br)
    assert.deepEqual(plain.bytes, LONG)
    assert.deepEqual(gunzipSync(gzip.bytes), LONG)
    assert.deepEqual(brotliDecompressSync(br.bytes), LONG)
    assert.equal(new Set([plain.etag, gzip.etag, br.etag]).size, 3)
    for (const { etag } of [plain, gzip, br]) assert.match(etag, /^"[\x21\x23-\x7e]+"$/)
  })

  test('finds a repetition at the other end of a response, whatever its length', async () => {
    for (const length of [1024, 2 ** 14 - 16, 2 ** 14 - 15, 2 ** 16, 2 ** 17, 2 ** 20]) {
      const apart = createHash('sha256').update(String(length)).digest('base64')
      const bytes = Buffer.from(apart.padEnd(length - apart.length, '.') + apart)
      const br = await representationOf(cachedOf(bytes, [], 1n), 'br')
      assert.deepEqual(brotliDecompressSync(br.bytes), bytes)
      assert(br.bytes.length < 100, `${length} bytes became ${br.bytes.length}`)
    }
  })

  test('is compressed once', async () => {
    const answer = cachedOf(LONG, [], 1n)
    const [one, two] = await Promise.all([representationOf(answer, 'br'), representationOf(answer, 'br')])
    assert.equal(one, two)
    assert.equal(await representationOf(answer, 'br'), one)
  })

  test('is identity for a response that fits into a packet', async () => {
    assert.equal((await representationOf(cachedOf(SHORT, [], 1n), 'br, gzip')).encoding, 'identity')
  })
})

describe('an ETag', () => {
  test('is derived from the bytes: equal on every node for equal bytes only', () => {
    const etagOf = (bytes: Buffer) => cachedOf(bytes, [], 1n).identity.etag
    assert.equal(etagOf(LONG), etagOf(Buffer.from(LONG)))
    assert.notEqual(etagOf(LONG), etagOf(SHORT))
  })

  const cases: readonly (readonly [string | undefined, boolean, string])[] = [
    [undefined, false, 'absent'],
    ['', false, 'empty'],
    ['"a"', true, 'equal'],
    ['W/"a"', true, 'equal and weak, which If-None-Match compares alike'],
    ['"b", "a"', true, 'in a list'],
    ['"b",W/"a"', true, 'weak in a list'],
    ['*', true, 'any'],
    [' * ', true, 'any, with spaces'],
    ['"b"', false, 'another'],
    ['a', false, 'without its quotes'],
    ['"A"', false, 'in another case'],
    ['"a', false, 'cut off'],
  ]
  for (const [header, matches, what] of cases) {
    test(`${matches ? 'matches' : 'does not match'} ${what}`, () => assert.equal(matchesEtag(header, '"a"'), matches))
  }
})

describe('cached responses', () => {
  const answerAt =
    (known: ReturnType<typeof revisions>, bytes = SHORT) =>
    async () =>
      cachedOf(bytes, ['catalog/a'], known.of('catalog/a'))

  test('are found until a subject changes', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    const answer = await cache.render('/a', answerAt(known))
    assert.equal(cache.find('/a'), answer)

    known.bump('catalog/b')
    assert.equal(cache.find('/a'), answer, 'another subject')

    known.bump('catalog/a')
    assert.equal(cache.find('/a'), undefined)
    assert.equal(cache.find('/a'), undefined)
  })

  test('that were read before a change and added after it are never found', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    await cache.render('/a', async () => {
      const revision = known.of('catalog/a')
      known.bump('catalog/a')
      return cachedOf(SHORT, ['catalog/a'], revision)
    })
    assert.equal(cache.find('/a'), undefined)
  })

  test('with several subjects are dropped when any of them changes', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    const subjects = ['catalog/a', 'site']
    for (const subject of subjects) {
      await cache.render('/a', async () => cachedOf(SHORT, subjects, cache.revisionOf(subjects)))
      assert(cache.find('/a'))
      known.bump(subject)
      assert.equal(cache.find('/a'), undefined)
    }
  })

  test('are rendered once for all concurrent requests', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    let rendered = 0
    const produce = async () => {
      rendered += 1
      return cachedOf(SHORT, ['catalog/a'], 0n)
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => cache.render('/a', produce)))
    assert.equal(rendered, 1)
    assert.equal(new Set(answers).size, 1)
  })

  test('are rendered again for a request after a change, even while the old rendering runs', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    const { promise, resolve } = Promise.withResolvers<void>()
    const old = cache.render('/a', async () => {
      await promise
      return cachedOf(SHORT, ['catalog/a'], 0n)
    })
    known.bump('catalog/a')
    const fresh = await cache.render('/a', answerAt(known, LONG))
    resolve()
    await old
    assert.equal(fresh.identity.bytes, LONG)
    assert.notEqual(cache.find('/a')?.identity.bytes, SHORT)
  })

  test('exclude private responses, which concurrent requests do not share', async () => {
    const cache = new ResponseCache(revisions())
    const { promise, resolve } = Promise.withResolvers<void>()
    const ask = (who: string) =>
      cache.render(
        '/vault',
        async () => {
          await promise
          return cachedOf(Buffer.from(who), ['catalog/a'], 0n, false)
        },
        who,
      )
    const asked = Promise.all(['sfg_a', 'sfg_b', ''].map(ask))
    resolve()
    assert.deepEqual(
      (await asked).map((answer) => String(answer.identity.bytes)),
      ['sfg_a', 'sfg_b', ''],
    )
    assert.equal(cache.find('/vault'), undefined)
  })

  test('exclude failures: the next request renders again', async () => {
    const known = revisions()
    const cache = new ResponseCache(known)
    const failing = () => cache.render('/a', () => Promise.reject(new Error('gone')))
    await assert.rejects(Promise.all([failing(), failing()]), /gone/)
    await cache.render('/a', answerAt(known))
    assert(cache.find('/a'))
  })

  test('stay below the limit of bytes, dropping the least recently used', async () => {
    const known = revisions()
    const bytesMax = 200_000
    const cache = new ResponseCache(known, bytesMax)
    for (let index = 0; index < 500; index += 1) {
      await cache.render(`/${index}`, answerAt(known, LONG))
      cache.find('/0')
      assert(cache.bytes <= bytesMax)
    }
    assert(cache.find('/0'), 'requested all the time')
    assert(cache.find('/499'))
    assert.equal(cache.find('/1'), undefined)
  })

  test('exclude a response that is larger than the whole cache', async () => {
    const known = revisions()
    const cache = new ResponseCache(known, 5000)
    const answer = await cache.render('/a', answerAt(known, LONG))
    assert.equal(answer.identity.bytes, LONG)
    assert.equal(cache.find('/a'), undefined)
    assert.equal(cache.bytes, 0)
  })

  test('count their keys: long URLs cannot fill the memory', async () => {
    const known = revisions()
    const cache = new ResponseCache(known, 200_000)
    for (let index = 0; index < 100; index += 1) await cache.render(`${index}${'x'.repeat(10_000)}`, answerAt(known))
    assert(cache.bytes > 150_000 && cache.bytes <= 200_000)
  })
})
