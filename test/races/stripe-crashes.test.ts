// test: long
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { systemClock } from '@vitrine/server'
import { refundByOperator } from '../../server/src/features/orders/index.ts'
import { intentOf } from '../../server/src/features/payments/index.ts'
import { requestCapture } from '../../server/src/features/payments/intents/begin.ts'
import type { CrashPoint } from '../../server/src/platform/crash/crash-points.ts'
import { begunSession, checkoutClient, pressPay } from '../support/commerce/checkout.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { STAND_IN_KEY, type StripeStandIn, startStripeStandIn } from '../support/network/stripe-stand-in.ts'
import { type CrashingServer, startCrashingServer } from '../support/processes/crashing-server.ts'
import type { InstallationClient } from '../support/world.ts'

// An authorization, its partial capture and its refund at Stripe, each by a server that is killed at a crash point and restarted. The
// server resumes the work with only the stored data and Stripe's records.

const STEPS = ['authorize', 'capture', 'refund'] as const
const POINTS: Readonly<Record<(typeof STEPS)[number], readonly CrashPoint[]>> = {
  authorize: ['payment.intended', 'payment.submitted', 'payment.answered'],
  capture: ['payment.submitted', 'payment.answered', 'order.committed'],
  refund: ['refund.submitted', 'refund.answered'],
}
const PATIENCE_MS = 60_000

let standIn: StripeStandIn
let shop: Shop
let client: InstallationClient
let server: CrashingServer
before(async () => {
  standIn = await startStripeStandIn()
  const environment = {
    STRIPE_API_URL: standIn.url,
    STRIPE_TEST_KEY: STAND_IN_KEY,
    STRIPE_TEST_CAPTURE: 'later',
    SEALING_KEY: Buffer.alloc(32, 7).toString('base64'),
  }
  shop = await startShop({ environment })
  client = await checkoutClient(shop)
  server = await startCrashingServer({
    ...environment,
    DATABASE_URL: shop.databaseUrl,
    PUBLIC_URL: shop.publicUrl,
    CRASH_AT: 'payment.intended',
  })
})
/** Crashed processes use the system clock, so the shop does too. */
const isNow = () => shop.clock.advance(Math.max(0, systemClock.now().getTime() - shop.clock.now().getTime()))
const statusOf = async (id: string) => (await intentOf(shop.database.reader, id))?.status

/** Releases the leases of the dead process at once. */
async function leasesRunOut(): Promise<void> {
  for (const table of ['jobs', 'payment_intents']) {
    await shop.run(`update ${table} set lease_until = '2026-01-01' where lease_until is not null`)
  }
}

/** Waits for a condition, and restarts the server when it has killed itself. @returns the number of restarts */
async function until(holds: () => Promise<boolean>): Promise<number> {
  const end = performance.now() + PATIENCE_MS
  let kills = 0
  while (!(await holds())) {
    assert(performance.now() < end, 'it has come to its end')
    if (server.isDead()) {
      await server.restart(leasesRunOut)
      kills += 1
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  if (kills === 0 && server.isDead()) {
    await server.restart(leasesRunOut)
    kills += 1
  }
  return kills
}

/** Begins a payment; the worker sends it. */
async function begun(): Promise<string> {
  isNow()
  const { chargeId } = await pressPay(shop, await begunSession(shop, client, { MUG: 1 }), 'stripe')
  assert(chargeId !== null)
  return chargeId
}

/** The shopper pays on the page, and comes back. */
async function pays(chargeId: string): Promise<void> {
  const page = standIn.books.sessionOf(chargeId)
  assert.ok(page && standIn.books.pay(page.id))
  isNow()
  // The worker may be looking up the payment at the same time.
  await shop.app.payments.reconcileNow(chargeId)
  await until(async () => (await statusOf(chargeId)) === 'authorized')
}

async function orderIdOf(chargeId: string): Promise<string> {
  const [row] = await shop.query('select id from orders where charge_id = $1', [chargeId])
  return String(row?.id)
}

async function captures(chargeId: string): Promise<void> {
  isNow()
  const context = { ids: shop.ids, now: shop.clock.now() }
  await shop.database.transaction((tx) => requestCapture(tx, chargeId, 1000n, context))
}

async function refunds(chargeId: string): Promise<void> {
  isNow()
  const context = { ids: shop.ids, now: shop.clock.now() }
  const orderId = await orderIdOf(chargeId)
  await shop.database.transaction((tx) => refundByOperator(tx, { orderId, amount: 400n }, context))
}

async function refundedOf(chargeId: string): Promise<boolean> {
  const [row] = await shop.query(`select status from payment_intents where charge_id = $1`, [chargeId])
  return row?.status === 'succeeded'
}

describe('a process that is killed while it pays through Stripe', () => {
  after(() => server.stop())

  for (const step of STEPS) {
    for (const point of POINTS[step]) {
      test(`at ${point} of the ${step} leaves one page, one order, one capture and one refund`, async () => {
        const arm = async (at: (typeof STEPS)[number]) => (at === step ? server.arm(point) : undefined)
        let kills = 0
        await arm('authorize')
        const chargeId = await begun()
        kills += await until(async () => (await statusOf(chargeId)) === 'requires_action')
        await pays(chargeId)
        await arm('capture')
        await captures(chargeId)
        kills += await until(async () => (await statusOf(chargeId)) === 'succeeded')
        await arm('refund')
        await refunds(chargeId)
        kills += await until(() => refundedOf(chargeId))
        assert.equal(kills, 1)

        const movements = standIn.books.movements(chargeId).map(({ operation, amount }) => [operation, Number(amount)])
        assert.deepEqual(movements, [
          ['capture', 1000],
          ['refund', 400],
        ])
        const pages = [...standIn.books.sessions.values()].filter(
          ({ metadata }) => metadata?.vitrine_intent === chargeId,
        )
        const [order] = await shop.query('select charge, charged, refunded from orders where charge_id = $1', [
          chargeId,
        ])
        assert.deepEqual(
          [pages.length, order?.charge, Number(order?.charged), Number(order?.refunded)],
          [1, 'captured', 1000, 400],
        )
      })
    }
  }
})
