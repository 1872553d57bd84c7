// test: long
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '@vitrine/server'
import { begunSession, checkoutClient, pressPay } from '../support/commerce/checkout.ts'
import { saveSeller } from '../support/commerce/sellers.ts'
import { startShop } from '../support/commerce/shop.ts'
import { startCrashingServer } from '../support/processes/crashing-server.ts'

const ORDERS = 50
const BEFORE_THE_KILL = 15
const PATIENCE_MS = 60_000

test('a server that is killed during fifty orders leaves no gaps and no duplicates in their invoice numbers', async () => {
  const shop = await startShop({ simulator: true })
  // The server uses the system clock.
  shop.clock.advance(Math.max(0, systemClock.now().getTime() - shop.clock.now().getTime()))
  await saveSeller(shop)
  const client = await checkoutClient(shop)
  const sessions = await Promise.all(Array.from({ length: ORDERS }, () => begunSession(shop, client, { MUG: 1 })))
  await Promise.all(sessions.map((session) => pressPay(shop, session, 'simulator')))

  const server = await startCrashingServer({
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
    DATABASE_URL: shop.databaseUrl,
    PUBLIC_URL: shop.publicUrl,
    SIMULATOR_URL: shop.simulator!.url,
    SIMULATOR_SECRET: 'a secret that only tests know',
    // No order has one.
    CRASH_AT: 'cancellation.decided',
  })
  const ordersAre = async (count: number) => {
    const end = performance.now() + PATIENCE_MS
    for (;;) {
      const [row] = await shop.query('select count(*) from orders')
      if (Number(row?.count) >= count) return
      assert(performance.now() < end, `${row?.count} orders of ${count}`)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  await ordersAre(BEFORE_THE_KILL)
  // Killed after an order and its invoice number were written, but not committed.
  await server.arm('order.placed')
  let standing = 0
  await server.restart(async () => {
    const [row] = await shop.query('select count(*) from orders')
    standing = Number(row?.count)
    for (const table of ['jobs', 'payment_intents']) {
      await shop.run(`update ${table} set lease_until = '2026-01-01' where lease_until is not null`)
    }
  })
  assert(standing >= BEFORE_THE_KILL && standing < ORDERS, `${standing} orders when it died`)
  await ordersAre(ORDERS)
  await server.stop()

  const rows = await shop.query(
    `select count(*)::integer as documents, count(distinct order_id)::integer as orders, min(sequence) as first,
       max(sequence) as last, count(distinct sequence)::integer as numbers from invoices`,
  )
  assert.deepEqual(rows, [{ documents: ORDERS, orders: ORDERS, first: 1, last: ORDERS, numbers: ORDERS }])
})
