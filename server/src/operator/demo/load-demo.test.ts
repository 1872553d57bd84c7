import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { testRandomness } from '../../../../test/support/randomness.ts'
import { secretDeps } from '../../../../test/support/secrets.ts'
import { readDemoLines } from '../../../demo/index.ts'
import { idSource } from '../../kernel/ids.ts'
import { statement } from '../../platform/postgres/index.ts'
import type { DemoTaxes } from './demo-rules.ts'
import { loadDemo } from './load-demo.ts'

const STORES = ['havelton', 'saumpfad', 'quire-and-crema', 'atelier']
const TAXES = readDemoLines('taxes.jsonl').map((line) => JSON.parse(line) as DemoTaxes)
const PRODUCTS = STORES.flatMap((slug) => readDemoLines(`products/${slug}.jsonl`)).length

const clock = testClock()
const randomness = testRandomness()
const ids = idSource(clock, randomness)
let database: Awaited<ReturnType<typeof testDatabase>>['database']
before(async () => {
  ;({ database } = await testDatabase())
})

const counted = statement<{ what: string; rows: bigint }>(
  'demo_test.counted',
  `select 'stores' as what, count(*) as rows from stores
   union all select 'products', count(*) from products where status = 'published'
   union all select 'promotions', count(*) from promotions
   union all select 'taxRates', count(*) from tax_rates
   union all select 'legalTexts', count(*) from legal_texts
   union all select 'decorations', count(*) from decorations
   union all select 'depth', max(cardinality(path)) from categories
   union all select 'pools', count(*) from licence_pools
   union all select 'keys', count(*) from licence_keys where environment = 'test'
   union all select 'uncategorised', count(*) from products where category_ids = '{}'
   union all select 'unpriced', count(*) from skus where (select count(*) from prices where sku_id = id) <> 3`,
)

const everything = statement<{ what: string; bytes: string }>(
  'demo_test.everything',
  `select 'products' as what, md5(string_agg(products::text, '' order by id)) as bytes from products
   union all select 'skus', md5(string_agg(skus::text, '' order by id)) from skus
   union all select 'prices', md5(string_agg(prices::text, '' order by sku_id, currency)) from prices
   union all select 'categories', md5(string_agg(categories::text, '' order by id)) from categories
   union all select 'stores', md5(string_agg(stores::text, '' order by id)) from stores
   union all select 'promotions', md5(string_agg(promotions::text, '' order by id)) from promotions
   union all select 'methods', md5(string_agg(shipping_methods::text, '' order by id)) from shipping_methods
   union all select 'revisions', md5(string_agg(revisions::text, '' order by subject)) from revisions`,
)

const load = () =>
  loadDemo({
    database,
    ids,
    randomness,
    keyring: secretDeps().keyring,
    now: clock.now(),
    pagesUrl: 'https://pages.example',
    onProgress,
  })
const steps: [done: number, total: number][] = []
const onProgress = (done: number, total: number) => void steps.push([done, total])

describe('loadDemo', () => {
  test('loads every product with its rules, and reports its progress', async () => {
    assert.deepEqual(await load(), { created: PRODUCTS, unchanged: 0 })

    const found = Object.fromEntries(
      (await database.reader.rows(counted)).map(({ what, rows }) => [what, Number(rows)]),
    )
    assert.deepEqual(found, {
      stores: STORES.length,
      products: PRODUCTS,
      promotions: readDemoLines('promotions.jsonl').length,
      taxRates: TAXES.reduce((sum, { stores, rates }) => sum + stores.length * Object.keys(rates).length, 0),
      legalTexts: 12,
      decorations: STORES.length,
      depth: 3,
      pools: 4,
      keys: 4 * 50,
      uncategorised: 0,
      unpriced: 0,
    })
    const [done, total] = steps.at(-1)!
    assert.equal(done, total)
    assert.ok(steps.every(([each], index) => index === 0 || each >= steps[index - 1]![0]))
  })

  test('changes nothing when it runs again', async () => {
    const before = await database.reader.rows(everything)
    clock.advance(24 * 60 * 60 * 1000)

    assert.deepEqual(await load(), { created: 0, unchanged: PRODUCTS })

    assert.deepEqual(await database.reader.rows(everything), before)
  })
})
