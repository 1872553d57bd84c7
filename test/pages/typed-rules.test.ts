import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { formatPlaces, formatRates, parsePlaces, parseRates } from '../../console/src/pages/shipping/shipping-rates.ts'
import { formatPercent, parsePercent } from '../../console/src/pages/tax/percent.ts'

/** Rates, shipping rates and places: what an operator types into the console, and what is sent to the server. */

const rate = (currency: string, from: number, upTo: number | null, amount: number) => ({ currency, from, upTo, amount })
const method = (basis: 'subtotal' | 'weight', rates: ReturnType<typeof rate>[]) => ({
  name: { en: 'Parcel' },
  basis,
  minDays: 1,
  maxDays: 3,
  taxCategory: 'standard',
  rates,
})

describe('a percentage', () => {
  test('is stored as a decimal, converted digit by digit, and formatted as a percentage again', () => {
    const rates = {
      '19': '0.19',
      '7.25': '0.0725',
      '20': '0.2',
      '100': '1',
      '0': '0',
      '8.875': '0.08875',
      '5.5': '0.055',
    }
    for (const [percent, decimal] of Object.entries(rates)) {
      assert.equal(parsePercent(percent, '/rate'), decimal)
      assert.equal(formatPercent(decimal), percent)
    }
  })

  test('accepts a decimal comma and a percent sign, and is an error of its field if it is not a number', () => {
    assert.equal(parsePercent(' 7,25 % ', '/rate'), '0.0725')
    for (const typed of ['', 'much', '1000', '-3']) {
      assert.throws(() => parsePercent(typed, '/rates/2/rate'), { name: 'FieldError', pointer: '/rates/2/rate' })
    }
  })
})

describe('shipping rates', () => {
  test('are one per line, each up to the minimum of the next in its currency, and are formatted as lines again', () => {
    const rates = [rate('EUR', 0, 5000, 490), rate('EUR', 5000, null, 0), rate('JPY', 0, null, 800)]
    const typed = 'EUR 0.00 4.90\nEUR 50.00 0.00\nJPY 0 800'
    assert.equal(formatRates(method('subtotal', rates)), typed)
    assert.deepEqual(parseRates(typed, 'subtotal'), rates)
  })

  test('by weight start at grams, and may have gaps and an upper limit', () => {
    const rates = [rate('EUR', 0, 1000, 490), rate('EUR', 2000, 5000, 990)]
    const typed = formatRates(method('weight', rates))
    assert.equal(typed, 'EUR 0 4.90\nEUR 1000 –\nEUR 2000 9.90\nEUR 5000 –')
    assert.deepEqual(parseRates(typed, 'weight'), rates)
  })

  test('are accepted in any order, in lower case and with empty lines', () => {
    assert.deepEqual(parseRates('eur 50 0\n\n  eur 0 4,90', 'subtotal'), [
      rate('EUR', 0, 5000, 490),
      rate('EUR', 5000, null, 0),
    ])
  })

  test('name the line that is invalid', () => {
    for (const typed of ['EUR 0 4.90\nEUR fifty 0', 'EUR 0 4.90\nnothing', 'EUR 0 4.90\nEUR 1 4.905']) {
      assert.throws(() => parseRates(typed, 'subtotal'), /Line 2 should read like/)
    }
  })
})

test('places are countries, regions after a hyphen, and the rest of the world', () => {
  const typed = 'DE, US-CA, *'
  const places = [{ country: 'DE' }, { country: 'US', region: 'CA' }, { country: '*' }]
  assert.deepEqual(parsePlaces(typed), places)
  assert.equal(formatPlaces({ name: 'Here', places, methods: [] }), typed)
})
