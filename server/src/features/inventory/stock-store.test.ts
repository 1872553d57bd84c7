import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { statement } from '../../platform/postgres/index.ts'
import { bestAvailability, setStockLevel, stockShown } from './index.ts'

const levels = statement<{ environment: string; on_hand: number; held: number; available: number }>(
  'test.levels',
  'select environment, on_hand, held, available from stock_levels order by environment',
)
const sell = (units: number) =>
  statement('test.sell', `update stock_levels set on_hand = on_hand - ${units} where environment = 'live'`)
const hold = (units: number) =>
  statement('test.hold', `update stock_levels set held = ${units} where environment = 'live'`)

describe('declared stock', () => {
  test('is counted per environment', async (t) => {
    const { database } = await testDatabase(t)
    await catalogOn(database).has([productLine('a', { stock: 7 })], 'shop')
    await database.transaction(async (tx) => tx.write(sell(2), []))
    assert.deepEqual(await database.reader.rows(levels), [
      { environment: 'live', on_hand: 5, held: 0, available: 5 },
      { environment: 'test', on_hand: 7, held: 0, available: 7 },
    ])
  })
  test('keeps the count if the same number is declared again, and restarts from another one', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const live = async () => (await database.reader.rows(levels))[0]
    await catalog.has([productLine('a', { stock: 7 })], 'shop')
    await database.transaction(async (tx) => tx.write(sell(2), []))
    await catalog.has([productLine('a', { stock: 7, price: 5 })], 'shop')
    assert.equal((await live())?.on_hand, 5)
    await database.transaction(async (tx) => tx.write(hold(4), []))
    await catalog.has([productLine('a', { stock: 3, price: 5 })], 'shop')
    assert.deepEqual(await live(), { environment: 'live', on_hand: 4, held: 4, available: 0 })
  })
  test('leaves what an operator has set, if the same number is declared again with another rule for selling out', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const declare = (id: string, stock: number | null, whenOutOfStock: string) => {
      const prices = [{ currency: 'EUR', amount: 5 }]
      return catalog.has([productLine(id, { skus: [{ code: id, prices, stock, whenOutOfStock }] })], 'shop')
    }
    const counted = statement<{ counted: boolean; on_hand: number; when_out: string }>(
      'test.counted',
      `select counted, on_hand, when_out from stock_levels where environment = 'live' order by declared nulls first`,
    )
    await declare('unlimited', null, 'deny')
    await declare('limited', 7, 'deny')
    const skus = await database.reader.rows(
      statement<{ sku_id: string; declared: number | null }>(
        'test.live_skus',
        `select sku_id, declared from stock_levels where environment = 'live'`,
      ),
    )
    for (const { sku_id: skuId, declared } of skus) {
      const setting = { skuId, environment: 'live', onHand: declared === null ? 4 : null, whenOut: 'deny' } as const
      await database.transaction((tx) => setStockLevel(tx, setting, catalog.clock.now()))
    }
    await declare('unlimited', null, 'backorder')
    await declare('limited', 7, 'backorder')
    assert.deepEqual(await database.reader.rows(counted), [
      { counted: true, on_hand: 4, when_out: 'backorder' },
      { counted: false, on_hand: 7, when_out: 'backorder' },
    ])
  })
  test('leaves the rule for selling out that an operator has set for tests, unless it declares another one', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const declare = (amount: number, whenOutOfStock: string) => {
      const skus = [{ code: 'a', prices: [{ currency: 'EUR', amount }], stock: 2, whenOutOfStock }]
      return catalog.has([productLine('a', { skus })], 'shop')
    }
    const rules = statement<{ sku_id: string; when_out: string }>(
      'test.rules_for_selling_out',
      'select sku_id, when_out from stock_levels order by environment',
    )
    const read = async () => (await database.reader.rows(rules)).map(({ when_out }) => when_out)
    await declare(5, 'deny')
    const skuId = (await database.reader.rows(rules))[0]!.sku_id
    const setting = { skuId, environment: 'test', onHand: 2, whenOut: 'preorder' } as const
    await database.transaction((tx) => setStockLevel(tx, setting, catalog.clock.now()))
    await declare(6, 'deny')
    assert.deepEqual(await read(), ['deny', 'preorder'])
    await declare(6, 'backorder')
    assert.deepEqual(await read(), ['backorder', 'backorder'])
  })
  test('cannot be held beyond what is in stock', async (t) => {
    const { database } = await testDatabase(t)
    await catalogOn(database).has([productLine('a', { stock: 2 })], 'shop')
    await assert.rejects(
      database.transaction(async (tx) => tx.write(hold(3), [])),
      /violates check constraint/,
    )
    await assert.rejects(
      database.transaction(async (tx) => tx.write(sell(3), [])),
      /violates check constraint/,
    )
  })
})

describe('availability', () => {
  test('follows from the stock level', () => {
    //      counted, available, when out      availability    sellable
    const cases = [
      [true, 6, 'deny', 'in_stock', 6],
      [true, 5, 'deny', 'low_stock', 5],
      [true, 0, 'deny', 'out_of_stock', 0],
      [true, 0, 'backorder', 'backorder', null],
      [true, 0, 'preorder', 'preorder', null],
      [true, 3, 'backorder', 'low_stock', null],
      [false, 0, 'deny', 'in_stock', null],
      [null, null, null, 'in_stock', null],
    ] as const
    for (const [counted, available, when_out, availability, sellableQuantity] of cases) {
      assert.deepEqual(stockShown({ counted, available, when_out }), { availability, sellableQuantity })
    }
  })
  test('of a product is that of its best SKU', () => {
    assert.equal(bestAvailability(['out_of_stock', 'preorder', 'low_stock']), 'low_stock')
    assert.equal(bestAvailability([]), 'out_of_stock')
  })
})
