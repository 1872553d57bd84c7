import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { draftOf, newMethod, newZone, type Zone, zonesOf } from '../../console/src/pages/shipping/shipping-draft.ts'
import {
  cellErrorsOf,
  changesOf,
  euVat,
  ratesOf,
  tableOf,
  usSalesTax,
  withPreset,
} from '../../console/src/pages/tax/tax-table.ts'
import { formatPercent, parsePercent } from '../../console/src/ui/form/percent.ts'

/** Taxes and shipping: converting the text that an operator types into the values that are sent to the server. */

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
    assert.equal(formatPercent('0.1050'), '10.5', 'without the zeros at its end')
  })

  test('accepts a decimal comma and a percent sign, and is an error of its field if it is not a number', () => {
    assert.equal(parsePercent(' 7,25 % ', '/rate'), '0.0725')
    for (const typed of ['', 'much', '1000', '-3']) {
      assert.throws(() => parsePercent(typed, '/rates/2/rate'), { name: 'FieldError', pointer: '/rates/2/rate' })
    }
  })
})

describe('a table of tax rates', () => {
  const rates = [
    { country: 'DE', category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' },
    { country: 'DE', category: 'books', code: 'vat', name: { en: 'VAT' }, rate: '0.07' },
    { country: 'CA', region: 'BC', category: 'standard', code: 'pst', name: { en: 'PST' }, rate: '0.07' },
  ]

  test('has a row for each destination and tax, a column for each category, and converts back to the same rates', () => {
    const table = tableOf(rates)
    assert.deepEqual(table.categories, ['standard', 'books'])
    assert.deepEqual(
      table.rows.map(({ cells }) => cells),
      [{ standard: '19', books: '7' }, { standard: '7' }],
    )
    assert.deepEqual(ratesOf(table), rates)
  })

  test('shows an error at its cell, regardless of the cells before it', () => {
    const table = tableOf(rates)
    const errors = cellErrorsOf(table, new Map([['/rates/2/rate', 'Wrong.']]))
    assert.deepEqual([...errors], [['1/standard', 'Wrong.']])
  })

  test('is not saved while a destination has no rate, because it would be dropped', () => {
    const { categories, rows } = tableOf(rates)
    const [germany, columbia] = rows
    const table = { categories, rows: [germany!, { ...columbia!, cells: { standard: ' ' } }] }
    assert.throws(() => ratesOf(table), { name: 'FieldError', pointer: '/rows/1' })
    assert.deepEqual([...cellErrorsOf(table, new Map([['/rows/1', 'no']]))], [['1/standard', 'no']])
    assert.equal(ratesOf({ categories, rows: [germany!, { ...columbia!, cells: { standard: '0' } }] }).length, 3)
  })

  test('lists the changes of a preset, and keeps rates that the preset does not have', () => {
    const preset = euVat(['DE', 'FR', 'DK'], ['en', 'de'])
    const texts = changesOf(tableOf(rates), preset).map(({ row, category, before, after }) =>
      [row.country, category, before || 'none', after].join(' '),
    )
    assert.deepEqual(texts, [
      'DE reduced none 7',
      'FR standard none 20',
      'FR reduced none 5.5',
      'DK standard none 25',
      'DK reduced none 25',
    ])
    const table = withPreset(tableOf(rates), preset)
    assert.deepEqual(table.categories, ['standard', 'books', 'reduced'])
    assert.deepEqual(table.rows[0]?.cells, { standard: '19', books: '7', reduced: '7' })
    assert.deepEqual(changesOf(table, preset), [], 'no change is left')
  })

  test('taxes every US state, with the base rate only where the seller collects it', () => {
    const rows = usSalesTax(['CA'], ['en'])
    assert.equal(rows.length, 51)
    const taxed = rows.filter(({ cells }) => cells.standard !== '0')
    assert.deepEqual(
      taxed.map(({ region, cells }) => [region, cells.standard]),
      [['CA', '7.25']],
    )
  })
})

describe('shipping zones', () => {
  const zones = (method: object, places: object[] = [{ country: 'DE' }]) =>
    [{ id: 'shp_1', name: 'Here', places, methods: [method] }] as Zone[]

  test('are edited as text and convert back to the same zones, including regions and the rest of the world', () => {
    const rates = [rate('EUR', 0, 5000, 490), rate('EUR', 5000, null, 0), rate('JPY', 0, null, 800)]
    const places = [{ country: 'DE' }, { country: 'US', region: 'CA' }, { country: '*' }]
    const saved = zones(method('subtotal', rates), places)
    const draft = draftOf(saved)
    assert.deepEqual(draft[0]?.places, ['DE', 'US-CA', '*'])
    assert.deepEqual(draft[0]?.methods[0]?.rates, [
      { currency: 'EUR', from: '0.00', price: '4.90' },
      { currency: 'EUR', from: '50.00', price: '0.00' },
      { currency: 'JPY', from: '0', price: '800' },
    ])
    assert.deepEqual(zonesOf(draft), saved)
  })

  test('with rates by weight start at grams, and may have gaps and an upper limit', () => {
    const saved = zones(method('weight', [rate('EUR', 0, 1000, 490), rate('EUR', 2000, 5000, 990)]))
    const draft = draftOf(saved)
    assert.deepEqual(
      draft[0]?.methods[0]?.rates.map(({ from, price }) => `${from} ${price || 'none'}`),
      ['0 4.90', '1000 none', '2000 9.90', '5000 none'],
    )
    assert.deepEqual(zonesOf(draft), saved)
  })

  test('report the field that cannot be parsed', () => {
    const [zone] = draftOf(zones(method('subtotal', [rate('EUR', 0, null, 490)])))
    const typed = (change: object) => [{ ...zone!, methods: [{ ...zone!.methods[0]!, ...change }] }]
    const of = (price: string, from = '0') => ({ rates: [{ currency: 'EUR', from, price }] })
    const pointer = '/zones/0/methods/0'
    assert.throws(() => zonesOf(typed(of('4.905'))), { pointer: `${pointer}/rates/0/amount` })
    assert.throws(() => zonesOf(typed(of('4.90', 'fifty'))), { pointer: `${pointer}/rates/0/from` })
    assert.throws(() => zonesOf(typed({ minDays: 'soon' })), { pointer: `${pointer}/minDays` })
    assert.throws(() => zonesOf(typed({ name: { en: ' ' } })), { pointer: `${pointer}/name` })
  })

  test('of a preset leave out places in other zones, and have a price in every currency', () => {
    const draft = draftOf(zones(method('subtotal', [rate('EUR', 0, null, 490)])))
    const preset = newMethod({ locales: ['de', 'pl'], currencies: ['EUR', 'JPY'] }, 990, ['3', '7'])
    const zone = newZone(draft, 'Neighbors', ['DE', 'FR'], preset)
    assert.deepEqual(zone.places, ['FR'])
    assert.deepEqual(zone.methods[0]?.name, { de: 'Standardversand', pl: 'Standard shipping' })
    assert.deepEqual(
      zonesOf([zone])[0]?.methods[0]?.rates.map(({ currency, amount }) => [currency, amount]),
      [
        ['EUR', 990],
        ['JPY', 990],
      ],
    )
  })
})
