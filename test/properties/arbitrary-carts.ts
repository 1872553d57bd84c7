import fc from 'fast-check'
import type {
  PricingInput,
  PricingLine,
  ShippingZone,
  StoreFacts,
  TaxRate,
} from '../../server/src/features/pricing/index.ts'
import type { Promotion, PromotionEffect } from '../../server/src/features/promotions/index.ts'

/** Arbitrary carts for pricing. Ids are from small sets, so that rules match lines often. */

const NOW = new Date('2026-06-01T12:00:00Z')
const STORES = ['store_a', 'store_b', 'store_c']
const PRODUCTS = ['prod_1', 'prod_2', 'prod_3', 'prod_4']
const CATEGORIES = ['cat_1', 'cat_2', 'cat_3']
const TAX_CATEGORIES = ['standard', 'reduced', 'zero', 'unknown']

const store = (storeId: string): fc.Arbitrary<StoreFacts> =>
  fc.record({ storeId: fc.constant(storeId), pricesIncludeTax: fc.boolean() })

const line = (index: number): fc.Arbitrary<PricingLine> =>
  fc.record({
    lineId: fc.constant(`line_${String(index).padStart(3, '0')}`),
    skuId: fc.constant(`sku_${index}`),
    productId: fc.constantFrom(...PRODUCTS),
    storeId: fc.constantFrom(...STORES),
    categoryIds: fc.subarray(CATEGORIES),
    quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 999 })),
    unitPrice: fc.oneof(fc.bigInt({ min: 0n, max: 20n }), fc.bigInt({ min: 0n, max: 5_000_000n })),
    weightGrams: fc.integer({ min: 0, max: 40_000 }),
    requiresShipping: fc.integer({ min: 0, max: 7 }).map((die) => die > 0),
    taxCategory: fc.constantFrom(...TAX_CATEGORIES),
  })

const rate = fc.oneof(
  fc.constantFrom('0', '0.05', '0.07', '0.081', '0.09975', '0.19', '0.2', '1'),
  fc.integer({ min: 0, max: 999_999 }).map((digits) => `0.${String(digits).padStart(6, '0')}`),
)

const positiveRate = rate.filter((text) => Number(text) > 0)

const selection = fc.record({ productIds: fc.subarray(PRODUCTS), categoryIds: fc.subarray(CATEGORIES) })

const amount = fc.oneof(fc.bigInt({ min: 1n, max: 50n }), fc.bigInt({ min: 1n, max: 1_000_000n }))
const target = fc.constantFrom('line', 'order', 'shipping')

const effect = (currency: string): fc.Arbitrary<PromotionEffect> =>
  fc.oneof(
    fc.record({ kind: fc.constant('percentage'), target, rate: positiveRate }),
    fc.record({ kind: fc.constant('fixed_amount'), target, amounts: amount.map((off) => ({ [currency]: off })) }),
    fc.record({
      kind: fc.constant('buy_x_get_y'),
      buyQuantity: fc.integer({ min: 1, max: 4 }),
      getQuantity: fc.integer({ min: 1, max: 3 }),
      rate: positiveRate,
      gets: fc.option(selection),
      setsMax: fc.option(fc.integer({ min: 1, max: 3 })),
    }),
    fc.constant<PromotionEffect>({ kind: 'free_shipping' }),
  )

const phases = fc.oneof(
  { weight: 3, arbitrary: fc.constant(['line', 'order', 'shipping'] as const) },
  { weight: 1, arbitrary: fc.subarray(['line', 'order', 'shipping'] as const) },
)

const promotion = (index: number, currency: string): fc.Arbitrary<Promotion> =>
  fc.record({
    id: fc.constant(`prm_${index}`),
    storeId: fc.option(fc.constantFrom(...STORES)),
    code: fc.option(fc.constantFrom('SUMMER', 'WELCOME')),
    title: fc.constant({ en: `Promotion ${index}`, de: `Aktion ${index}` }),
    status: fc.constantFrom('active', 'active', 'active', 'paused'),
    effect: effect(currency),
    lines: fc.oneof(fc.constant({ productIds: [], categoryIds: [] }), selection),
    storeIds: fc.constant([]),
    audience: fc.oneof(
      { weight: 4, arbitrary: fc.constant({ kind: 'anyone' } as const) },
      { weight: 1, arbitrary: fc.constant({ kind: 'known_customers' } as const) },
    ),
    startsAt: fc.option(fc.constant(new Date('2026-01-01T00:00:00Z'))),
    endsAt: fc.option(fc.constantFrom(new Date('2026-03-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z'))),
    minimumSubtotal: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: amount.map((least) => ({ [currency]: least })) },
    ),
    usageLimit: fc.option(fc.constant(10)),
    usageLimitPerCustomer: fc.option(fc.constant(1), { freq: 2 }),
    priority: fc.integer({ min: 0, max: 2 }),
    combinesWith: phases,
    stopAfter: fc.boolean(),
  })

const taxRates: fc.Arbitrary<TaxRate[]> = fc
  .tuple(...STORES.flatMap((storeId) => TAX_CATEGORIES.slice(0, 3).map((category) => ratesOf(storeId, category))))
  .map((rates) => rates.flat())

/** One to three rates of a category, one for the region only. */
function ratesOf(storeId: string, category: string): fc.Arbitrary<TaxRate[]> {
  return fc.array(rate, { minLength: 1, maxLength: 3 }).map((rates) =>
    rates.map((each, index) => ({
      storeId,
      country: 'CA',
      region: index === 2 ? 'QC' : null,
      category,
      code: `rate_${index}`,
      name: { en: `Rate ${index}` },
      rate: category === 'zero' ? '0' : each,
    })),
  )
}

const zone = (storeId: string, currency: string): fc.Arbitrary<ShippingZone> =>
  fc.record({
    zoneId: fc.constant(`zone_${storeId}`),
    storeId: fc.constant(storeId),
    name: fc.constant('Here'),
    places: fc.constant([{ country: 'CA', region: null }]),
    methods: fc
      .tuple(fc.constantFrom('subtotal', 'weight'), amount, amount, fc.bigInt({ min: 1n, max: 60_000n }))
      .map(([basis, low, high, step]) => [
        {
          methodId: `shp_${storeId}_post`,
          name: { en: 'Post' },
          basis,
          minDays: 2,
          maxDays: 4,
          taxCategory: 'standard',
          rates: [
            { currency, from: 0n, upTo: step, amount: low },
            { currency, from: step, upTo: null, amount: high },
          ],
        },
        {
          methodId: `shp_${storeId}_express`,
          name: { en: 'Express' },
          basis: 'subtotal',
          minDays: 1,
          maxDays: 1,
          taxCategory: 'standard',
          rates: [{ currency, from: 0n, upTo: null, amount: high }],
        },
      ]),
  })

/** 0 to 12 lines in one of three currencies, 0 to 8 promotions, one of two codes or none. */
export const pricingInputs: fc.Arbitrary<PricingInput> = fc.constantFrom('EUR', 'JPY', 'KWD').chain((currency) =>
  fc.record({
    currency: fc.constant(currency),
    locale: fc.constantFrom('en', 'de-AT'),
    country: fc.constant('CA'),
    region: fc.constantFrom(null, 'QC'),
    now: fc.constant(NOW),
    lines: fc
      .integer({ min: 0, max: 12 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => line(i)))),
    stores: fc.tuple(...STORES.map(store)),
    promotions: fc
      .integer({ min: 0, max: 8 })
      .chain((count) => fc.tuple(...Array.from({ length: count }, (_, i) => promotion(i, currency)))),
    code: fc.constantFrom(null, 'summer', 'WELCOME', 'NOSUCH'),
    customer: fc.constantFrom(null, { id: 'cus_1' }),
    usage: fc.constantFrom(new Map(), new Map([['prm_0', { total: 10, byCustomer: 1 }]])),
    shippingOptionId: fc.constantFrom(null, 'shp_store_a_express', 'shp_store_a_express+shp_store_b_post', 'shp_gone'),
    destination: fc.constantFrom(null, { country: 'CA', region: 'QC' }),
    rules: fc.record({
      taxRates,
      shippingZones: fc.subarray(STORES).chain((ids) => fc.tuple(...ids.map((id) => zone(id, currency)))),
    }),
  }),
)
