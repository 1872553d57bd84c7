// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  accessOf,
  begunSession,
  checkoutClient,
  pressPay,
  readSession,
  SESSIONS,
  type Session,
  stockOf,
} from '../support/commerce/checkout.ts'
import { shownIntents } from '../support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

/** Another process on the same database, which pays with the same provider. */
let shop: Shop
let clock: Shop['clock']
let simulator: NonNullable<Shop['simulator']>
let otherNode: World
let client: InstallationClient
before(async () => {
  shop = await startShop({ simulator: true })
  ;({ clock } = shop)
  simulator = shop.simulator!
  otherNode = await startWorld({
    sharedWith: shop,
    environment: { SIMULATOR_URL: simulator.url, SIMULATOR_SECRET: 'a secret that only tests know' },
  })
  client = await checkoutClient(shop)
})

const times = <Result>(count: number, make: (index: number) => Promise<Result>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const charged = async (session: Session) => {
  const { chargeId } = await pressPay(shop, session, 'simulator')
  return chargeId!
}
const ordersOf = async (sessionIds: readonly string[]) =>
  (await shop.query('select session_id, id, charged::integer from orders where session_id = any($1)', [
    sessionIds,
  ])) as {
    session_id: string
    id: string
    charged: number
  }[]
/** Captured minus refunded in the provider's books. Minor units. */
const keptOf = (chargeId: string) =>
  simulator
    .books(`${chargeId}:authorize`)
    .reduce((sum, { operation, amount }) => sum + SIGN[operation as keyof typeof SIGN] * Number(amount), 0)
const SIGN = { authorize: 0, void: 0, capture: 1, refund: -1 }

describe('a payment', () => {
  test('is made once and becomes one order under concurrent submits, reconciliation and notifications', async () => {
    const session = await begunSession(shop, client, { BOWL: 1 })
    const pressed = await Promise.allSettled(Array.from({ length: 10 }, () => charged(session)))
    const charges = new Set(pressed.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : [])))
    assert.equal(charges.size, 1)
    const [chargeId = ''] = charges
    await times(20, (index) => {
      const { payments } = (index % 2 === 0 ? shop : otherNode).app
      return index % 5 === 0 ? payments.reconcileNow(chargeId) : payments.advance(chargeId)
    })
    clock.advance(60_000)
    await Promise.all([shop.work(), otherNode.work()])
    const done = await readSession(client, session.id)
    assert.deepEqual([done.status, done.payment.status], ['completed', 'succeeded'])
    const [order, ...more] = await ordersOf([session.id])
    assert.deepEqual([order?.id, more], [done.orderId, []])
    assert.deepEqual(await shownIntents(shop, order!.id), ['manual pending 1'])
    const operations = simulator.books(`${chargeId}:authorize`).map(({ operation }) => operation)
    assert.deepEqual(operations, ['authorize', 'capture'])
  })

  test('of a session that is canceled meanwhile ends with order and money, or with neither, under all provider faults', async () => {
    const sessions = await times(40, () => begunSession(shop, client, { CUP: 2 }))
    const before = await stockOf(shop, 'CUP')
    const charges = new Map<string, string>()
    const faults = [
      'effect_without_answer',
      'no_effect_no_answer',
      'error_with_effect',
      'error_without_effect',
    ] as const
    simulator.misbehave(...faults.flatMap((fault) => Array.from({ length: 6 }, () => ({ fault }))))
    await Promise.all(
      sessions.map(async (session, index) => {
        const pays = async () => {
          const chargeId = await charged(session).catch(() => null)
          if (chargeId === null) return
          charges.set(session.id, chargeId)
          await (index % 2 === 0 ? shop : otherNode).app.payments.advance(chargeId)
        }
        const givesUp = async () => {
          if (index % 3 === 0) await new Promise((resolve) => setImmediate(resolve))
          await client.post(`${SESSIONS}/${session.id}/cancel`, {})
        }
        await Promise.all(index % 2 === 0 ? [pays(), givesUp()] : [givesUp(), pays()])
      }),
    )
    for (let rounds = 0; rounds < 8; rounds += 1) {
      await Promise.all([shop.work(), otherNode.work()])
      clock.advance(60_000)
    }
    const orders = await ordersOf(sessions.map(({ id }) => id))
    for (const session of sessions) {
      const { status, orderId } = await readSession(client, session.id)
      const order = orders.find((each) => each.session_id === session.id)
      const chargeId = charges.get(session.id)
      assert.equal(orderId, order?.id)
      assert.equal(status, order ? 'completed' : 'canceled', accessOf(session).sessionId)
      assert.equal(chargeId === undefined ? 0 : keptOf(chargeId), order?.charged ?? 0)
    }
    const sold = 2 * orders.length
    assert.deepEqual(await stockOf(shop, 'CUP'), { onHand: before.onHand - sold, held: 0 })
  })
})
