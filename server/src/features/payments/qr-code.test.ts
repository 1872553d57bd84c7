import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { qrCode } from './qr-code.ts'

const drawn = (text: string) => qrCode(text).map((row) => row.map((dark) => (dark ? '1' : '0')).join(''))
const hash = (text: string) => createHash('sha256').update(drawn(text).join('\n')).digest('hex').slice(0, 16)

describe('a QR code', () => {
  test('is unchanged since a stock reader has read it, with one block, several and a version number', () => {
    assert.deepEqual(
      [hash('BCD'), hash('x'.repeat(100)), hash('x'.repeat(331))],
      ['325d0e312a3d803d', '898a791db8daf879', '4e71bbf98fe1cf36'],
    )
  })

  test('grows with its text, has finders in three corners, and takes no more than 331 bytes', () => {
    assert.deepEqual(
      [1, 14, 15, 26, 100, 331].map((length) => drawn('x'.repeat(length)).length),
      [21, 21, 25, 25, 41, 69],
    )
    const rows = drawn('BCD')
    assert.deepEqual(
      [rows[0]!.slice(0, 8), rows[0]!.slice(-8), rows.at(-1)!.slice(0, 8)],
      ['11111110', '01111111', '11111110'],
    )
    assert.throws(() => qrCode('x'.repeat(332)), RangeError)
  })
})
