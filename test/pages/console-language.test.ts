import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { language, translate, translateCount, translateElements, translateIfKnown } from '../../console/src/language.ts'
import { formatDay } from '../../console/src/ui/format/day.ts'
import { operatorName, sentenceCase } from '../../console/src/ui/format/text.ts'

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

  test('has thousands separators in its numbers', () => {
    const text = translate('Only the first {count} are stored.', { count: 100_000 })
    assert.equal(text, 'Only the first 100,000 are stored.')
  })

  test('has a day as it is written in the language', () => {
    assert.equal(formatDay('2028-02-29'), 'Feb 29, 2028')
  })

  test('names an identifier in words, and a kind of events as developers write it', () => {
    assert.equal(sentenceCase('refund_amount'), 'Refund amount')
    assert.equal(sentenceCase('order.parcel_sent'), 'order.parcel_sent')
  })

  test('names an operator by their address, and the command line in the language', () => {
    assert.equal(operatorName('command line (ada)'), `${translate('command line')} (ada)`)
    assert.equal(operatorName('command line@shop.example'), 'command line@shop.example')
  })

  test('of the API stays unchanged if it is not known', () => {
    assert.equal(translateIfKnown('A sentence of a later release.'), 'A sentence of a later release.')
  })
})
