import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { type Asked, analyze, nodesOf, noteAll, plansOf } from '../../../../test/support/plans.ts'
import { present } from '../../kernel/assert.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import {
  consumeStock,
  declareStock,
  holdStock,
  listStockLevels,
  releaseStock,
  returnStock,
  setStockLevel,
  settleShipped,
} from './index.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const skuCalled = statement<{ id: string; product_id: string }>(
  'test.sku_called',
  'select id, product_id from skus where code = $1',
)
/** Enough for an index to be cheaper than reading the whole table. */
const HOLDS = 20_000
const holdMany = statement(
  'test.hold_many',
  `insert into stock_holds (holder, environment, sku_id, quantity, taken)
   select 'checkout ' || number, 'live', 'sku ' || number % 1000, 1, case when number % 1000 = 0 then 0 else 1 end
   from generate_series(1, $1::integer) as number`,
)

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
  const lines = ['owed', 'promised', 'shipped', 'returned', 'canceled', 'released'].map((code) => {
    const sku = { code, prices: [{ currency: 'EUR', amount: 100 }], stock: 0, whenOutOfStock: 'backorder' }
    return productLine(code, { skus: [sku] })
  })
  await catalogOn(database).has(lines, 'shop')
})

const skuOf = async (code: string) => present(await database.reader.row(skuCalled, [code]), code)
const reserve = (holder: string, skuId: string, quantity: number) =>
  database.transaction((tx) => holdStock(tx, { holder, environment: 'live' }, [{ skuId, quantity }]))
const sell = (holder: string, skuId: string, quantity: number) =>
  database.transaction(async (tx) => {
    await holdStock(tx, { holder, environment: 'live' }, [{ skuId, quantity }])
    consumeStock(tx, holder)
  })
const declares = ({ id, product_id }: { id: string; product_id: string }, declared: number) =>
  database.transaction(async (tx) => {
    declareStock(tx, [{ sku_id: id, product_id, declared, when_out: 'backorder' }], NOW)
  })
const levelOf = async (skuId: string) => {
  const level = (await listStockLevels(database.reader, [skuId])).find(({ environment }) => environment === 'live')
  return [level?.on_hand, level?.held, level?.owed]
}
const counts = (skuId: string, onHand: number) =>
  database.transaction(async (tx) => {
    await setStockLevel(tx, { skuId, environment: 'live', onHand, whenOut: 'backorder' }, NOW)
  })

describe('a new count', () => {
  test('leaves out what was sold beyond the stock, so that no unit is sold twice, and canceling it restores the whole count', async () => {
    const sku = await skuOf('owed')
    const skuId = sku.id
    await sell('owed one', skuId, 3)
    await sell('owed two', skuId, 2)
    assert.deepEqual(await levelOf(skuId), [0, 0, 5])
    await declares(sku, 4)
    assert.deepEqual(await levelOf(skuId), [0, 0, 1], 'the older sale is served first')
    await declares(sku, 4)
    assert.deepEqual(await levelOf(skuId), [0, 0, 1], 'the same number is not another delivery')
    await counts(skuId, 20)
    assert.deepEqual(await levelOf(skuId), [19, 0, 0])
    await counts(skuId, 20)
    assert.deepEqual(await levelOf(skuId), [20, 0, 0])
    const canceled = {
      environment: 'live',
      units: [{ skuId, quantity: 2, restocks: true }],
      soldTo: 'owed two',
      now: NOW,
    } as const
    await database.transaction((tx) => returnStock(tx, canceled))
    assert.deepEqual(await levelOf(skuId), [22, 0, 0])
  })

  test('reserves for a checkout under way what it could not take, and releases it with the checkout', async () => {
    const { id: skuId } = await skuOf('promised')
    await reserve('waiting', skuId, 3)
    await counts(skuId, 2)
    assert.deepEqual(await levelOf(skuId), [2, 2, 0])
    await counts(skuId, 10)
    assert.deepEqual(await levelOf(skuId), [10, 3, 0])
    await database.transaction((tx) => releaseStock(tx, 'waiting'))
    assert.deepEqual(await levelOf(skuId), [10, 0, 0])
  })

  test('leaves out nothing that has shipped, and nothing of the other environment', async () => {
    const sku = await skuOf('shipped')
    const skuId = sku.id
    await sell('sent', skuId, 3)
    await database.transaction(async (tx) => settleShipped(tx, 'sent', [{ skuId, quantity: 1 }]))
    assert.deepEqual(await levelOf(skuId), [0, 0, 1])
    await database.transaction(async (tx) => settleShipped(tx, 'sent', []))
    await declares(sku, 7)
    assert.deepEqual(await levelOf(skuId), [7, 0, 0])
    await sell('more', skuId, 9)
    const other = { skuId, environment: 'test', onHand: 5, whenOut: 'backorder' } as const
    await database.transaction((tx) => setStockLevel(tx, other, NOW))
    assert.deepEqual(await levelOf(skuId), [0, 0, 2])
  })
})

describe('units that come back', () => {
  const comeBack = (
    skuId: string,
    quantity: number,
    { soldTo, restocks = true }: { soldTo?: string; restocks?: boolean } = {},
  ) =>
    database.transaction((tx) =>
      returnStock(tx, {
        environment: 'live',
        units: [{ skuId, quantity, restocks }],
        soldTo: soldTo ?? null,
        now: NOW,
      }),
    )

  test('from a buyer go to those who wait first, and then to checkouts under way', async () => {
    const { id: skuId } = await skuOf('returned')
    await sell('returned one', skuId, 2)
    await reserve('returned two', skuId, 1)
    assert.deepEqual(await comeBack(skuId, 1), [], 'none can be sold')
    assert.deepEqual(await levelOf(skuId), [0, 0, 1])
    assert.deepEqual(await comeBack(skuId, 1, { restocks: false }), [])
    assert.deepEqual(await levelOf(skuId), [0, 0, 1], 'what cannot be sold covers nothing')
    assert.deepEqual(await comeBack(skuId, 4), [skuId])
    assert.deepEqual(await levelOf(skuId), [3, 1, 0])
  })

  test('from a canceled sale end what it waits for, and the rest goes to those who wait', async () => {
    const { id: skuId } = await skuOf('canceled')
    await counts(skuId, 2)
    await sell('canceled one', skuId, 3)
    await sell('canceled two', skuId, 5)
    await comeBack(skuId, 2, { soldTo: 'canceled one' })
    assert.deepEqual(await levelOf(skuId), [0, 0, 4])
    await comeBack(skuId, 2, { soldTo: 'canceled two', restocks: false })
    assert.deepEqual(await levelOf(skuId), [0, 0, 2])
    assert.deepEqual(await comeBack(skuId, 5, { soldTo: 'canceled two' }), [skuId])
    assert.deepEqual(await levelOf(skuId), [3, 0, 0])
  })

  test('from a checkout that ends go to those who wait', async () => {
    const { id: skuId } = await skuOf('released')
    await counts(skuId, 3)
    await reserve('released one', skuId, 4)
    await sell('released two', skuId, 1)
    await reserve('released three', skuId, 1)
    const releases = (holder: string) => database.transaction((tx) => releaseStock(tx, holder))
    assert.deepEqual(await releases('released one'), [skuId])
    assert.deepEqual(await levelOf(skuId), [2, 1, 0])
    assert.deepEqual(await releases('released three'), [], 'it is shown as before')
    assert.deepEqual(await levelOf(skuId), [2, 0, 0])
  })

  test('are given away without reading the reservations of every other checkout', async (t) => {
    const own = await testDatabase(t)
    await own.database.transaction(async (tx) => tx.write(holdMany, [HOLDS], { rows: HOLDS }))
    await analyze(own.ownerUrl, 'stock_holds')
    const asked: Asked[] = []
    noteAll(own.database, (each) => asked.push(each))
    await own.database.transaction((tx) => releaseStock(tx, 'checkout 1'))
    const units = [{ skuId: 'sku 1', quantity: 1, restocks: true }]
    await own.database.transaction((tx) => returnStock(tx, { environment: 'live', units, soldTo: null, now: NOW }))
    const reads = (await plansOf(own.url, asked))
      .flatMap(({ plan }) => nodesOf(plan))
      .filter((node) => node['Relation Name'] === 'stock_holds' && node['Node Type'] !== 'ModifyTable')
    assert.ok(reads.length >= 2)
    // By one holder, or by the index of the few that wait. A bitmap names its index in a node below.
    for (const read of reads.map((read) => JSON.stringify(read))) assert.match(read, /\(holder = |stock_holds_beyond/)
  })
})
