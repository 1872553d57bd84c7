import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FOR_EVERYONE, type Promotion } from '../promotions/index.ts'
import { priceCart } from './price-cart.ts'
import { exemptionNotes } from './tax.ts'
import type { PricingInput, PricingLine, TaxRate, TaxScheme } from './types.ts'

const toFrance = { destination: { country: 'FR' } }

describe('a business of another member state', () => {
  const supply = 'intra_community_supply'

  test('pays no tax on goods, and the note names the exemption', () => {
    const cart = priced({ destination: { country: 'FR' }, vatCountry: 'FR' })
    assert.deepEqual(exemptionsOf(cart), [supply, supply, supply])
    assert.match(cart.lines[0]!.taxLines[0]!.note!, /Article 138/)
    assert.deepEqual([cart.totals.tax.amount, cart.totals.tax.status], [0n, 'final'])
  })

  test('owes the tax on services itself', () => {
    const lines = [line('19.00', 'standard', { requiresShipping: false })]
    const cart = priced({ lines, destination: { country: 'FR' }, vatCountry: 'FR' })
    assert.deepEqual(exemptionsOf(cart), ['reverse_charge'])
    assert.match(cart.lines[0]!.taxLines[0]!.note!, /recipient is liable/)
  })

  test('reads the note in German', () => {
    const [tax] = priced({ ...toFrance, vatCountry: 'FR', locale: 'de-AT' }).lines[0]!.taxLines
    assert.match(tax!.note!, /innergemeinschaftliche Lieferung/)
  })

  test('pays the listed price, whether it would include tax or not', () => {
    const of = (pricesIncludeTax: boolean) =>
      priced({ destination: { country: 'FR' }, vatCountry: 'FR', stores: [{ storeId: 'shop', pricesIncludeTax }] })
    assert.equal(of(true).totals.total, of(false).totals.total)
  })

  test('is taxed if the goods stay in the country of the seller', () => {
    assert.deepEqual(exemptionsOf(priced({ vatCountry: 'FR', destination: { country: 'DE' } })), [])
  })

  test('is taxed if the VAT number is of the seller’s country, or not of the Union', () => {
    for (const vatCountry of ['DE', 'CH', null]) {
      assert.deepEqual(exemptionsOf(priced({ vatCountry, destination: { country: 'FR' } })), [])
    }
  })

  test('is taxed by a store without a country of establishment', () => {
    const rules = { taxRates: rates, shippingZones: [] }
    assert.deepEqual(exemptionsOf(priced({ vatCountry: 'FR', destination: { country: 'FR' }, rules })), [])
  })

  test('gets the export exemption if the postal code is outside of the VAT area', () => {
    const cart = priced({ vatCountry: 'ES', destination: { country: 'ES', postalCode: '35 001' } })
    assert.deepEqual(exemptionsOf(cart), ['export', 'export', 'export'])
    assert.deepEqual(ratesOf(cart), ['0', '0', '0'])
  })
})

describe('goods that leave the Union', () => {
  const toTheStates = { destination: { country: 'US' } }

  test('are an export for every buyer, at the same price', () => {
    const cart = priced(toTheStates)
    assert.deepEqual(exemptionsOf(cart), ['export', 'export', 'export'])
    const notes = exemptionNotes([...cart.lines, ...cart.shipping.selected])
    assert.deepEqual([notes.length, notes[0]], [1, cart.lines[0]!.taxLines[0]!.note])
    assert.match(notes[0]!, /Article 146/)
    const rules = { taxRates: rates, shippingZones }
    assert.equal(cart.totals.total, priced({ ...toTheStates, rules }).totals.total)
  })

  test('are not an export if the seller charges the tax of the destination, or has no country of establishment', () => {
    const taxed = rates.map((rate) => (rate.country === 'US' ? { ...rate, rate: '0.2' } : rate))
    assert.deepEqual(exemptionsOf(priced({ ...toTheStates, rules: { ...rulesWith({}), taxRates: taxed } })), [])
    assert.deepEqual(exemptionsOf(priced({ ...toTheStates, rules: { taxRates: rates, shippingZones } })), [])
  })

  test('do not include downloads', () => {
    const lines = [line('19.00', 'standard', { requiresShipping: false })]
    assert.deepEqual(exemptionsOf(priced({ ...toTheStates, lines })), [])
  })
})

describe('a consumer of another member state', () => {
  test('pays the rates of the destination', () => {
    assert.deepEqual(ratesOf(priced({ destination: { country: 'FR' } })), ['0.2', '0.055', '0.2'])
  })

  test('pays the rates of the seller’s country to a store below the threshold', () => {
    const cart = priced({ destination: { country: 'FR' }, rules: rulesWith({ kind: 'origin' }) })
    assert.deepEqual(ratesOf(cart), ['0.19', '0.07', '0.19'])
    assert.equal(cart.lines[0]!.taxLines[0]!.country, 'DE')
  })

  test('outside of the Union pays the rates of the destination, whatever the store’s scheme', () => {
    assert.deepEqual(ratesOf(priced({ destination: { country: 'US' }, rules: rulesWith({ kind: 'origin' }) })), [
      '0',
      '0',
      '0',
    ])
  })
})

test('a small business charges no tax anywhere, and needs no rates', () => {
  const rules = { ...rulesWith({ kind: 'exempt' }), taxRates: [] }
  const cart = priced({ destination: { country: 'FR' }, rules })
  assert.deepEqual(exemptionsOf(cart), ['small_business', 'small_business', 'small_business'])
  assert.equal(cart.totals.tax.status, 'final')
})

describe('a rate with postal codes', () => {
  test('replaces the wider rate with its code, and other rates still apply', () => {
    const of = (postalCode: string | null) =>
      priced({ country: 'US', destination: { country: 'US', region: 'CA', postalCode }, rules: american })
    assert.deepEqual(
      of('94607-1234').lines[0]!.taxLines.map(({ rate }) => rate),
      ['0.06', '0.0475'],
    )
    for (const elsewhere of ['95814', null]) {
      assert.deepEqual(
        of(elsewhere).lines[0]!.taxLines.map(({ rate }) => rate),
        ['0.06', '0.0125'],
      )
    }
  })

  test('makes the tax of digital goods an estimate until the postal code is known', () => {
    const statusOf = (postalCode: string | null) => {
      const destination = { country: 'US', region: 'CA', postalCode }
      const lines = [line('10.00', 'standard', { requiresShipping: false })]
      return priced({ lines, destination, rules: american }).totals.tax.status
    }
    assert.deepEqual([statusOf(null), statusOf('94607')], ['estimated', 'final'])
  })
})

/**
 * Two items with two rates, 10 % off the order, and shipping of 4.90, calculated manually. The discount of 0.1 × (50.00 + 24.99) =
 * 7.499, rounded to 7.50, is split by largest remainder: 5.00 and 2.50. Remaining: 45.00, 22.49 and 4.90.
 */
describe('a mixed cart', () => {
  const shop = (pricesIncludeTax: boolean) => [{ storeId: 'shop', pricesIncludeTax }]
  const taxesOf = ({ lines, shipping }: Cart) =>
    [...lines, ...shipping.selected].map(({ taxLines }) => taxLines.map(({ amount }) => Number(amount)))

  test('of a German store holds 7.18 + 1.47 + 0.78 = 9.43 of 72.39', () => {
    // 45.00 × 19/119 = 7.185; 22.49 × 7/107 = 1.471; 4.90 × 19/119 = 0.782.
    const cart = priced({ promotions: [tenPercent], stores: shop(true) })
    assert.deepEqual(taxesOf(cart), [[718], [147], [78]])
    assert.deepEqual(taxableOf(cart), [3782n, 2102n, 412n])
    assert.deepEqual([cart.totals.total, cart.totals.tax.amount], [7239n, 943n])
  })

  test('of a German store with net prices costs 72.39 + 8.55 + 1.57 + 0.93 = 83.44', () => {
    // 45.00 × 0.19 = 8.55; 22.49 × 0.07 = 1.574; 4.90 × 0.19 = 0.931.
    const cart = priced({ promotions: [tenPercent], stores: shop(false) })
    assert.deepEqual(taxesOf(cart), [[855], [157], [93]])
    assert.deepEqual(taxableOf(cart), [4500n, 2249n, 490n])
    assert.equal(cart.totals.total, 8344n)
  })

  test('of a French store holds 7.50 + 1.17 + 0.82 = 9.49 of 72.39', () => {
    // 45.00 × 20/120 = 7.50; 22.49 × 5.5/105.5 = 1.172; 4.90 × 20/120 = 0.817.
    const cart = priced({
      promotions: [tenPercent],
      country: 'FR',
      destination: { country: 'FR' },
      rules: rulesWith({ country: 'FR' }),
      stores: shop(true),
    })
    assert.deepEqual(taxesOf(cart), [[750], [117], [82]])
  })

  test('of an American store costs 72.39 + 2.70 + 2.14 = 77.23: food and shipping are not taxed in Oakland', () => {
    // 45.00 × 0.06 = 2.70; 45.00 × 0.0475 = 2.1375.
    const cart = priced({
      promotions: [tenPercent],
      currency: 'EUR',
      country: 'US',
      destination: { country: 'US', region: 'CA', postalCode: '94607' },
      rules: american,
      stores: shop(false),
    })
    assert.deepEqual(taxesOf(cart), [[270, 214], [0], [0]])
    assert.deepEqual(exemptionsOf(cart), [], 'no goods leave the Union')
    assert.equal(cart.totals.total, 7723n)
  })
})

type Cart = ReturnType<typeof priced>

const rate = (country: string, category: string, value: string, more: Partial<TaxRate> = {}): TaxRate => {
  return { storeId: 'shop', country, region: null, category, code: 'vat', name: { en: 'VAT' }, rate: value, ...more }
}
const ofCountry = (country: string, [standard, reduced]: readonly [string, string]) => [
  rate(country, 'standard', standard),
  rate(country, 'reduced', reduced),
  rate(country, 'shipping', standard),
]
const canaries = { postalCodes: { from: '35', to: '35' } }
const rates = [
  ...ofCountry('DE', ['0.19', '0.07']),
  ...ofCountry('FR', ['0.2', '0.055']),
  ...ofCountry('ES', ['0.21', '0.1']),
  ...ofCountry('ES', ['0', '0']).map((each) => ({ ...each, ...canaries })),
  ...ofCountry('US', ['0', '0']),
]
const shippingZones: PricingInput['rules']['shippingZones'] = [
  {
    zoneId: 'world',
    storeId: 'shop',
    name: 'World',
    places: [{ country: '*', region: null }],
    methods: [
      {
        methodId: 'parcel',
        name: { en: 'Parcel' },
        basis: 'subtotal',
        minDays: 1,
        maxDays: 3,
        taxCategory: 'shipping',
        rates: [{ currency: 'EUR', from: 0n, upTo: null, amount: 490n }],
      },
    ],
  },
]
const rulesWith = (scheme: Partial<TaxScheme> = {}): PricingInput['rules'] => {
  return {
    taxRates: rates,
    taxSchemes: [{ storeId: 'shop', country: 'DE', kind: 'destination', ...scheme }],
    shippingZones,
  }
}
/** California: 6 % state tax, and 1.25 % local tax, in Oakland 4.75 %. */
const local = { region: 'CA', code: 'local' }
const american: PricingInput['rules'] = {
  taxRates: [
    rate('US', 'standard', '0.06', { region: 'CA', code: 'state' }),
    rate('US', 'standard', '0.0125', local),
    rate('US', 'standard', '0.0475', { ...local, postalCodes: { from: '94601', to: '94621' } }),
    rate('US', 'reduced', '0'),
    rate('US', 'shipping', '0'),
  ],
  taxSchemes: [{ storeId: 'shop', country: 'US', kind: 'destination' }],
  shippingZones,
}
const tenPercent: Promotion = {
  ...FOR_EVERYONE,
  id: 'prm_ten',
  title: { en: 'Ten percent' },
  effect: { kind: 'percentage', target: 'order', rate: '0.1' },
}

function line(price: string, taxCategory: string, more: Partial<PricingLine> = {}): PricingLine {
  return {
    lineId: taxCategory,
    skuId: taxCategory,
    productId: taxCategory,
    storeId: 'shop',
    categoryIds: [],
    quantity: 1,
    unitPrice: BigInt(price.replace('.', '')),
    weightGrams: 100,
    requiresShipping: true,
    taxCategory,
    ...more,
  }
}

function priced(input: Partial<PricingInput>) {
  return priceCart({
    currency: 'EUR',
    locale: 'en',
    country: 'DE',
    destination: { country: 'DE' },
    now: new Date('2026-06-01T12:00:00Z'),
    lines: [line('50.00', 'standard'), line('24.99', 'reduced')],
    stores: [{ storeId: 'shop', pricesIncludeTax: true }],
    promotions: [],
    rules: rulesWith(),
    ...input,
  })
}

const taxLinesOf = ({ lines, shipping }: Cart) => [...lines, ...shipping.selected].flatMap(({ taxLines }) => taxLines)
const taxableOf = (cart: Cart) => taxLinesOf(cart).map((each) => each.taxable)
const ratesOf = (cart: Cart) => taxLinesOf(cart).map((each) => each.rate)
const exemptionsOf = (cart: Cart) => taxLinesOf(cart).flatMap(({ exemption }) => exemption ?? [])
