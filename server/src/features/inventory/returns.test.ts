import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import { consumeStock, holdStock, returnStock, settleShipped } from './index.ts'

const NOW = new Date('2026-03-01T10:00:00Z')
const onHand = statement<{ on_hand: number }>(
  'test.on_hand',
  `select on_hand from stock_levels where sku_id = $1 and environment = 'live'`,
)

interface Case {
  readonly whenOut: 'deny' | 'backorder' | 'preorder'
  readonly stock: number
  readonly sold: number
  /** Canceled units, and the stock level after each. */
  readonly canceled: readonly (readonly [units: number, onHand: number])[]
}
const cases: readonly Case[] = [
  {
    whenOut: 'deny',
    stock: 5,
    sold: 3,
    canceled: [
      [1, 3],
      [2, 5],
    ],
  },
  {
    whenOut: 'backorder',
    stock: 5,
    sold: 3,
    canceled: [
      [1, 3],
      [2, 5],
    ],
  },
  {
    whenOut: 'backorder',
    stock: 2,
    sold: 3,
    canceled: [
      [1, 0],
      [1, 1],
      [1, 2],
    ],
  },
  {
    whenOut: 'backorder',
    stock: 2,
    sold: 5,
    canceled: [
      [2, 0],
      [3, 2],
    ],
  },
  { whenOut: 'backorder', stock: 2, sold: 5, canceled: [[5, 2]] },
  { whenOut: 'preorder', stock: 0, sold: 4, canceled: [[4, 0]] },
]

describe('returned units', () => {
  let database: Database
  const skuIds: string[] = []
  before(async () => {
    ;({ database } = await testDatabase())
    const lines = [...cases, { whenOut: 'backorder', stock: 0 }].map(({ whenOut, stock }, index) => {
      const sku = { code: `S${index}`, prices: [{ currency: 'EUR', amount: 100 }], stock, whenOutOfStock: whenOut }
      return productLine(`p${index}`, { skus: [sku] })
    })
    await catalogOn(database).has(lines, 'shop')
    const rows = await database.reader.rows(
      statement<{ id: string; code: string }>('test.skus_by_code', 'select id, code from skus order by code'),
    )
    skuIds.push(...rows.map(({ id }) => id))
  })

  const sell = (holder: string, skuId: string, quantity: number) =>
    database.transaction(async (tx) => {
      await holdStock(tx, { holder, environment: 'live' }, [{ skuId, quantity }])
      consumeStock(tx, holder)
    })
  const comeBack = (soldTo: string | null, skuId: string, quantity: number) =>
    database.transaction((tx) =>
      returnStock(tx, { environment: 'live', units: [{ skuId, quantity, restocks: true }], soldTo, now: NOW }),
    )
  const stockOf = async (skuId: string) => (await database.reader.row(onHand, [skuId]))?.on_hand

  for (const [index, { whenOut, stock, sold, canceled }] of cases.entries()) {
    const steps = canceled.map(([units]) => units).join(' and ')
    test(`${sold} sold of ${stock} with ${whenOut}, ${steps} canceled: only units from stock return to it`, async () => {
      const skuId = String(skuIds[index])
      await sell(`session ${index}`, skuId, sold)
      for (const [units, expected] of canceled) {
        await comeBack(`session ${index}`, skuId, units)
        assert.equal(await stockOf(skuId), expected)
      }
      assert.equal(await stockOf(skuId), stock, 'all that was sold was canceled')
    })
  }

  test('from a buyer return to stock, however they were sold', async () => {
    const skuId = String(skuIds.at(-1))
    await sell('one', skuId, 2)
    await database.transaction(async (tx) => settleShipped(tx, 'one', []))
    assert.deepEqual(await comeBack(null, skuId, 2), [skuId], 'it is shown as in stock')
    assert.equal(await stockOf(skuId), 2)
  })
})
