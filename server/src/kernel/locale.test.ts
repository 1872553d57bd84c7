import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { lookUpLocale, matchLocale } from './locale.ts'

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
  test('returns undefined where nothing fits', () => assert.equal(matchLocale(['fr'], ['en']), undefined))
})
