import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { language, translate, translateCount, translateElements, translateIfKnown } from '../../console/src/language.ts'

/** The texts of the console. Outside a browser they are English. */

describe('a text of the console', () => {
  test('replaces each placeholder in braces with its value, everywhere it occurs', () => {
    assert.equal(language, 'en')
    assert.equal(translate('At most {amount}.', { amount: '5 €' }), 'At most 5 €.')
    assert.equal(translate('{name} and {name}', { name: 1 }), '1 and 1')
    assert.equal(translate('Save'), 'Save')
  })

  test('keeps text that only looks like a placeholder', () => {
    assert.equal(translate('{name} of { "keys": […] }' as '{name}', { name: 'A set' }), 'A set of { "keys": […] }')
  })

  test('can contain elements, in the order of the sentence', () => {
    const link = { type: 'a' }
    assert.deepEqual(translateElements('Enter it in {link}.', { link }), ['Enter it in ', link, '.'])
  })

  test('has a form for one and a form for other counts', () => {
    const forms = { one: '{count} order', other: '{count} orders' }
    const texts = [0, 1, 2, 1200].map((count) => translateCount(count, forms))
    assert.deepEqual(texts, ['0 orders', '1 order', '2 orders', '1,200 orders'])
  })

  test('of the API stays unchanged if it is not known', () => {
    assert.equal(translateIfKnown('A sentence of a later release.'), 'A sentence of a later release.')
  })
})
