import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { codePoints } from '../../../test/support/code-points.ts'
import { canonicalJson } from './json.ts'

const values = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: codePoints }),
    fc.array(tie('value')),
    fc.dictionary(fc.string({ unit: codePoints }), tie('value')),
  ),
})).value

describe('canonical JSON', () => {
  test('sorts members by UTF-16 code units and writes no spaces: RFC 8785 §3.2.3', () => {
    const members = { '€': 1, '\r': 2, '\ufb33': 3, '1': 4, '😂': 5, '\u0080': 6, ö: 7 }
    assert.equal(canonicalJson(members), '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😂":5,"\ufb33":3}')
  })

  test('does not depend on the order of members', () =>
    assert.equal(
      canonicalJson({ b: [1, { d: 2, c: 3 }], a: null }),
      canonicalJson({ a: null, b: [1, { c: 3, d: 2 }] }),
    ))

  test('keeps the order of lists', () => assert.notEqual(canonicalJson([1, 2]), canonicalJson([2, 1])))

  test('omits undefined members, and keeps null ones', () =>
    assert.equal(canonicalJson({ a: undefined, b: null }), '{"b":null}'))

  test('writes a bigint as an integer', () => assert.equal(canonicalJson({ amount: 1364n }), '{"amount":1364}'))

  test('writes negative zero as 0', () => assert.equal(canonicalJson(-0), '0'))

  test('rejects what JSON cannot represent exactly', () => {
    for (const wrong of [0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, 2n ** 53n]) {
      assert.throws(() => canonicalJson(wrong), /an exact integer/)
    }
    for (const wrong of [new Map(), new Date(0), undefined]) assert.throws(() => canonicalJson(wrong), /a plain object/)
  })

  test('reads back as the same value, and different values have different texts', () =>
    fc.assert(
      fc.property(values, values, (one, other) => {
        assert.deepEqual(canonicalJson(JSON.parse(canonicalJson(one))), canonicalJson(one))
        assert.equal(canonicalJson(one) === canonicalJson(other), isDeepStrictEqual(parsed(one), parsed(other)))
      }),
      { numRuns: 1000 },
    ))
})

/** The value after a round trip through JSON. */
function parsed(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
