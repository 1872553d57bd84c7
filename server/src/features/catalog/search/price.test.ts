import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { askedPrice } from './price.ts'

const read = (query: string, currency = 'EUR') => {
  const price = askedPrice(query, currency)
  return price && [price.rest, price.min, price.max]
}

describe('the price in a query', () => {
  test('is a limit in words or signs, before or after the thing, in each language', () => {
    const cases = {
      'laptop under 500': ['laptop', null, 50_000],
      'laptop under 500 euro': ['laptop', null, 50_000],
      'Laptop unter 1.500 €': ['Laptop', null, 150_000],
      'unter 500 € laptop': ['laptop', null, 50_000],
      'mugs for less than 12.50': ['mugs for', null, 1250],
      'becher bis 50 €': ['becher', null, 5000],
      'becher bis zu 12,50 EUR': ['becher', null, 1250],
      'bag up to 1,000 euros': ['bag', null, 100_000],
      'bag <30': ['bag', null, 3000],
      'bag over 30': ['bag', 3000, null],
      'tasche ab 30€': ['tasche', 3000, null],
      'lamp between 100 and 200': ['lamp', 10_000, 20_000],
      'Lampe zwischen 200 und 100': ['Lampe', 10_000, 20_000],
      'lamp 20-40 €': ['lamp', 2000, 4000],
      '€20 – €40 lamp': ['lamp', 2000, 4000],
      'lamp from 20 € to 40 €': ['lamp', 2000, 4000],
      'Lampe von 20 bis 40 €': ['Lampe', 2000, 4000],
      'phone 15 500-700 €': ['phone 15', 50_000, 70_000],
      'Becher max. 50 €': ['Becher', null, 5000],
      'Becher min.50€': ['Becher', 5000, null],
      'Becher unter 50,-': ['Becher', null, 5000],
      'Becher bis 1.050,- €': ['Becher', null, 105_000],
      'laptop under 1 000 €': ['laptop', null, 100_000],
      'laptop under 1\u202f000,50\u00a0€': ['laptop', null, 100_050],
      "Laptop zwischen 500 und 1'000 €": ['Laptop', 50_000, 100_000],
      'monitor unter 27 zoll unter 300': ['monitor unter 27 zoll', null, 30_000],
      'mug under 20!': ['mug', null, 2000],
      'Becher gu\u0308nstiger als 20': ['Becher', null, 2000],
    }
    for (const [query, expected] of Object.entries(cases)) assert.deepEqual(read(query), expected, query)
    assert.deepEqual(read('lamp $20-$40', 'USD'), ['lamp', 2000, 4000])
    assert.deepEqual(read('lamp under 5000 yen', 'JPY'), ['lamp', null, 5000])
  })
  test('is returned as it was typed', () =>
    assert.equal(askedPrice('a laptop under $500 red', 'USD')?.text, 'under $500'))
  test('is not found if a number is something else, is in another currency, or is the whole query', () => {
    for (const query of [
      'under 500',
      'under 15 inch laptop',
      'monitor under 24"',
      'bag under 5 kg',
      'memory up to 64 gb',
      'memory up to 64',
      'bis 50',
      'ab 18',
      'drill 10-20',
      'mx 400',
      'laptop under $500',
      'undersea 500 €',
      'over the ear headphones',
      'gift card 50 €',
      'under 5 port switch',
      'monitor under 24".',
      `${'ﷺ'.repeat(190)} under 5`,
    ]) {
      assert.equal(read(query), null, query)
    }
  })
})
