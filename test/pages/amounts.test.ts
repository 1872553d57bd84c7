import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCY_DIGITS } from '@vitrine/contract'
import { formatDecimal, parseAmount } from '../../console/src/ui/form/amount-input.ts'
import { digitsOf, formatsOf } from '../../shop/src/market.ts'

describe('an amount that is typed in the console', () => {
  test('is read and shown in the minor units of its currency', () => {
    assert.equal(parseAmount('4990', 'HUF'), 499_000)
    assert.equal(formatDecimal(499_000, 'HUF'), '4990.00')
    assert.equal(parseAmount('1.25', 'KWD'), 1250)
    assert.equal(parseAmount('1364', 'JPY'), 1364)
    assert.equal(parseAmount('13.5', 'JPY'), Number.NaN)
  })
})

describe('an amount in the example shop', () => {
  test('has the decimals of its currency', () => {
    for (const [currency, digits] of Object.entries(CURRENCY_DIGITS)) assert.equal(digitsOf(currency), digits, currency)
  })

  test('is shown exactly', () => {
    const { money } = formatsOf('en')
    assert.equal(money({ amount: 499_050, currency: 'HUF' }), 'HUF\u00a04,990.50')
    assert.equal(money({ amount: 1364, currency: 'EUR' }), '€13.64')
  })
})
