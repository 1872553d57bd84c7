import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fold, slugOf, sortKey } from './text-normalization.ts'

describe('folding', () => {
  test('removes case, accents and compatible forms', () =>
    assert.equal(fold('ÀÉÎ Straße ﬁ Ⅻ Ø'), 'aei strasse fi xii o'))
  test('orders numbers by size', () => assert.ok(sortKey('Lamp 2') < sortKey('lamp 10')))
  test('makes slugs of Latin letters and digits, and none where there are none', () => {
    assert.equal(slugOf('  Printing & Imaging! '), 'printing-imaging')
    assert.equal(slugOf('日本語'), undefined)
  })
})
