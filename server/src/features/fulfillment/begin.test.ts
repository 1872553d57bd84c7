import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { Client } from 'pg'
import { shownIntents } from '../../../../test/support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { secretDeps } from '../../../../test/support/secrets.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { MIGRATIONS } from '../../platform/postgres/index.ts'
import { cancelByOperator } from '../cancellations/index.ts'
import { findOrderById, importOrders, statusesOf } from '../orders/index.ts'
import {
  beginImportedFulfillment,
  importLicenses,
  intentsOf,
  listIntents,
  markDelivered,
  markFailed,
  openLicenseVault,
  sendAgain,
  ship,
  stopFulfillment,
} from './index.ts'

let shop: Shop
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let client: InstallationClient
before(async () => {
  shop = await startShop()
  ;({ database, ids, clock } = shop)
  client = await shop.client()
})

/** Runs the migration on orders that the previous version imported. */
async function upgraded(): Promise<void> {
  const text = await readFile(new URL('0088_failed_refunds_and_parcels.sql', MIGRATIONS), 'utf8')
  const connection = new Client({ connectionString: shop.ownerUrl })
  await connection.connect()
  try {
    await connection.query(`begin; drop index order_adjustments_failed; ${text}; commit`)
  } finally {
    await connection.end()
  }
}

let made = 0
/** Imports an order of three mugs and a novel, and returns its id. */
async function imported(more: object = {}): Promise<string> {
  made += 1
  const externalId = `order-${made}`
  const line = {
    externalId,
    placedAt: '2025-11-03T09:14:00Z',
    currency: 'EUR',
    country: 'DE',
    email: 'ada@example.com',
    lines: [
      { store: 'ceramics', sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000 },
      { store: 'books', sku: 'NOVEL', name: 'Novel', quantity: 1, unitPrice: 1100 },
    ],
    ...more,
  }
  const { installationId } = client
  const source = [JSON.stringify(line)]
  const report = await importOrders({
    database,
    ids,
    installationId,
    source,
    now: clock.now(),
    beginFulfillment: beginImportedFulfillment,
  })
  assert.deepEqual(report, { read: 1, created: 1, unchanged: 0, refused: [] })
  const [row] = await shop.query('select id from orders where external_id = $1', [externalId])
  return String(row?.id)
}

const shipping = (orderId: string, reference: string, store: string) =>
  database.transaction((tx) =>
    ship(tx, { orderId, reference, storeId: shop.storeId(store) }, { ids, now: clock.now() }),
  )
const statuses = async (orderId: string) =>
  Object.values(statusesOf(await findOrderById(database.reader, orderId))).join(' ')

const parcel = { dispatchedAt: '2025-11-04T08:00:00Z', lines: [{ line: 1, quantity: 1 }] }

describe('an imported order', () => {
  test('that is paid has manual intents per store, and is shipped until it is complete', async () => {
    const id = await imported()
    assert.deepEqual(await shownIntents(shop, id), ['manual pending 1', 'manual pending 3'])
    const listed = await listIntents(database.reader, 'pending', {
      limit: 100,
      after: null,
      environment: null,
      storeId: null,
    })
    assert.equal(listed.filter(({ intent }) => intent.orderId === id).length, 2)
    await shipping(id, 'P-1', 'ceramics')
    assert.equal(await statuses(id), 'processing paid partially_fulfilled')
    await shipping(id, 'P-2', 'books')
    assert.equal(await statuses(id), 'completed paid fulfilled')
  })

  test('has the units of an intent in the order of its lines', async () => {
    const quantities = [1, 2, 3, 4, 5, 6]
    const lines = quantities.map((quantity) => {
      return { store: 'ceramics', sku: 'MUG', name: `Mug ${quantity}`, quantity, unitPrice: 1000 }
    })
    const [intent] = await intentsOf(database.reader, await imported({ lines }))
    assert.deepEqual(
      intent?.lines.map(({ quantity }) => quantity),
      quantities,
    )
  })

  test('has intents for the units that were neither shipped nor canceled elsewhere', async () => {
    const id = await imported({ parcels: [parcel], canceled: [{ line: 1, quantity: 1 }] })
    assert.deepEqual(await shownIntents(shop, id), ['manual dispatched 1', 'manual pending 1', 'manual pending 1'])
    await shipping(id, 'P-1', 'ceramics')
    await shipping(id, 'P-2', 'books')
    assert.equal(await statuses(id), 'completed paid fulfilled')
  })

  for (const [payment, left] of Object.entries({ paid: ['manual pending 1'], pending: [] })) {
    test(`has its parcels in transit, whose outcome an operator records, also if its payment is ${payment}`, async () => {
      const [arrived, lost] = [
        { ...parcel, deliveredAt: '2025-11-05T08:00:00Z' },
        { ...parcel, carrier: 'DHL' },
      ]
      const id = await imported({ payment, parcels: [arrived, lost, { ...parcel, lines: [{ line: 1, quantity: 1 }] }] })
      const { parcels } = await findOrderById(database.reader, id)
      const [, second, third] = parcels.map((each) => each.id)
      assert.deepEqual(await shownIntents(shop, id), ['manual dispatched 1', 'manual dispatched 1', ...left])
      const context = { ids, now: clock.now() }
      await database.transaction((tx) => markDelivered(tx, third!, context))
      await database.transaction((tx) => markFailed(tx, second!, 'It came back.', context))
      await database.transaction((tx) => sendAgain(tx, second!, { carrier: 'UPS' }, context))
      await database.transaction((tx) => markDelivered(tx, second!, context))
      const shown = await findOrderById(database.reader, id)
      assert.deepEqual(
        shown.parcels.map(({ status, carrier, deliveredAt }) => [status, carrier, deliveredAt !== null]),
        [
          ['delivered', null, true],
          ['delivered', 'UPS', true],
          ['delivered', null, true],
        ],
      )
      await assert.rejects(
        database.transaction((tx) => markDelivered(tx, second!, context)),
        { code: 'state_conflict' },
      )
    })
  }

  test('of an earlier version, which left out its parcels in transit, can have their delivery recorded after the upgrade', async () => {
    const both = [1, 2].map((line) => ({ line, quantity: 1 }))
    const parcels = [
      { ...parcel, carrier: 'DHL', trackingNumber: '00340' },
      { ...parcel, lines: both },
    ]
    const whole = [
      { line: 1, quantity: 3 },
      { line: 2, quantity: 1 },
    ]
    const open = await imported({ parcels })
    const completed = await imported({ parcels: [{ ...parcel, lines: whole }] })
    const intents = async () =>
      (await Promise.all([open, completed].map((id) => intentsOf(database.reader, id)))).flat()
    const before = await intents()
    await shop.run(`delete from fulfilment_units where intent_id in (select id from order_parcels)`)
    await shop.run(`delete from fulfilment_intents where id in (select id from order_parcels)`)
    await upgraded()
    assert.deepEqual(await intents(), before)
    await upgraded()
    assert.deepEqual(await intents(), before)
    for (const { id } of before.filter(({ status }) => status === 'dispatched')) {
      await database.transaction((tx) => markDelivered(tx, id, { ids, now: clock.now() }))
    }
    assert.equal(await statuses(completed), 'completed paid delivered')
    await shipping(open, 'P-1', 'ceramics')
    assert.equal(await statuses(open), 'completed paid fulfilled')
  })

  test('that is not paid can be canceled in part after another part has shipped', async () => {
    const id = await imported({ payment: 'pending', parcels: [parcel] })
    const { lines } = await findOrderById(database.reader, id)
    const units = [{ lineId: lines[0]!.id, quantity: 2 }]
    const stopping = database.transaction((tx) => stopFulfillment(tx, id, units, { ids, now: clock.now() }))
    assert.deepEqual(await stopping, { stopped: true })
  })

  test('shows a parcel of several stores with the store and the lines of the first', async () => {
    const both = [1, 2].map((line) => ({ line, quantity: 1 }))
    const id = await imported({ parcels: [{ ...parcel, lines: both }] })
    const intents = await intentsOf(database.reader, id)
    const [order, sent] = [await findOrderById(database.reader, id), intents.find(({ status }) => status !== 'pending')]
    assert.deepEqual(
      [sent?.storeId, sent?.lines],
      [shop.storeId('ceramics'), [{ lineId: order.lines[0]!.id, quantity: 1 }]],
    )
  })

  for (const [status, more] of Object.entries({
    'is completed': { status: 'completed' },
    'is canceled': { status: 'canceled', payment: 'voided' },
    'is not paid yet': { payment: 'pending' },
  })) {
    test(`that ${status} has no intents`, async () => {
      assert.deepEqual(await shownIntents(shop, await imported(more)), [])
    })
  }

  test('that is on hold has intents, like any order', async () => {
    assert.equal((await shownIntents(shop, await imported({ status: 'on_hold' }))).length, 2)
  })

  test('that is canceled here has its intents stopped', async () => {
    const orderId = await imported()
    await database.transaction((tx) =>
      cancelByOperator(tx, { orderId, reason: 'customer_request' }, { ids, now: clock.now(), stopFulfillment }),
    )
    assert.deepEqual(await shownIntents(shop, orderId), ['manual stopped 1', 'manual stopped 3'])
    assert.match(await statuses(orderId), /^canceled/)
  })

  test('mails no keys, even if its SKUs have some', async () => {
    const vault = await database.transaction((tx) => openLicenseVault(tx, secretDeps()))
    const pool = { skuId: shop.sku('BOWL'), environment: 'test' } as const
    await database.transaction((tx) => importLicenses(tx, pool, ['KEY-1'], { ids, now: clock.now(), vault }))
    const bowl = { store: 'ceramics', sku: 'BOWL', name: 'Bowl', quantity: 1, unitPrice: 2200 }
    const id = await imported({ lines: [bowl] })
    await shop.work()
    assert.deepEqual(await shop.mails(), [])
    assert.deepEqual(await shownIntents(shop, id), ['manual pending 1'])
  })
})
