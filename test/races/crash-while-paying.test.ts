import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { systemClock } from '@vitrine/server'
import { beginRefund, intentOf } from '../../server/src/features/payments/index.ts'
import { begunSession, checkoutClient, pressPay, readSession } from '../support/checkout.ts'
import { background, freePorts, temporaryFolder } from '../support/command.ts'
import { startShop } from '../support/shop.ts'

/**
 * A worker of its own on the shop’s database dies at each point of a payment. Another one takes over once its leases have
 * run out, and the provider, which has outlived both, is asked what it did.
 */
const WEBHOOK_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const shop = await startShop({ environment: { WEBHOOK_SECRET_KEY }, simulator: true })
const client = await checkoutClient(shop)
const simulator = shop.simulator!

async function diesAt(point: string): Promise<void> {
  const crashing = background(['start', '--json', '--empty', '--roles', 'worker'], {
    env: {
      ...(await freePorts()),
      DATABASE_URL: shop.databaseUrl,
      DATA_DIR: await temporaryFolder(),
      SIMULATOR_URL: simulator.url,
      SIMULATOR_SECRET: 'a secret that only tests know',
      WEBHOOK_SECRET_KEY,
      CRASH_AT: point,
      LOG_LEVEL: 'error',
    },
  })
  assert.equal((await crashing.ended).code, null, 'it was killed')
}

/** Those who die go by the clock on the wall, so the shop does as well. */
const isNow = () => shop.clock.advance(Math.max(0, systemClock.now().getTime() - shop.clock.now().getTime()))

/** Lets the leases of the dead run out, which takes a minute by the clock. */
async function leasesRunOut(): Promise<void> {
  isNow()
  for (const table of ['jobs', 'payment_intents']) {
    await shop.run(`update ${table} set lease_until = '2026-01-01' where lease_until is not null`)
  }
}

const stand = async (id: string) => (await intentOf(shop.database.reader, id))!
const booked = (chargeId: string) => simulator.books(`${chargeId}:authorize`).map(({ operation }) => operation)

describe('a worker that dies while a payment is made', () => {
  const points = [
    ['payment.intended', 'created', []],
    ['payment.submitted', 'submitted', []],
    ['payment.answered', 'submitted', ['authorize']],
    ['order.placed', 'submitted', ['authorize', 'capture']],
  ] as const
  for (const [point, status, done] of points) {
    test(`at ${point}, leaves one capture and one order to whoever comes next`, async () => {
      isNow()
      const session = await begunSession(shop, client, { MUG: 1 })
      const { chargeId } = await pressPay(shop, session, 'simulator')
      await diesAt(point)
      assert.deepEqual([(await stand(chargeId!)).status, booked(chargeId!)], [status, done])

      await leasesRunOut()
      await shop.work()
      assert.deepEqual([(await stand(chargeId!)).status, booked(chargeId!)], ['succeeded', ['authorize', 'capture']])
      assert.equal((await readSession(client, session.id)).status, 'completed')
      const orders = await shop.query('select id from orders where session_id = $1', [session.id])
      assert.equal(orders.length, 1)
    })
  }
})

describe('a worker that dies while money is given back', () => {
  for (const [point, done] of [
    ['refund.submitted', ['authorize', 'capture']],
    ['refund.answered', ['authorize', 'capture', 'refund']],
  ] as const) {
    test(`at ${point}, leaves one refund to whoever comes next`, async () => {
      isNow()
      const session = await begunSession(shop, client, { MUG: 1 })
      const { chargeId } = await pressPay(shop, session, 'simulator')
      const { amount } = await shop.app.payments.advance(chargeId!)
      const refund = await shop.database.transaction((tx) =>
        beginRefund(
          tx,
          { chargeId: chargeId!, subjectId: session.id, purpose: 'late_success', amount },
          { ids: shop.ids, now: shop.clock.now() },
        ),
      )
      await diesAt(point)
      assert.deepEqual([(await stand(refund)).status, booked(chargeId!)], ['submitted', done])

      await leasesRunOut()
      await shop.work()
      assert.equal((await stand(refund)).status, 'succeeded')
      assert.deepEqual(booked(chargeId!), ['authorize', 'capture', 'refund'])
    })
  }
})
