import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { language, translate, translateCount, translateElements, translateIfKnown } from '../../console/src/language.ts'

/** The texts of the console. Outside a browser they are English. */

describe('a text of the console', () => {
  test('has its values where their names are in braces, each as often as it is named', () => {
    assert.equal(language, 'en')
    assert.equal(translate('At most {amount}.', { amount: '5 €' }), 'At most 5 €.')
    assert.equal(translate('{name} and {name}', { name: 1 }), '1 and 1')
    assert.equal(translate('Save'), 'Save')
  })

  test('keeps what only looks like a name', () => {
    assert.equal(translate('{name} of { "keys": […] }' as '{name}', { name: 'A set' }), 'A set of { "keys": […] }')
  })

  test('has elements in it, in the order of the sentence', () => {
    const link = { type: 'a' }
    assert.deepEqual(translateElements('Enter it in {link}.', { link }), ['Enter it in ', link, '.'])
  })

  test('has a form for one and a form for other counts', () => {
    const forms = { one: '{count} order', other: '{count} orders' }
    const texts = [0, 1, 2, 1200].map((count) => translateCount(count, forms))
    assert.deepEqual(texts, ['0 orders', '1 order', '2 orders', '1,200 orders'])
  })

  test('of the API stays as it is if it is not known', () => {
    assert.equal(translateIfKnown('A sentence of a later release.'), 'A sentence of a later release.')
  })
})
