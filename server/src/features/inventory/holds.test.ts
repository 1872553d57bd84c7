import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { catalogOn, productLine } from '../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { type Database, statement } from '../../platform/postgres/index.ts'
import { consumeStock, holdStock, releaseStock, type StockUnits } from './index.ts'

const sku = (code: string, more: object) =>
  productLine(code, { skus: [{ code, prices: [{ currency: 'EUR', amount: 100 }], ...more }] })

let database: Database
const ids = new Map<string, string>()
before(async () => {
  ;({ database } = await testDatabase())
  await catalogOn(database).has(
    [
      sku('few', { stock: 3 }),
      sku('many', { stock: 500 }),
      sku('later', { stock: 2, whenOutOfStock: 'backorder' }),
      sku('uncounted', {}),
    ],
    'shop',
  )
  const rows = await database.reader.rows(
    statement<{ id: string; code: string }>('test.skus', 'select id, code from skus'),
  )
  for (const { id, code } of rows) ids.set(code, id)
})

const units = (wanted: Readonly<Record<string, number>>): StockUnits[] =>
  Object.entries(wanted).map(([code, quantity]) => ({ skuId: String(ids.get(code)), quantity }))
const named = (skuIds: readonly string[]) => skuIds.map((id) => [...ids].find(([, each]) => each === id)?.[0]).sort()

const hold = async (holder: string, wanted: readonly StockUnits[]) =>
  named(await database.transaction((tx) => holdStock(tx, { holder, environment: 'live' }, wanted)))
const release = async (holder: string) => named(await database.transaction((tx) => releaseStock(tx, holder)))
const consume = (holder: string) => database.transaction(async (tx) => consumeStock(tx, holder))

async function level(code: string) {
  const read = statement<{ on_hand: number; held: number }>(
    'test.level',
    `select on_hand, held from stock_levels where sku_id = $1 and environment = 'live'`,
  )
  const row = await database.reader.row(read, [ids.get(code)])
  return [row?.on_hand, row?.held]
}

describe('holding stock', () => {
  test('takes all lines or none, and reports the available quantity of each short line', async () => {
    const refusal = await refuses('out_of_stock', () => hold('a', units({ few: 4, many: 1, later: 9 })))
    assert.deepEqual(refusal.facts.conflict?.lines, [
      { skuId: ids.get('few'), requestedQuantity: 4, availableQuantity: 3 },
    ])
    assert.deepEqual(
      [await level('few'), await level('many'), await level('later')],
      [
        [3, 0],
        [500, 0],
        [2, 0],
      ],
    )
  })

  test('sums the lines of a SKU, which together take no more than is available', async () => {
    const [line] = units({ few: 2 }) as [StockUnits]
    const refusal = await refuses('out_of_stock', () => hold('b', [line, line]))
    assert.equal(refusal.facts.conflict?.lines?.[0]?.requestedQuantity, 4)
    await hold('b', [line, { ...line, quantity: 1 }])
    assert.deepEqual(await level('few'), [3, 3])
    await release('b')
  })

  test('takes the units in stock of a SKU that can be oversold, and nothing of an uncounted SKU', async () => {
    assert.deepEqual(await hold('c', units({ later: 5, uncounted: 999 })), ['later'])
    assert.deepEqual(
      [await level('later'), await level('uncounted')],
      [
        [2, 2],
        [0, 0],
      ],
    )
    await consume('c')
    assert.deepEqual(await level('later'), [0, 0])
  })

  test('returns the SKUs whose displayed stock changes, not those with more left than is displayed', async () => {
    assert.deepEqual(await hold('d', units({ few: 1, many: 440 })), ['few'])
    assert.deepEqual(await hold('e', units({ many: 20 })), ['many'])
    assert.deepEqual(await release('e'), ['many'])
    assert.deepEqual(await release('d'), ['few'])
  })

  test('ends once: released or sold units are not released again', async () => {
    await hold('f', units({ few: 2 }))
    await consume('f')
    assert.deepEqual(await level('few'), [1, 0])
    assert.deepEqual(await release('f'), [])
    await consume('f')
    assert.deepEqual(await level('few'), [1, 0])
  })
})
