import assert from 'node:assert/strict'
import { type Database, idSource, importCatalog } from '@vitrine/server'
import { saveShippingZones, saveTaxRates } from '../../../server/src/features/pricing/index.ts'
import { FOR_EVERYONE, savePromotion } from '../../../server/src/features/promotions/index.ts'
import { statement } from '../../../server/src/platform/postgres/index.ts'
import { type Answer, type Client, dataOf } from '../client.ts'
import { testClock } from '../clock.ts'
import { ensureTemplate } from '../database.ts'
import { testRandomness } from '../randomness.ts'
import { startWorld, type World, type WorldOptions } from '../world.ts'
import { productLine, storeLine } from './catalog.ts'

export { FOR_EVERYONE }

/** A world with two stores, prices, stock, tax, shipping and promotion codes. */
export interface Shop extends World {
  /** The id of a SKU by its code, such as `MUG`. */
  sku(code: string): string
  storeId(slug: string): string
  promotionId(code: string): string
  /** Sets the price of a SKU. Minor units. */
  setPrice(code: string, amount: number, currency?: string): Promise<void>
  /** Sets the stock of a SKU in both environments. */
  setStock(code: string, units: number): Promise<void>
  /** Runs SQL for changes without an operation, such as restricting a store. */
  run(sql: string, values?: readonly unknown[]): Promise<void>
  /** Runs a query, for data that no operation returns. */
  query(sql: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>
}

const CERAMICS = [
  storeLine('ceramics', {
    currencies: ['EUR', 'USD'],
    locales: ['en', 'de'],
    countries: ['DE', 'AT', 'US'],
    names: { en: 'Ceramics', de: 'Keramik' },
  }),
  // 12.54 €, any quantity.
  product('mug', { prices: [price(1254), price(1500, 'USD')], stock: 500, names: { en: 'Mug', de: 'Becher' } }),
  product('bowl', { prices: [price(2200)], stock: 40, weightGrams: 900 }),
  // Three in stock.
  product('vase', { prices: [price(8900)], stock: 3 }),
  // In pairs, at most ten.
  product('cup', { prices: [price(700)], stock: 100, minQuantity: 2, maxQuantity: 10, step: 2 }),
  // The price is close to the largest number that JSON represents exactly, so larger amounts overflow.
  product('gold', { prices: [price(9_007_199_254_740_000)] }),
  product('plan', { prices: [price(100)], stock: 0, whenOutOfStock: 'backorder' }),
]

const BOOKS = [
  storeLine('books', { countries: ['DE', 'FR'] }),
  product('novel', { prices: [price(1100)], stock: 20, taxCategory: 'reduced' }),
]

function price(amount: number, currency = 'EUR') {
  return { currency, amount }
}

function product(id: string, { names, ...sku }: { names?: object; prices: object[]; [member: string]: unknown }) {
  return productLine(id, { ...(names && { names }), skus: [{ code: id.toUpperCase(), ...sku }] })
}

/** More products `item-1` …, for carts with many lines. */
export function manyProducts(count: number) {
  return Array.from({ length: count }, (_, index) => product(`item-${index + 1}`, { prices: [price(100 + index)] }))
}

/** Writes the two stores, their tax, shipping and promotion codes into an empty database. */
export async function seedShop(database: Database): Promise<void> {
  const clock = testClock()
  const now = clock.now()
  const ids = idSource(clock, testRandomness('the shop'))
  for (const [storeSlug, lines] of Object.entries({ ceramics: CERAMICS, books: BOOKS })) {
    const source = lines.map((line) => JSON.stringify(line))
    const report = await importCatalog({ database, storeSlug, source, now, ids })
    assert.deepEqual(report.refused, [], 'lines that were refused')
  }
  const stores = await database.reader.rows(statement<Row>('test.stores', 'select id, slug from stores'))
  const storeIds = new Map(stores.map(({ id, slug }) => [slug, id]))

  const promotion = { ...FOR_EVERYONE, storeId: storeIds.get('ceramics')! }
  await database.transaction(async (tx) => {
    for (const storeId of storeIds.values()) {
      saveTaxRates(tx, storeId, [
        { country: 'DE', region: null, category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.19' },
        { country: 'DE', region: null, category: 'reduced', code: 'vat', name: { en: 'VAT' }, rate: '0.07' },
        { country: 'AT', region: null, category: 'standard', code: 'vat', name: { en: 'VAT' }, rate: '0.20' },
        { country: 'US', region: 'CA', category: 'standard', code: 'sales', name: { en: 'Sales tax' }, rate: '0.0725' },
      ] as Parameters<typeof saveTaxRates>[2])
      const method = (days: number, amount: bigint) => ({
        methodId: ids.next('shp'),
        name: { en: `${days} days` },
        basis: 'subtotal' as const,
        minDays: days,
        maxDays: days + 2,
        taxCategory: 'standard',
        rates: ['EUR', 'USD'].map((currency) => ({ currency, from: 0n, upTo: null, amount })),
      })
      const places = ['DE', 'AT'].map((country) => ({ country, region: null }))
      saveShippingZones(tx, storeId, [
        { zoneId: ids.next('shp'), name: 'Near', places, methods: [method(2, 490n), method(1, 990n)] },
      ])
    }
    const summer = { kind: 'percentage', target: 'order', rate: '0.15' } as const
    const codes = [
      { code: 'SUMMER15', effect: summer },
      { code: 'BIG', effect: summer, minimumSubtotal: { EUR: 10_000n } },
      { code: 'OVER', effect: summer, endsAt: new Date(now.getTime() - 1000) },
      { code: 'SOON', effect: summer, endsAt: new Date(now.getTime() + 20 * 86_400_000) },
      { code: 'ONCE', effect: summer, usageLimit: 1 },
    ]
    for (const each of codes) {
      savePromotion(tx, { ...promotion, title: { en: `Code ${each.code}` }, ...each, id: ids.next('prm') }, now)
    }
  })
}

interface Row {
  readonly id: string
  readonly slug: string
}

/** Starts a world on a copy of the seeded database. `more` are further lines of the ceramics store. */
export async function startShop(options: WorldOptions & { readonly more?: readonly object[] } = {}): Promise<Shop> {
  const template = await ensureTemplate('shop', seedShop)
  const world = await startWorld({ ...options, template })
  if (options.more) await world.import(options.more, 'ceramics')
  return shopOf(world)
}

/** Adds the helpers of a shop to a world whose catalog is complete. */
export async function shopOf(world: World): Promise<Shop> {
  const { database } = world
  const idsOf = async (name: string, sql: string) => {
    const rows = await database.reader.rows(statement<{ readonly id: string; readonly code: string }>(name, sql))
    return new Map(rows.map(({ id, code }) => [code, id]))
  }
  const [skus, stores, promotions] = await Promise.all([
    idsOf('test.skus', 'select id, code from skus'),
    idsOf('test.stores', 'select id, slug as code from stores'),
    idsOf('test.promotions', 'select id, code from promotions'),
  ])
  const storeId = (slug: string) => found(stores, slug)

  const shop: Shop = {
    ...world,
    sku: (code) => found(skus, code),
    storeId,
    promotionId: (code) => found(promotions, code),
    setPrice: (code, amount, currency = 'EUR') =>
      shop.run(
        `with priced as (update prices set amount = $2, compare_at = null where sku_id = $1 and currency = $3)
         insert into revisions (subject, revision)
         select 'catalog/' || store_id, 1 from skus sku join products product on product.id = sku.product_id where sku.id = $1
         on conflict (subject) do update set revision = revisions.revision + 1`,
        [shop.sku(code), amount, currency],
      ),
    setStock: (code, units) =>
      shop.run('update stock_levels set on_hand = $2, counted = true where sku_id = $1', [shop.sku(code), units]),
    async run(sql, values = []) {
      await database.transaction(async (tx) => {
        await tx.change({ name: '', text: sql }, values)
      })
    },
    query: (sql, values) => database.reader.rows(statement<Record<string, unknown>>('', sql), values),
  }
  return shop
}

function found(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name)
  if (id === undefined) throw new Error(`the shop has no ${name}; it has ${[...ids.keys()].join(', ')}`)
  return id
}

export const CARTS = '/api/v1/open/storefront/carts'

/** A cart of the client with these units by SKU code. */
export async function cartOf(
  shop: Shop,
  client: Client,
  units: Readonly<Record<string, number>> = {},
  more: object = {},
): Promise<CartBody> {
  const lines = Object.entries(units).map(([code, quantity]) => ({ skuId: shop.sku(code), quantity }))
  return dataOf(await client.post(CARTS, { currency: 'EUR', country: 'DE', lines, ...more }))
}

// biome-ignore lint/suspicious/noExplicitAny: tests pick the fields they assert; the server checks the schema
export type CartBody = any

/** Asserts a refusal with this code, not applied. */
export function assertRefused(answer: Answer, status: number, code: string): void {
  assert.equal(answer.body?.code, code, answer.text)
  assert.equal(answer.status, status)
  assert.equal(answer.body.outcome, 'not_applied')
}

/** States in which a cart cannot be changed, with the SQL that sets each. */
const CLOSED_STATES: Readonly<Record<string, string>> = {
  converted: `status = 'converted', checkout_session_id = 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8',
    order_id = 'ord_01k5b7m2q8e9rtv3w4x5y6z7a8'`,
  revoked: `status = 'revoked', ended_at = updated_at`,
  expired: `status = 'expired', ended_at = expires_at`,
  locked: `status = 'locked', checkout_session_id = 'cks_01k5b7m2q8e9rtv3w4x5y6z7a8'`,
}

/** Sets a cart's state directly. */
export async function putInto(shop: Shop, cartId: string, state: string): Promise<void> {
  await shop.run(`update carts set ${CLOSED_STATES[state]} where id = $1`, [cartId])
}

/** Asserts that a change is refused in each of those states, with the allowed operations. */
export async function assertRefusedWhenClosed(
  shop: Shop,
  client: Client,
  change: (cart: CartBody) => Promise<Answer>,
  states: readonly string[] = Object.keys(CLOSED_STATES),
): Promise<void> {
  for (const state of states) {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, cart.id, state)
    const answer = await change(cart)
    assertRefused(answer, 409, `cart_${state}`)
    assert.equal(answer.body.conflict.currentState, state)
    assert.equal(answer.body.conflict.allowed[0], 'getPublicCart')
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.equal(body.data.version, 1, 'nothing changed')
  }
}

/** Asserts that another expected version is refused with the current one. */
export async function assertRefusedWhenStale(
  shop: Shop,
  client: Client,
  change: (cart: CartBody, expectedVersion: number) => Promise<Answer>,
): Promise<void> {
  const cart = await cartOf(shop, client, { MUG: 1 })
  const stale = await change(cart, 7)
  assertRefused(stale, 409, 'version_conflict')
  assert.deepEqual(stale.body.conflict, { expectedVersion: 7, currentVersion: 1, currentState: 'active' })
  assert.equal((await change(cart, 1)).status, 200, 'the current version is taken')
}

/** Asserts the same 404 for another installation, the other environment and an unknown cart. */
export async function assertHiddenFromOthers(
  shop: Shop,
  change: (client: Client, cart: CartBody) => Promise<Answer>,
): Promise<void> {
  const owner = await shop.client()
  const cart = await cartOf(shop, owner, { MUG: 1 })
  const otherClient = await shop.client()
  const seen = await change(otherClient, cart)
  const missing = await change(otherClient, { ...cart, id: shop.ids.next('cart') })
  assertRefused(seen, 404, 'not_found')
  const { requestId: _, ...body } = seen.body
  const { requestId: __, ...bodyOfNone } = missing.body
  assert.deepEqual(body, bodyOfNone)
}
