import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import([storeLine('loom'), productLine('towel', { price: 2450 })], 'loom')
  await world.import([storeLine('other')], 'other')
})

const vat = { country: 'DE', category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' }
const parcel = {
  name: { en: 'Parcel' },
  basis: 'subtotal',
  minDays: 1,
  maxDays: 3,
  taxCategory: 'standard',
  rates: [
    { currency: 'EUR', from: 0, upTo: 5000, amount: 490 },
    { currency: 'EUR', from: 5000, upTo: null, amount: 0 },
  ],
}
const germany = { name: 'Germany', places: [{ country: 'DE' }], methods: [parcel] }
const pointersOf = ({ body }: { readonly body: { readonly details: readonly { readonly pointer: string }[] } }) =>
  body.details.map(({ pointer }) => pointer)

describe('the tax table of a store', () => {
  const path = '/stores/loom/tax-rates'
  const save = (rates: readonly object[], more: object = {}) => operator.send('PUT', path, { rates, ...more })

  test('is saved whole and read back unchanged, and the audit log has the previous one', async () => {
    assert.deepEqual((await operator.get(path)).body.data.rates, [])
    const state = { country: 'US', region: 'CA', category: 'standard', code: 'sales', name: { en: 'Sales tax' } }
    const saved = await operator.change('PUT', path, { rates: [vat, { ...state, rate: '0.0725' }] })
    assert.deepEqual(saved.rates, [vat, { ...state, rate: '0.0725' }])
    assert.deepEqual((await operator.get(path)).body.data, saved)

    world.clock.advance(1000)
    await operator.change('PUT', path, { rates: [{ ...vat, rate: '0.16' }], expectedVersion: saved.version })
    const [entry] = (await operator.get('/audit-log?limit=1')).body.data.items
    assert.deepEqual([entry.before.rates.length, entry.after.rates.map(({ rate }: typeof vat) => rate)], [2, ['0.16']])
  })

  test('has regions by their codes, as addresses have them, whether the code or the name was given', async () => {
    const sales = { country: 'US', category: 'standard', code: 'sales', name: { en: 'Sales tax' }, rate: '0.0725' }
    const regionsOf = (rates: readonly { readonly region: string }[]) => rates.map(({ region }) => region)
    const given = ['California', 'ny'].map((region) => ({ ...sales, region }))
    assert.deepEqual(regionsOf((await operator.change('PUT', path, { rates: given })).rates), ['CA', 'NY'])
    const free = [{ ...vat, region: ' Bayern ' }]
    assert.deepEqual(regionsOf((await operator.change('PUT', path, { rates: free })).rates), ['Bayern'])
    const repeated = ['CA', 'california'].map((region) => ({ ...sales, region }))
    assert.deepEqual(pointersOf(await save(repeated)), ['/rates/1/code'])
    assert.deepEqual(pointersOf(await save([vat, { ...sales, region: 'Kalifornien' }])), ['/rates/1/region'])
  })

  test('keeps the tax method of the store unless the request contains one', async () => {
    assert.equal((await operator.get(path)).body.data.scheme, null)
    const scheme = { country: 'DE', kind: 'origin' }
    assert.deepEqual((await operator.change('PUT', path, { rates: [vat], scheme })).scheme, scheme)
    assert.deepEqual((await operator.change('PUT', path, { rates: [vat] })).scheme, scheme)
  })

  test('may have other rates for postal codes, which do not overlap', async () => {
    const zero = (from: string, to: string) => ({ ...vat, rate: '0', postalCodes: { from, to } })
    const { rates } = await operator.change('PUT', path, {
      rates: [vat, zero('27498', '27498'), zero('78 266', '78266')],
    })
    assert.deepEqual(rates, [vat, zero('27498', '27498'), zero('78266', '78266')])
    assert.deepEqual(pointersOf(await save([zero('35', '36'), zero('36100', '36200')])), ['/rates/1/postalCodes'])
    assert.deepEqual(pointersOf(await save([zero('36', '35')])), ['/rates/0/postalCodes/to'])
  })

  test('changed meanwhile by another operator stays unchanged: version_conflict', async () => {
    const { version } = (await operator.get(path)).body.data
    assert.equal((await save([vat], { expectedVersion: version })).status, 200)
    const stale = await save([], { expectedVersion: version })
    assert.deepEqual([stale.status, stale.body.code], [409, 'version_conflict'])
  })

  test('is refused with the invalid field', async () => {
    assert.deepEqual(pointersOf(await save([{ ...vat, rate: '19 %' }])), ['/rates/0/rate'])
    assert.deepEqual(pointersOf(await save([vat, vat])), ['/rates/1/code'])
  })

  test('of an unknown store is not_found, to read and to save', async () => {
    const nowhere = '/stores/nowhere/tax-rates'
    assert.equal((await operator.get(nowhere)).body.code, 'not_found')
    assert.equal((await operator.send('PUT', nowhere, { rates: [] })).body.code, 'not_found')
  })
})

describe('the tax report of a store', () => {
  const path = '/stores/loom/tax-report'

  test('is a CSV file with the taxes of the days', async () => {
    const authorization = `Bearer ${OPERATOR_TOKEN}`
    const url = `${operator.origin}/operator/v1${path}?from=2026-01-01&to=2026-03-31`
    const text = await (await fetch(url, { headers: { authorization } })).text()
    const titles =
      'country,currency,tax,rate,category,exemption,net,tax_amount,refunded_net,refunded_tax,total_net,total_tax,source'
    assert.equal(text, `${titles}\r\n`)
  })

  test('is refused for days that do not exist, or end before they begin', async () => {
    const refused = async (days: string) => pointersOf(await operator.get(`${path}?${days}`))
    assert.deepEqual(await refused('from=2026-02-30&to=2026-03-31'), ['/from'])
    assert.deepEqual(await refused('from=2026-03-31&to=2026-03-30'), ['/to'])
    assert.equal((await operator.get('/stores/nowhere/tax-report?from=2026-01-01&to=2026-01-01')).status, 404)
  })
})

describe('the shipping table of a store', () => {
  const path = '/stores/loom/shipping-zones'
  const save = (zones: readonly object[], more: object = {}) => operator.send('PUT', path, { zones, ...more })

  test('is saved whole and prices carts from then on; rows with an id keep it', async () => {
    const made = await operator.change('PUT', path, { zones: [germany] })
    const [zone] = made.zones
    const ids = [zone.id, zone.methods[0].id]
    assert.deepEqual(zone, { ...germany, id: ids[0], methods: [{ ...parcel, id: ids[1] }] })
    assert.deepEqual((await operator.get(path)).body.data, made)

    await world.refresh()
    const client = await world.client()
    const { skus } = (await client.get('/api/v1/open/catalog/products/product-towel')).body.data
    const lines = [{ skuId: skus[0].id, quantity: 1 }]
    const cart = await client.post('/api/v1/open/storefront/carts', { currency: 'EUR', country: 'DE', lines })
    assert.deepEqual(cart.body.data.totals.shipping, { amount: 490, currency: 'EUR' })

    const rates = parcel.rates.map((rate) => ({ ...rate, amount: rate.amount + 100 }))
    const changed = await operator.change('PUT', path, {
      zones: [{ ...zone, methods: [{ ...zone.methods[0], rates }] }],
      expectedVersion: made.version,
    })
    assert.deepEqual([changed.zones[0].id, changed.zones[0].methods[0].id], ids)
  })

  test('changed meanwhile by another operator stays unchanged: version_conflict', async () => {
    const { version } = (await operator.get(path)).body.data
    assert.equal((await save([germany], { expectedVersion: version })).status, 200)
    assert.equal((await save([], { expectedVersion: version })).body.code, 'version_conflict')
  })

  test('is refused with the invalid field: ambiguous places, reversed days, overlapping steps', async () => {
    const zone = (more: object) => ({ ...germany, methods: [{ ...parcel, ...more }] })
    assert.deepEqual(pointersOf(await save([germany, germany])), ['/zones/1/places/0'])
    const everywhere = { ...germany, places: [{ country: '*', region: 'BE' }] }
    assert.deepEqual(pointersOf(await save([everywhere])), ['/zones/0/places/0/region'])
    assert.deepEqual(pointersOf(await save([zone({ minDays: 5 })])), ['/zones/0/methods/0/maxDays'])
    const step = (from: number, upTo: number | null) => ({ currency: 'EUR', from, upTo, amount: 100 })
    const overlapping = zone({ rates: [step(0, 5000), step(4999, null)] })
    assert.deepEqual(pointersOf(await save([overlapping])), ['/zones/0/methods/0/rates/1/from'])
    const backwards = zone({ rates: [step(5000, 5000)] })
    assert.deepEqual(pointersOf(await save([backwards])), ['/zones/0/methods/0/rates/0/upTo'])
  })

  test('has regions by their codes, whether the code or the name was given', async () => {
    const zone = (region: string) => ({ name: 'West', places: [{ country: 'US', region }], methods: [parcel] })
    const { zones } = await operator.change('PUT', path, { zones: [zone('California')] })
    assert.deepEqual(zones[0].places, [{ country: 'US', region: 'CA' }])
    assert.deepEqual(pointersOf(await save([zone('CA'), zone('Kalifornien')])), ['/zones/1/places/0/region'])
    assert.deepEqual(pointersOf(await save([zone('CA'), zone('california')])), ['/zones/1/places/0'])
    await operator.change('PUT', path, { zones: [germany] })
  })

  test('refuses the id of another store, and a repeated one', async () => {
    const { zones } = await operator.change('PUT', '/stores/other/shipping-zones', { zones: [germany] })
    const [foreign] = zones
    assert.deepEqual(pointersOf(await save([foreign])), ['/zones/0/id', '/zones/0/methods/0/id'])
    const own = (await operator.get(path)).body.data.zones[0]
    const twice = { ...own, places: [{ country: 'AT' }], methods: [] }
    assert.deepEqual(pointersOf(await save([own, twice])), ['/zones/1/id'])
    assert.deepEqual((await operator.get('/stores/other/shipping-zones')).body.data.zones, zones)
  })

  test('of an unknown store is not_found, to read and to save', async () => {
    const nowhere = '/stores/nowhere/shipping-zones'
    assert.equal((await operator.get(nowhere)).body.code, 'not_found')
    assert.equal((await operator.send('PUT', nowhere, { zones: [] })).body.code, 'not_found')
  })
})
