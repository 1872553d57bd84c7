import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fold, slugOf, sortKey } from './fold.ts'
import { lookUpLocale, matchLocale, textIn } from './locale.ts'

describe('the lookup of RFC 4647 §3.4', () => {
  test('cuts a range from its end until a locale fits, range by range', () => {
    const available = ['en', 'de', 'de-CH', 'zh-Hant']
    assert.equal(lookUpLocale(['de-CH-1996', 'en'], available, 'en'), 'de-CH')
    assert.equal(lookUpLocale(['de-AT'], available, 'en'), 'de')
    assert.equal(lookUpLocale(['fr', 'DE-at'], available, 'en'), 'de')
    assert.equal(lookUpLocale(['zh-Hant-CN-x-private1-private2'], available, 'en'), 'zh-Hant')
    assert.equal(lookUpLocale(['*'], available, 'en'), 'en')
    assert.equal(lookUpLocale([], available, 'en'), 'en')
  })
  test('tells where nothing fits', () => assert.equal(matchLocale(['fr'], ['en']), undefined))
  test('takes the text of the served locale, then of the default, then of any', () => {
    const texts = { en: 'lamp', de: 'Leuchte' }
    assert.equal(textIn(texts, 'de', 'en'), 'Leuchte')
    assert.equal(textIn(texts, 'fr', 'en'), 'lamp')
    assert.equal(textIn(texts, 'fr', 'it'), 'Leuchte')
    assert.equal(textIn(undefined, 'fr', 'it'), undefined)
  })
})

describe('folding', () => {
  test('takes away case, accents and compatible forms', () =>
    assert.equal(fold('ÀÉÎ Straße ﬁ Ⅻ Ø'), 'aei strasse fi xii o'))
  test('orders numbers by size', () => assert.ok(sortKey('Lamp 2') < sortKey('lamp 10')))
  test('makes slugs of words, and none of what has no Latin letter', () => {
    assert.equal(slugOf('  Printing & Imaging! '), 'printing-imaging')
    assert.equal(slugOf('日本語'), undefined)
  })
})
