import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { base32, matchingStep, totpCode, totpStep, totpUri } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')
const at = (seconds: number) => new Date(seconds * 1000)

describe('time-based codes', () => {
  // RFC 6238, appendix B, SHA-1.
  for (const [seconds, code] of [
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ] as const) {
    test(`are those of RFC 6238 at ${seconds} s`, () => {
      assert.equal(totpCode(SECRET, totpStep(at(seconds)), 8), code)
    })
  }

  test('are accepted up to one step early or late, and only once', () => {
    const now = at(1_234_567_890)
    const step = totpStep(now)
    const match = (of: number, lastStep = 0) => matchingStep(SECRET, totpCode(SECRET, of), { now, lastStep })
    assert.deepEqual(
      [-2, -1, 0, 1, 2].map((drift) => match(step + drift)),
      [null, step - 1, step, step + 1, null],
    )
    assert.equal(match(step, step), null)
    assert.equal(match(step, step - 1), step)
    assert.equal(match(step - 1, step), null, 'an older code than the last one')
  })

  test('have a secret in base 32, as in RFC 4648', () => {
    for (const [plain, text] of [
      ['', ''],
      ['f', 'MY'],
      ['fo', 'MZXQ'],
      ['foo', 'MZXW6'],
      ['foob', 'MZXW6YQ'],
      ['fooba', 'MZXW6YTB'],
      ['foobar', 'MZXW6YTBOI'],
    ] as const) {
      assert.equal(base32(Buffer.from(plain)), text)
    }
  })

  test('have a URI that names the site and the operator', () => {
    const uri = totpUri({ key: 'MZXW6', email: 'ada@shop.example', site: 'My shop' })
    assert.equal(uri, 'otpauth://totp/My%20shop%3Aada%40shop.example?secret=MZXW6&issuer=My%20shop&digits=6&period=30')
  })
})
