// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { expireSessions } from '../../server/src/features/checkout/index.ts'
import { type Answer, client as clientOf } from '../support/client.ts'
import {
  begunSession,
  checkout,
  checkoutClient,
  eventKindsOf,
  paid,
  quoted,
  readSession,
  readyCart,
  SESSIONS,
  stockOf,
  terms,
  waitsForTransfer,
} from '../support/commerce/checkout.ts'
import { CARTS, manyProducts, type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'
import { type InstallationClient, startWorld } from '../support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop({ more: manyProducts(6) })
  client = await checkoutClient(shop)
})

/** Counts responses by status and code. */
function tally(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { status, body } of answers) {
    const name = body.code === undefined ? String(status) : `${status} ${body.code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}

/** A shorter interval would take half of the processor time. */
const LOOK_EVERY_MS = 5

/** Watches a stock level until stopped: it must never be negative or below the held units. */
function watchStock(code: string) {
  let watching = true
  const watched = (async () => {
    let looks = 0
    while (watching) {
      const { onHand, held } = await stockOf(shop, code)
      assert(onHand >= 0 && held >= 0 && held <= onHand, `${held} of ${onHand} are held`)
      looks += 1
      await later(LOOK_EVERY_MS)
    }
    return looks
  })()
  return async () => {
    watching = false
    assert((await watched) > 0)
  }
}

/** Runs the work for each item with limited concurrency. */
async function atOnce<Item, Result>(
  items: readonly Item[],
  width: number,
  act: (item: Item, index: number) => Promise<Result>,
) {
  const left = [...items.entries()]
  const results: Result[] = []
  await Promise.all(
    Array.from({ length: width }, async () => {
      for (let next = left.shift(); next; next = left.shift()) results[next[0]] = await act(next[1], next[0])
    }),
  )
  return results
}

const SHOPPERS = runsOf({ full: 200, short: 40 })
const UNITS = SHOPPERS / 4
const REFUSED = SHOPPERS - UNITS

describe(`${SHOPPERS} shoppers for the last ${UNITS} units`, () => {
  test(`end in ${UNITS} orders and ${REFUSED} refusals, with no stock left and never a negative level`, async () => {
    await shop.setStock('BOWL', UNITS)
    const other = await startWorld({ sharedWith: shop })
    const atOther = clientOf({
      origin: other.origin,
      publicUrl: shop.publicUrl,
      clock: shop.clock,
      key: String(client.key),
      ...(client.proof && { proof: client.proof }),
    })
    const carts = await atOnce(Array.from({ length: SHOPPERS }), 8, () => readyCart(shop, client, { BOWL: 1 }))
    const stop = watchStock('BOWL')

    const answers = await Promise.all(carts.map(({ id }, index) => checkout(index % 2 === 0 ? client : atOther, id)))

    assert.deepEqual(tally(answers), { 200: UNITS, '409 out_of_stock': REFUSED })
    for (const { body } of answers.filter(({ status }) => status === 409)) {
      assert.deepEqual(body.conflict.lines, [{ skuId: shop.sku('BOWL'), requestedQuantity: 1, availableQuantity: 0 }])
      assert.deepEqual([body.outcome, body.retry.advice], ['not_applied', 'refresh_state'])
    }
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: UNITS, held: UNITS })

    const sessions = answers.flatMap(({ status, body }) => (status === 200 ? [body.data] : []))
    const ended = await atOnce(sessions, 8, (session) => paid(shop, client, session))
    await stop()
    assert.equal(new Set(ended.map(({ orderId }) => orderId)).size, UNITS)
    assert(ended.every(({ status }) => status === 'completed'))
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: 0, held: 0 })
    const [sold] = await shop.query(
      `select count(*) as orders, count(distinct session_id) as sessions from orders where installation_id = $1`,
      [client.installationId],
    )
    assert.deepEqual([Number(sold?.orders), Number(sold?.sessions)], [UNITS, UNITS])
    assert.deepEqual(await shop.query('select 1 from stock_holds where sku_id = $1', [shop.sku('BOWL')]), [])
  })
})

const BUYERS = runsOf({ full: 100, short: 20 })

describe('a code with 10 redemptions', () => {
  test(`is redeemed by 10 of ${BUYERS} concurrent checkouts and refused to the other ${BUYERS - 10}`, async () => {
    const id = shop.promotionId('BIG')
    await shop.run('update promotions set usage_limit = 10 where id = $1', [id])
    await shop.run('delete from promotion_amounts where promotion_id = $1', [id])
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()
    const carts = await atOnce(Array.from({ length: BUYERS }), 8, async () => {
      const cart = await readyCart(shop, client, { MUG: 1 })
      assert.equal((await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'BIG' })).status, 200)
      return { ...cart, quoteId: await quoted(client, cart.id) }
    })

    const answers = await Promise.all(carts.map(({ id: cartId, quoteId }) => checkout(client, cartId, { quoteId })))

    assert.deepEqual(tally(answers), { 200: 10, '409 promotion_inapplicable': BUYERS - 10 })
    const used = async () => {
      const [row] = await shop.query('select used from promotion_usage where promotion_id = $1', [id])
      return row?.used
    }
    assert.equal(await used(), 10)
    const [first, second, ...kept] = answers.flatMap(({ status, body }) => (status === 200 ? [body.data] : []))
    await Promise.all([cancel(first.id), cancel(second.id)])
    assert.equal(await used(), 8)
    await paid(shop, client, kept[0])
    assert.equal(await used(), 8, 'redemptions of orders stay')
  })

  test('is redeemed once per customer over concurrent carts', async () => {
    const id = shop.promotionId('SOON')
    await shop.run('update promotions set usage_limit_per_customer = 1 where id = $1', [id])
    await shop.run(`update revisions set revision = revision + 1 where subject like 'rules/%'`)
    await shop.refresh()
    const customerIds = ['cus_a', 'cus_b']
    const carts = await atOnce(Array.from({ length: 20 }), 8, () => readyCart(shop, client, { MUG: 1 }))
    for (const [index, cart] of carts.entries()) {
      await shop.run('update carts set customer_id = $2 where id = $1', [cart.id, customerIds[index % 2]])
      assert.equal((await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SOON' })).status, 200)
    }

    const answers = await Promise.all(carts.map(({ id: cartId }) => checkout(client, cartId)))

    assert.deepEqual(tally(answers), { 200: 2, '409 promotion_inapplicable': 18 })
    const used = await shop.query(
      'select customer_id, used from promotion_usage where promotion_id = $1 order by customer_id',
      [id],
    )
    assert.deepEqual(
      used,
      customerIds.map((customer_id) => ({ customer_id, used: 1 })),
    )
  })
})

describe('one cart', () => {
  test('has one session after concurrent begins by either operation', async () => {
    const cart = await readyCart(shop, client, { MUG: 2 })
    const before = await stockOf(shop, 'MUG')
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? checkout(client, cart.id) : client.post(SESSIONS, { cartId: cart.id, ...terms }),
      ),
    )
    assert.deepEqual(tally(answers), { 200: 20 })
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.deepEqual(await stockOf(shop, 'MUG'), { ...before, held: before.held + 2 })
  })
})

describe('the same SKUs in a different order', () => {
  test('are held without deadlock', async () => {
    const codes = Array.from({ length: 6 }, (_, index) => `ITEM-${index + 1}`)
    await Promise.all(codes.map((code) => shop.setStock(code, 30)))
    const carts = await atOnce(Array.from({ length: 40 }), 8, (_, index) => {
      const order = index % 2 === 0 ? codes : codes.toReversed()
      return readyCart(shop, client, Object.fromEntries(order.map((code) => [code, 1])))
    })
    const { repetitions } = shop.database.counters()

    const answers = await Promise.all(carts.map(({ id }) => checkout(client, id)))

    assert.deepEqual(tally(answers), { 200: 30, '409 out_of_stock': 10 })
    assert.equal(shop.database.counters().repetitions, repetitions, 'no transaction was repeated')
    for (const code of codes) assert.deepEqual(await stockOf(shop, code), { onHand: 30, held: 30 })
  })
})

describe('concurrent ends of a session', () => {
  test('a manual confirmation and a cancellation make an order or a canceled session, never both', async () => {
    for (let round = 0; round < 10; round += 1) {
      const session = await begunSession(shop, client, { MUG: 1 })
      const chargeId = await waitsForTransfer(shop, session)
      const [confirming, canceling] = await Promise.allSettled([
        shop.app.payments.confirmManual(chargeId, { isDone: true }),
        cancel(session.id),
      ])
      assert(canceling.status === 'fulfilled')
      const after = await readSession(client, session.id)
      const orders = await shop.query('select id from orders where session_id = $1', [session.id])
      const refunds = await shop.query(`select 1 from payment_intents where subject_id = $1 and kind = 'refund'`, [
        session.id,
      ])
      if (after.status === 'completed') {
        assert.deepEqual([canceling.value.body.code, orders.length, refunds.length], ['session_not_cancelable', 1, 0])
      } else {
        assert.deepEqual([after.status, canceling.value.status, orders.length], ['canceled', 200, 0])
        // A confirmed payment for a session canceled just before is refunded.
        assert.equal(refunds.length, confirming.status === 'fulfilled' && after.payment.status === 'succeeded' ? 1 : 0)
      }
    }
    await assertEverythingIsHeldByWhoIsPaying()
  })

  test('two workers and a new checkout release an expired session once', async () => {
    const sessions = await atOnce(Array.from({ length: 20 }), 8, () => begunSession(shop, client, { CUP: 2 }))
    const held = await stockOf(shop, 'CUP')
    shop.clock.advance(3_600_000)
    const at = { now: shop.clock.now(), ids: shop.ids }
    const again = sessions.slice(0, 5)

    const [one, two, ...answers] = await Promise.all([
      expireSessions(shop.database, at),
      expireSessions(shop.database, at),
      ...again.map(({ cartId }) => checkout(client, String(cartId))),
    ])

    assert(one + two >= 15, 'the workers expired the rest')
    assert.deepEqual(tally(answers), { 200: 5 })
    await expireSessions(shop.database, at)
    assert.deepEqual(await stockOf(shop, 'CUP'), { ...held, held: 10 })
    for (const { id } of sessions) {
      assert.deepEqual(await eventKindsOf(shop, id), ['checkout.session.created', 'checkout.session.expired'])
    }
    await assertEverythingIsHeldByWhoIsPaying()
  })
})

/** Held stock equals the holds of active sessions. */
async function assertEverythingIsHeldByWhoIsPaying() {
  const wrong = await shop.query(
    `select level.sku_id, level.held, coalesce(sum(hold.taken), 0) as taken
     from stock_levels level left join stock_holds hold using (sku_id, environment)
     group by level.sku_id, level.environment, level.held having level.held <> coalesce(sum(hold.taken), 0)`,
  )
  assert.deepEqual(wrong, [])
  const strays = await shop.query(
    `select holder from stock_holds left join checkout_sessions session on session.id = holder
     where coalesce(session.status, 'completed') in ('completed', 'canceled', 'expired')`,
  )
  assert.deepEqual(strays, [])
}

function cancel(sessionId: string): Promise<Answer> {
  return client.post(`${SESSIONS}/${sessionId}/cancel`, {})
}
