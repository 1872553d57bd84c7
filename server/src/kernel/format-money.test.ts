import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { CURRENCIES, majorOf } from './currencies.ts'
import { formatMoney } from './format-money.ts'

describe('a formatted amount', () => {
  test('is as exact as the amount in every currency', () => {
    for (const currency of CURRENCIES) {
      const [digits] = /\d.*/.exec(formatMoney('en', 1_234_567n, currency)) ?? []
      assert.equal(digits?.replaceAll(',', ''), majorOf(1_234_567n, currency), currency)
    }
  })

  test('has the decimal mark and the sign of the language', () => {
    assert.equal(formatMoney('hu', 499_050n, 'HUF'), '4990,50\u00a0Ft')
    assert.equal(formatMoney('de', -3888n, 'EUR'), '−38,88\u00a0€')
    assert.equal(formatMoney('en', 1364n, 'JPY'), '¥1,364')
  })
})
