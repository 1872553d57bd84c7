import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fold, plainWords, slugOf, sortKey } from './text-normalization.ts'

describe('folding', () => {
  test('removes case, accents and compatible forms', () =>
    assert.equal(fold('ÀÉÎ Straße ﬁ Ⅻ Ø'), 'aei strasse fi xii o'))
  test('removes invisible characters, but not from slugs, which stay as they are', () => {
    assert.equal(
      plainWords(fold('Kaffee\u00ADmaschine \u200EX5\u200E\uFE0F Super\u200Bmarkt')),
      'kaffeemaschine x5 super markt',
    )
    assert.equal(slugOf('Kaffee\u00ADmaschine'), 'kaffee-maschine')
  })
  test('orders numbers by size', () => assert.ok(sortKey('Lamp 2') < sortKey('lamp 10')))
  test('keeps words and numbers; an inch mark becomes a word, and a decimal zero is dropped', () => {
    for (const [text, words] of [
      ['dvd/blu-ray 5,1', 'dvd blu ray 5.1'],
      ['43.2 cm (17") or 15.6″ or 13”', '43.2 cm 17 inch or 15.6 inch or 13 inch'],
      ['the "series 5" of "windows 10"', 'the series 5 of windows 10'],
      ['usb 3.0, usb3.0 and usb 3.05', 'usb 3 usb3 and usb 3.05'],
      ['802.11n, v1.0.2', '802.11 n v1.0.2'],
    ] as const)
      assert.equal(plainWords(fold(text)), words, text)
  })
  test('makes slugs of Latin letters and digits, and no slug if there are none', () => {
    assert.equal(slugOf('  Printing & Imaging! '), 'printing-imaging')
    assert.equal(slugOf('日本語'), undefined)
  })
})
