import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
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

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
  const lines = ['owed', 'promised', 'shipped'].map((code) => {
    const sku = { code, prices: [{ currency: 'EUR', amount: 100 }], stock: 0, whenOutOfStock: 'backorder' }
    return productLine(code, { skus: [sku] })
  })
  await catalogOn(database).has(lines, 'shop')
})

describe('a new count', () => {
  const skuOf = async (code: string) => present(await database.reader.row(skuCalled, [code]), code)
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
    const canceled = { environment: 'live', units: [{ skuId, quantity: 2 }], soldTo: 'owed two', now: NOW } as const
    await database.transaction((tx) => returnStock(tx, canceled))
    assert.deepEqual(await levelOf(skuId), [22, 0, 0])
  })

  test('reserves for a checkout under way what it could not take, and releases it with the checkout', async () => {
    const { id: skuId } = await skuOf('promised')
    await database.transaction((tx) =>
      holdStock(tx, { holder: 'waiting', environment: 'live' }, [{ skuId, quantity: 3 }]),
    )
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
