import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textIn } from './stored-json.ts'

test('textIn takes the served locale, then the default, then any', () => {
  const texts = { en: 'lamp', de: 'Leuchte' }
  assert.equal(textIn(texts, 'de', 'en'), 'Leuchte')
  assert.equal(textIn(texts, 'fr', 'en'), 'lamp')
  assert.equal(textIn(texts, 'fr', 'it'), 'Leuchte')
  assert.equal(textIn(undefined, 'fr', 'it'), undefined)
})
