import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { encodeBase32, ID_PREFIXES, idSource, uuidv7 } from './ids.ts'
import { systemRandomness } from './randomness.ts'

const uuid = (text: string) => Buffer.from(text.replaceAll('-', ''), 'hex')

describe('the base 32 of an id', () => {
  // https://github.com/jetify-com/typeid/blob/main/spec/valid.json
  const vectors: readonly (readonly [string, string])[] = [
    ['00000000-0000-0000-0000-000000000000', '00000000000000000000000000'],
    ['00000000-0000-0000-0000-000000000001', '00000000000000000000000001'],
    ['00000000-0000-0000-0000-00000000000a', '0000000000000000000000000a'],
    ['00000000-0000-0000-0000-000000000010', '0000000000000000000000000g'],
    ['00000000-0000-0000-0000-000000000020', '00000000000000000000000010'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', '7zzzzzzzzzzzzzzzzzzzzzzzzz'],
    ['0110c853-1d09-52d8-d73e-1194e95b5f19', '0123456789abcdefghjkmnpqrs'],
    ['01890a5d-ac96-774b-bcce-b302099a8057', '01h455vb4pex5vsknk084sn02q'],
  ]

  for (const [from, to] of vectors) test(`writes ${from} as ${to}`, () => assert.equal(encodeBase32(uuid(from)), to))

  test('keeps the order of the bytes', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 }).map((array) => Buffer.from(array))
    fc.assert(
      fc.property(bytes, bytes, (left, right) => {
        const texts = [encodeBase32(left), encodeBase32(right)] as const
        assert.equal(Math.sign(Buffer.compare(left, right)), texts[0] < texts[1] ? -1 : texts[0] > texts[1] ? 1 : 0)
      }),
    )
  })
})

describe('a UUIDv7', () => {
  test('matches RFC 9562, appendix A.6', () => {
    const random = uuid('000000000000-0cc3-18c4dc0c0c07398f')
    assert.equal(uuidv7(0x017f22e279b0, random).toString('hex'), '017f22e279b07cc398c4dc0c0c07398f')
  })

  test('has version and variant with any random bytes', () => {
    for (const byte of [0, 0xff]) {
      const bytes = uuidv7(0, Buffer.alloc(16, byte))
      assert.equal(bytes[6]! >> 4, 7)
      assert.equal(bytes[8]! >> 6, 2)
    }
  })
})

describe('an id', () => {
  test('is its prefix and 26 characters, the first of them at most 7', () => {
    const ids = idSource({ now: () => new Date('2026-05-04T12:00:00Z') }, systemRandomness())
    for (const prefix of ID_PREFIXES)
      assert.match(ids.next(prefix), new RegExp(`^${prefix}_[0-7][0-9a-hjkmnp-tv-z]{25}$`))
  })

  test('sorts after every id of an earlier millisecond', () => {
    let time = Date.parse('2026-05-04T12:00:00.000Z')
    const ids = idSource({ now: () => new Date(time++) }, systemRandomness())
    const made = Array.from({ length: 1000 }, () => ids.next('cart'))
    assert.deepEqual(made.toSorted(), made)
  })

  test('shares its time prefix with others of the same millisecond, and nothing else', () => {
    const ids = idSource({ now: () => new Date(0) }, systemRandomness())
    const [one, two] = [ids.next('evt'), ids.next('evt')]
    assert.equal(one.slice(0, 14), two.slice(0, 14))
    assert.notEqual(one.slice(14), two.slice(14))
  })

  test('is unique: ten thousand of one millisecond differ', () => {
    const ids = idSource({ now: () => new Date(0) }, systemRandomness())
    assert.equal(new Set(Array.from({ length: 10_000 }, () => ids.next('evt'))).size, 10_000)
  })
})
