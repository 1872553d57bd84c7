import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { type Database, isUniqueViolation, statement } from '../../platform/postgres/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { Revisions } from '../../platform/revisions/revisions.ts'
import { FOR_EVERYONE, type Promotion, type PromotionEffect, savePromotion } from '../promotions/index.ts'
import { RuleSnapshots } from './rule-snapshots.ts'
import { saveShippingZones, saveTaxRates, saveTaxScheme } from './rule-store.ts'
import type { ShippingZone, TaxRate } from './types.ts'

const NOW = new Date('2026-06-01T12:00:00Z')
let database: Database

before(async () => {
  ;({ database } = await testDatabase())
  await database.transaction(async (tx) => {
    for (const slug of ['ceramics', 'books', 'quiet']) tx.write(addStore, [`store_${slug}`, slug, NOW])
  })
})

const addStore = statement(
  'test.add_store',
  `insert into stores (id, slug, currencies, locales, countries, prices_include_tax, names, created_at, updated_at)
   values ($1, $2, '{EUR}', '{en}', '{DE}', true, '{"en": "A store"}', $3, $3)`,
)

describe('a promotion', () => {
  const effects: readonly PromotionEffect[] = [
    { kind: 'percentage', target: 'order', rate: '0.125' },
    { kind: 'fixed_amount', target: 'line', amounts: { EUR: 250n, JPY: 9_007_199_254_740_991n } },
    {
      kind: 'buy_x_get_y',
      buyQuantity: 2,
      getQuantity: 1,
      rate: '1',
      gets: { productIds: ['prod_1'], categoryIds: [] },
      setsMax: 3,
    },
    { kind: 'buy_x_get_y', buyQuantity: 1, getQuantity: 1, rate: '0.5', gets: null, setsMax: null },
    { kind: 'free_shipping' },
  ]
  for (const [index, effect] of effects.entries()) {
    test(`of the kind ${effect.kind} reads as saved, ${index}`, async () => {
      const whole: Promotion = {
        ...automatic(`prm_kind_${index}`, 'store_ceramics', effect),
        lines: { productIds: ['prod_1'], categoryIds: ['cat_1', 'cat_2'] },
        audience: { kind: 'listed_customers', customerIds: ['cus_1'] },
        startsAt: NOW,
        endsAt: new Date('2027-01-01T00:00:00Z'),
        minimumSubtotal: { EUR: 1n, CHF: 9_007_199_254_740_991n },
        usageLimit: 100,
        usageLimitPerCustomer: 1,
        priority: -3,
        combinesWith: ['line', 'shipping'],
        stopAfter: true,
      }
      await saved((tx) => savePromotion(tx, whole, NOW))
      assert.deepEqual(find(await ask({ storeIds: ['store_ceramics'] }), whole.id), whole)
    })
  }

  test('applies to the next cart once its revision is known', async () => {
    const snapshots = new RuleSnapshots()
    const sale = automatic('prm_changing', 'store_books', { kind: 'percentage', target: 'order', rate: '0.1' })
    await saved((tx) => savePromotion(tx, sale, NOW))
    await ask({ storeIds: ['store_books'], snapshots })
    const changed: Promotion = { ...sale, effect: { kind: 'percentage', target: 'order', rate: '0.2' } }
    await saved((tx) => savePromotion(tx, changed, NOW))
    assert.deepEqual(find(await ask({ storeIds: ['store_books'], snapshots }), sale.id), changed)
  })

  test('of a store does not affect another; a marketplace promotion affects all', async () => {
    const own = automatic('prm_own', 'store_books', { kind: 'free_shipping' })
    const common = automatic('prm_common', null, { kind: 'free_shipping' })
    await saved((tx) => {
      savePromotion(tx, own, NOW)
      savePromotion(tx, common, NOW)
    })
    const ids = (await ask({ storeIds: ['store_ceramics'] })).promotions.map(({ id }) => id)
    assert.ok(ids.includes('prm_common') && !ids.includes('prm_own'))
  })

  test('with a code is found only by its code, in any case', async () => {
    const coded = { ...automatic('prm_coded', 'store_books', { kind: 'free_shipping' }), code: 'Summer' }
    await saved((tx) => savePromotion(tx, coded, NOW))
    const withCode = (code: string | null) => ask({ storeIds: ['store_books'], code })
    assert.deepEqual(find(await withCode('sUMMER'), 'prm_coded'), coded)
    assert.equal(find(await withCode(null), 'prm_coded'), undefined)
    assert.equal(find(await withCode('SUMMERS'), 'prm_coded'), undefined)
  })

  test('has a unique code per store, ignoring case', async () => {
    const one = { ...automatic('prm_twin_1', null, { kind: 'free_shipping' }), code: 'TWIN' }
    const other = { ...one, id: 'prm_twin_2', code: 'twin' }
    await saved((tx) => savePromotion(tx, one, NOW))
    await assert.rejects(
      saved((tx) => savePromotion(tx, other, NOW)),
      (error) => isUniqueViolation(error),
    )
  })

  test('is refused by the table with a rate above 1', () =>
    assert.rejects(
      saved((tx) =>
        savePromotion(tx, automatic('prm_much', null, { kind: 'percentage', target: 'line', rate: '1.01' }), NOW),
      ),
      { code: '23514' },
    ))
})

describe('redemptions of a promotion', () => {
  const use = statement(
    'test.use_promotion',
    `insert into promotion_usage (promotion_id, environment, customer_id, used, used_max) values ($1, $2, $3, $4, 5)`,
  )

  test('are counted in total and per customer, per environment', async () => {
    const limited = { ...automatic('prm_limited', 'store_books', { kind: 'free_shipping' }), usageLimit: 5 }
    await saved((tx) => {
      savePromotion(tx, limited, NOW)
      tx.write(use, ['prm_limited', 'live', '', 4])
      tx.write(use, ['prm_limited', 'live', 'cus_1', 1])
      tx.write(use, ['prm_limited', 'live', 'cus_2', 3])
    })
    const question = { storeIds: ['store_books'], customerId: 'cus_1' }
    const live = await ask({ ...question, environment: 'live' })
    const tested = await ask({ ...question, environment: 'test' })
    assert.deepEqual(live.usage.get('prm_limited'), { total: 4, byCustomer: 1 })
    assert.equal(tested.usage.get('prm_limited'), undefined)
  })

  test('never exceed the limit in their row', () =>
    assert.rejects(
      saved((tx) => tx.write(use, ['prm_limited', 'live', 'cus_3', 6])),
      { code: '23514' },
    ))
})

describe('tax and shipping tables', () => {
  const taxRates: readonly TaxRate[] = [
    rate({ code: 'gst', region: null, rate: '0.05' }),
    rate({ code: 'qst', region: 'QC', rate: '0.09975' }),
  ]
  const zones: readonly ShippingZone[] = [
    {
      zoneId: 'zone_near',
      storeId: 'store_ceramics',
      name: 'Near',
      places: [
        { country: 'AT', region: null },
        { country: 'DE', region: null },
      ],
      methods: [method('shp_near_post')],
    },
    {
      zoneId: 'zone_world',
      storeId: 'store_ceramics',
      name: 'World',
      places: [{ country: '*', region: null }],
      methods: [],
    },
  ]

  const scheme = { storeId: 'store_ceramics', country: 'CA', kind: 'origin' } as const

  test('read as saved and replace the previous tables', async () => {
    for (let time = 0; time < 2; time += 1) {
      await saved((tx) => {
        saveTaxRates(tx, 'store_ceramics', taxRates)
        saveTaxScheme(tx, scheme)
        saveShippingZones(tx, 'store_ceramics', zones)
      })
    }
    const asked = { storeIds: ['store_ceramics'], country: 'CA' }
    assert.deepEqual((await ask(asked)).rules, { taxRates, taxSchemes: [scheme], shippingZones: zones })
  })

  test('are read without the rates of other countries, except the seller’s own country under the origin scheme', async () => {
    const abroad = { storeIds: ['store_ceramics'], country: 'US' }
    assert.deepEqual((await ask(abroad)).rules.taxRates, taxRates)
    await saved((tx) => saveTaxScheme(tx, { ...scheme, kind: 'destination' }))
    assert.deepEqual((await ask(abroad)).rules.taxRates, [])
  })

  test('of other stores are not read', async () =>
    assert.deepEqual((await ask({ storeIds: ['store_books'] })).rules, {
      taxRates: [],
      taxSchemes: [],
      shippingZones: [],
    }))

  test('never have overlapping rates', () => {
    const overlapping = {
      ...method('shp_overlap'),
      rates: [
        { currency: 'EUR', from: 0n, upTo: 100n, amount: 1n },
        { currency: 'EUR', from: 99n, upTo: null, amount: 2n },
      ],
    }
    const zone = { ...zones[0]!, methods: [overlapping] }
    return assert.rejects(
      saved((tx) => saveShippingZones(tx, 'store_ceramics', [zone])),
      /shipping_rates_never_overlap/,
    )
  })

  test('never have a place in two zones', () =>
    assert.rejects(
      saved((tx) =>
        saveShippingZones(tx, 'store_ceramics', [zones[0]!, { ...zones[0]!, zoneId: 'zone_twin', methods: [] }]),
      ),
      (error) => isUniqueViolation(error),
    ))
})

describe('a warm cache', () => {
  const cost = async (storeId: string) => {
    const question = { storeIds: [storeId], code: 'NOSUCH', snapshots: new RuleSnapshots() }
    await ask(question)
    const before = database.counters().queries
    await ask({ ...question, refresh: false })
    return database.counters().queries - before
  }

  test('costs no query, with a valid or unknown code', async () => assert.equal(await cost('store_quiet'), 0))

  test('costs one query if a promotion has a usage limit', async () => {
    const limited = { ...automatic('prm_rare', 'store_ceramics', { kind: 'free_shipping' }), usageLimit: 5 }
    await saved((tx) => savePromotion(tx, limited, NOW))
    assert.equal(await cost('store_ceramics'), 1)
  })
})

// Helpers

const revisions = new Revisions()

/** Loads through new snapshots unless given. */
async function ask(question: {
  storeIds: readonly string[]
  country?: string
  code?: string | null
  environment?: 'test' | 'live'
  customerId?: string
  snapshots?: RuleSnapshots
  refresh?: boolean
}) {
  if (question.refresh !== false) await revisions.refresh(database.reader)
  return (question.snapshots ?? new RuleSnapshots()).load(database.reader, {
    storeIds: question.storeIds,
    country: question.country ?? 'DE',
    code: question.code ?? null,
    environment: question.environment ?? 'live',
    customerId: question.customerId ?? null,
    revisionOf: (subject) => String(revisions.of(subject)),
  })
}

function saved(work: (tx: Transaction) => void): Promise<void> {
  return database.transaction(async (tx) => work(tx))
}

function find({ promotions }: { readonly promotions: readonly Promotion[] }, id: string): Promotion | undefined {
  return promotions.find((promotion) => promotion.id === id)
}

function automatic(id: string, storeId: string | null, effect: PromotionEffect): Promotion {
  return { ...FOR_EVERYONE, id, storeId, title: { en: id }, effect }
}

function rate(own: Pick<TaxRate, 'code' | 'region' | 'rate'>): TaxRate {
  return { storeId: 'store_ceramics', country: 'CA', category: 'standard', name: { en: own.code }, ...own }
}

function method(methodId: string): ShippingZone['methods'][number] {
  return {
    methodId,
    name: { en: 'Post', de: 'Post' },
    basis: 'weight',
    minDays: 1,
    maxDays: 3,
    taxCategory: 'standard',
    rates: [
      { currency: 'EUR', from: 0n, upTo: 1000n, amount: 490n },
      { currency: 'EUR', from: 1000n, upTo: null, amount: 990n },
    ],
  }
}
