import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { linesOf, placesIn, placesText, stepsIn } from '../../console/src/pages/shipping/shipping-rates.ts'
import { percentOf, rateOf } from '../../console/src/pages/tax/percent.ts'

/** What somebody types into the console, and what the server is told. */

const step = (currency: string, from: number, upTo: number | null, amount: number) => ({ currency, from, upTo, amount })
const way = (basis: 'subtotal' | 'weight', rates: ReturnType<typeof step>[]) => ({
  name: { en: 'Parcel' },
  basis,
  minDays: 1,
  maxDays: 3,
  taxCategory: 'standard',
  rates,
})

describe('a rate in per cent', () => {
  test('becomes the decimal that is kept, digit by digit, and per cent again', () => {
    const rates = {
      '19': '0.19',
      '7.25': '0.0725',
      '20': '0.2',
      '100': '1',
      '0': '0',
      '8.875': '0.08875',
      '5.5': '0.055',
    }
    for (const [percent, rate] of Object.entries(rates)) {
      assert.equal(rateOf(percent, '/rate'), rate)
      assert.equal(percentOf(rate), percent)
    }
  })

  test('may be written with a comma and a sign, and is a fault of its field where it is no number', () => {
    assert.equal(rateOf(' 7,25 % ', '/rate'), '0.0725')
    for (const typed of ['', 'much', '1000', '-3']) {
      assert.throws(() => rateOf(typed, '/rates/2/rate'), { name: 'FieldFault', pointer: '/rates/2/rate' })
    }
  })
})

describe('steps of what shipping costs', () => {
  test('are lines, each of which ends where the next of its currency begins, and lines again', () => {
    const rates = [step('EUR', 0, 5000, 490), step('EUR', 5000, null, 0), step('JPY', 0, null, 800)]
    const typed = 'EUR 0.00 4.90\nEUR 50.00 0.00\nJPY 0 800'
    assert.equal(linesOf(way('subtotal', rates)), typed)
    assert.deepEqual(stepsIn(typed, 'subtotal'), rates)
  })

  test('by weight begin at grams, and may leave gaps and an end', () => {
    const rates = [step('EUR', 0, 1000, 490), step('EUR', 2000, 5000, 990)]
    const typed = linesOf(way('weight', rates))
    assert.equal(typed, 'EUR 0 4.90\nEUR 1000 –\nEUR 2000 9.90\nEUR 5000 –')
    assert.deepEqual(stepsIn(typed, 'weight'), rates)
  })

  test('may be typed in any order, in small letters, with empty lines between', () => {
    assert.deepEqual(stepsIn('eur 50 0\n\n  eur 0 4,90', 'subtotal'), [
      step('EUR', 0, 5000, 490),
      step('EUR', 5000, null, 0),
    ])
  })

  test('name the line that is none', () => {
    for (const typed of ['EUR 0 4.90\nEUR fifty 0', 'EUR 0 4.90\nnothing', 'EUR 0 4.90\nEUR 1 4.905']) {
      assert.throws(() => stepsIn(typed, 'subtotal'), /Line 2 should read like/)
    }
  })
})

test('places are countries, regions after a hyphen, and the rest of the world', () => {
  const typed = 'DE, US-CA, *'
  const places = [{ country: 'DE' }, { country: 'US', region: 'CA' }, { country: '*' }]
  assert.deepEqual(placesIn(typed), places)
  assert.equal(placesText({ name: 'Here', places, methods: [] }), typed)
})
