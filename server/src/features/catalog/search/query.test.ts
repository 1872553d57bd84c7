import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameTerm, shippedSynonymsIn, understand, wholeTerm } from './query.ts'
import { SHIPPED_SYNONYMS } from './words/index.ts'

const formsOf = (query: string, locale = 'en') =>
  understand(query, locale).concepts.map((forms) => forms.map(({ words }) => words))

describe('a query', () => {
  test('has the forms of a unit, however it is written', () => {
    for (const query of ['1tb', '1 tb', '1000 gb', '1 terabyte']) {
      const [forms = []] = formsOf(query)
      for (const form of ['1 tb', '1tb', '1000 gb', '1000gb']) assert.ok(forms.includes(form), `${query}: ${form}`)
    }
  })
  test('has model numbers whole and in parts', () => {
    assert.deepEqual(formsOf('mx400'), [['mx400', 'mx 400']])
    assert.deepEqual(formsOf('mx-400'), [
      ['mx', 'mx400'],
      ['400', 'mx400'],
    ])
  })
  test('has the synonyms of words and phrases, in the singular or the plural', () => {
    assert.deepEqual(formsOf('laptops'), [['laptops', 'notebook']])
    assert.deepEqual(formsOf('USB sticks'), [['usb sticks', 'usb flash drive', 'thumb drive', 'pen drive']])
  })
  test('does not use shipped synonyms that are switched off by their first word, which is unique', () => {
    const names = SHIPPED_SYNONYMS.map(({ language, folded }) => `${language}: ${folded[0]}`)
    assert.deepEqual(names, [...new Set(names)])
    const { concepts } = understand('laptop tv', 'en-GB', { added: new Map(), off: new Set(['laptop']) })
    assert.deepEqual(
      concepts.map((forms) => forms.map(({ words }) => words)),
      [
        ['laptop', 'laptoptv'],
        ['tv', 'laptoptv', 'television'],
      ],
    )
    const named = (query: string, locale: string) => shippedSynonymsIn(query, locale).map(({ words }) => words[0])
    assert.deepEqual(named('cheap USB sticks for notebooks', 'en'), ['laptop', 'USB stick'])
    assert.deepEqual(named('notebooks', 'ja'), [])
    assert.deepEqual(named('Kuehlschrank kuhlgerat', 'de'), ['Kühlschrank'])
  })
  test('has the parts of a compound only in its language', () => {
    assert.deepEqual(formsOf('laptoptaschen', 'de'), [['laptoptaschen', 'laptop tasche']])
    assert.deepEqual(formsOf('laptoptaschen'), [['laptoptaschen']])
    assert.deepEqual(formsOf('Handschuhe', 'de'), [['handschuhe']])
  })
  test('has words of different scripts apart, as the index does', () => {
    assert.deepEqual(formsOf('USBケーブル', 'ja'), [['usb'], ['ケー ーフ フル']])
  })
  test('has pairs of letters in a script without spaces, and a single letter as a prefix', () => {
    assert.deepEqual(formsOf('陶瓷杯', 'zh'), [['陶瓷 瓷杯']])
    assert.equal(understand('杯', 'zh').concepts[0]?.[0]?.isBeginning, true)
  })
  test('leaves out subjective words such as cheap, unless it has no others', () => {
    assert.deepEqual(formsOf('cheap lamp'), [['lamp']])
    assert.deepEqual(formsOf('günstige Lampe', 'de'), [['lampe']])
    assert.deepEqual(formsOf('best buy').flat().includes('best'), true)
  })
  test('has the category of the thing, not that of its purpose', () => {
    const { kinds } = understand('memory for laptops', 'en')
    assert.ok(kinds.includes('=#memory') && !kinds.includes('=#laptop'), kinds.join())
    assert.deepEqual(understand('laptop bags', 'en').kinds, ['=#laptopbags', '=#laptopbag', '=#bags', '=#bag'])
  })
  test('has the family of the accessory that it names', () => {
    assert.deepEqual(understand('laptop bags', 'en').accessories, ['bag'])
    assert.deepEqual(understand('laptop', 'en').accessories, [])
    assert.deepEqual(understand('Laptoptasche', 'de').accessories, ['bag'])
  })
  test('is as a whole one term, like a code without its punctuation', () =>
    assert.equal(wholeTerm('CZ-103/A'), '=cz103a'))
  test('is as a name one term without the articles of its language, and none if it has only articles', () => {
    assert.equal(nameTerm('A mug, and the Lid', 'en'), '=~mugandlid')
    assert.equal(nameTerm('Die Tasse', 'de-AT'), '=~tasse')
    assert.equal(nameTerm('Die Tasse', 'en'), '=~dietasse')
    assert.equal(nameTerm('The', 'en'), null)
  })
  test('is no term that PostgreSQL cannot store, however long', () =>
    assert.ok(Buffer.byteLength(wholeTerm('漢'.repeat(5000))) < 2046))
})
