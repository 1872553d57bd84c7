import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { cachedResponse, chooseEncoding, matchesEtag, ResponseCache, representationOf } from './response-cache.ts'

const LONG = Buffer.from(JSON.stringify({ data: 'mug '.repeat(2000) }))
const SHORT = Buffer.from('{"data":{}}')

const keptOf = (bytes: Buffer, subjects: readonly string[], revision: bigint, shared = true) =>
  cachedResponse('getStore', bytes, subjects, revision, shared)

/** Revisions that a test moves by hand. */
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

describe('the encoding of an answer', () => {
  const cases: readonly (readonly [string | undefined, 'identity' | 'gzip' | 'br'])[] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip', 'gzip'],
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

  test('holds the same bytes in each, under an ETag of its own', async () => {
    const answer = keptOf(LONG, ['catalog'], 1n)
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

  test('is made once and kept', async () => {
    const answer = keptOf(LONG, [], 1n)
    const [one, two] = await Promise.all([representationOf(answer, 'br'), representationOf(answer, 'br')])
    assert.equal(one, two)
    assert.equal(await representationOf(answer, 'br'), one)
  })

  test('is none for what fits a packet', async () => {
    assert.equal((await representationOf(keptOf(SHORT, [], 1n), 'br, gzip')).encoding, 'identity')
  })
})

describe('an ETag', () => {
  test('is that of the bytes: equal bytes have equal ones on every node, others have others', () => {
    const etagOf = (bytes: Buffer) => keptOf(bytes, [], 1n).identity.etag
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

describe('kept answers', () => {
  const answerAt =
    (known: ReturnType<typeof revisions>, bytes = SHORT) =>
    async () =>
      keptOf(bytes, ['catalog/a'], known.of('catalog/a'))

  test('are found until what they show has changed', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    const answer = await kept.render('/a', answerAt(known))
    assert.equal(kept.find('/a'), answer)

    known.bump('catalog/b')
    assert.equal(kept.find('/a'), answer, 'another subject')

    known.bump('catalog/a')
    assert.equal(kept.find('/a'), undefined)
    assert.equal(kept.find('/a'), undefined)
  })

  test('that were read before a change, and come after it, are never found', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    await kept.render('/a', async () => {
      const revision = known.of('catalog/a')
      known.bump('catalog/a')
      return keptOf(SHORT, ['catalog/a'], revision)
    })
    assert.equal(kept.find('/a'), undefined)
  })

  test('show several subjects, and are forgotten with any of them', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    const subjects = ['catalog/a', 'site']
    for (const subject of subjects) {
      await kept.render('/a', async () => keptOf(SHORT, subjects, kept.revisionOf(subjects)))
      assert(kept.find('/a'))
      known.bump(subject)
      assert.equal(kept.find('/a'), undefined)
    }
  })

  test('are rendered once for all who ask at the same time', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    let rendered = 0
    const produce = async () => {
      rendered += 1
      return keptOf(SHORT, ['catalog/a'], 0n)
    }
    const answers = await Promise.all(Array.from({ length: 50 }, () => kept.render('/a', produce)))
    assert.equal(rendered, 1)
    assert.equal(new Set(answers).size, 1)
  })

  test('are rendered anew for who asks after a change, while the old rendering still runs', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    const { promise, resolve } = Promise.withResolvers<void>()
    const old = kept.render('/a', async () => {
      await promise
      return keptOf(SHORT, ['catalog/a'], 0n)
    })
    known.bump('catalog/a')
    const fresh = await kept.render('/a', answerAt(known, LONG))
    resolve()
    await old
    assert.equal(fresh.identity.bytes, LONG)
    assert.notEqual(kept.find('/a')?.identity.bytes, SHORT)
  })

  test('for one caller alone are not kept, nor given to another who asks at the same time', async () => {
    const kept = new ResponseCache(revisions())
    const { promise, resolve } = Promise.withResolvers<void>()
    const ask = (who: string) =>
      kept.render(
        '/vault',
        async () => {
          await promise
          return keptOf(Buffer.from(who), ['catalog/a'], 0n, false)
        },
        who,
      )
    const asked = Promise.all(['sfg_a', 'sfg_b', ''].map(ask))
    resolve()
    assert.deepEqual(
      (await asked).map((answer) => String(answer.identity.bytes)),
      ['sfg_a', 'sfg_b', ''],
    )
    assert.equal(kept.find('/vault'), undefined)
  })

  test('keep no failure: who asks next has it rendered again', async () => {
    const known = revisions()
    const kept = new ResponseCache(known)
    const failing = () => kept.render('/a', () => Promise.reject(new Error('gone')))
    await assert.rejects(Promise.all([failing(), failing()]), /gone/)
    await kept.render('/a', answerAt(known))
    assert(kept.find('/a'))
  })

  test('stay below their bytes, forgetting what was asked for longest ago', async () => {
    const known = revisions()
    const bytesMax = 200_000
    const kept = new ResponseCache(known, bytesMax)
    for (let index = 0; index < 500; index += 1) {
      await kept.render(`/${index}`, answerAt(known, LONG))
      kept.find('/0')
      assert(kept.bytes <= bytesMax)
    }
    assert(kept.find('/0'), 'asked for all the time')
    assert(kept.find('/499'))
    assert.equal(kept.find('/1'), undefined)
  })

  test('do not keep an answer that is larger than all of them may be', async () => {
    const known = revisions()
    const kept = new ResponseCache(known, 5000)
    const answer = await kept.render('/a', answerAt(known, LONG))
    assert.equal(answer.identity.bytes, LONG)
    assert.equal(kept.find('/a'), undefined)
    assert.equal(kept.bytes, 0)
  })

  test('count their keys: a long address is no way to fill the memory', async () => {
    const known = revisions()
    const kept = new ResponseCache(known, 200_000)
    for (let index = 0; index < 100; index += 1) await kept.render(`${index}${'x'.repeat(10_000)}`, answerAt(known))
    assert(kept.bytes > 150_000 && kept.bytes <= 200_000)
  })
})
