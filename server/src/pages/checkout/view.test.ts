import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isPlaceFirst } from '../../features/carts/index.ts'
import { money } from '../toolkit/index.ts'
import { countriesByName, linesOf } from './view.ts'

const address = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}

describe('checkout formatting', () => {
  test('formats amounts for the locale, of any size and in currencies without cents', () => {
    const eur = (amount: number) => ({ amount, currency: 'EUR' })
    assert.equal(money({ locale: 'de' }, eur(3888)).replace(/\s/, ' '), '38,88 €')
    assert.equal(money({ locale: 'en' }, eur(-3888)), '−€38.88')
    assert.equal(money({ locale: 'en' }, eur(Number.MAX_SAFE_INTEGER)), '€90,071,992,547,409.91')
    assert.equal(money({ locale: 'en' }, { amount: 1364, currency: 'JPY' }), '¥1,364')
    assert.equal(money({ locale: 'en' }, { amount: 1364, currency: 'KWD' }).replace(/\s/, ' '), 'KWD 1.364')
  })

  test('formats an address as its country does, with the country in the reader’s language', () => {
    assert.deepEqual(linesOf({ locale: 'de' }, address), [
      'Ada Example',
      'Lindenstraße 9',
      '10969 Berlin',
      'Deutschland',
    ])
    const there = { ...address, city: 'Oakland', region: 'CA', postalCode: '94607', countryCode: 'US' }
    assert.deepEqual(linesOf({ locale: 'en' }, there).slice(-2), ['Oakland CA 94607', 'United States'])
    assert.deepEqual([isPlaceFirst('DE'), isPlaceFirst('US'), isPlaceFirst('GB')], [false, true, true])
  })

  test('sorts countries by the locale', () => {
    const names = (locale: string) => countriesByName({ locale }, ['US', 'AT', 'DE']).map(({ label }) => label)
    assert.deepEqual(names('de'), ['Deutschland', 'Österreich', 'Vereinigte Staaten'])
    assert.deepEqual(names('en'), ['Austria', 'Germany', 'United States'])
  })
})
