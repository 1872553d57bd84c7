// test: long
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import { statement, systemClock } from '@vitrine/server'
import { importLicenses, openLicenseVault } from '../../server/src/features/fulfillment/index.ts'
import type { CrashPoint } from '../../server/src/platform/crash/crash-points.ts'
import { type Answer, client as clientOf } from '../support/client.ts'
import { checkoutClient, pressPay, readyCart, stockOf, terms } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { answering, startReceiver } from '../support/network/receiver.ts'
import { type CrashingServer, startCrashingServer } from '../support/processes/crashing-server.ts'
import { secretDeps } from '../support/secrets.ts'

/**
 * The same journey from cart to refund, once per crash point. The process is killed there and restarted, and its callers retry
 * with the same keys. Then all records are compared: our own, the provider's, the mailbox and the integrator.
 *
 * Only the server does the step with the crash. In other steps the process of the test takes jobs too, because a server looks for
 * them only once a second.
 */
const SEALING_KEY = Buffer.alloc(32, 7).toString('base64')
const PATIENCE_MS = 60_000

/** The state while the process is dead. The order of first deliveries does not matter. */
const STANDS: Readonly<Record<Exclude<CrashPoint, `picture.${string}`>, string | null>> = {
  'checkout.begun': 'cart active',
  'checkout.committed': 'cart locked, session open',
  'payment.intended': 'cart locked, session processing, charge created',
  'payment.submitted': 'cart locked, session processing, charge submitted',
  'payment.answered': 'cart locked, session processing, charge submitted, authorize',
  'order.placed': 'cart locked, session processing, charge submitted, authorize, capture',
  'order.committed': 'cart converted, session completed, charge succeeded, authorize, capture, order confirmed',
  'cancellation.decided': 'cart converted, session completed, charge succeeded, authorize, capture, order confirmed',
  'refund.submitted': '…, authorize, capture, order confirmed, refund submitted',
  'refund.answered': '…, authorize, capture, refund, order confirmed, refund submitted',
  'fulfilment.claimed': '…, order confirmed, refund succeeded',
  'fulfilment.handed_over': '…, order confirmed, refund succeeded',
  'delivery.answered': null,
}

/** For crashes with pictures, see picture-crashes.test.ts. */
const POINTS = Object.keys(STANDS) as (keyof typeof STANDS)[]

const EVENTS = [
  'checkout.session.created',
  'checkout.session.completed',
  'order.created',
  'order.updated',
  'order.cancellation.requested',
  'order.cancellation.decided',
]

let shop: Shop
let receiver: Awaited<ReturnType<typeof startReceiver>>
let server: CrashingServer
before(async () => {
  receiver = await startReceiver()
  const environment = { SEALING_KEY, WEBHOOK_ALLOWED_TARGETS: receiver.target }
  shop = await startShop({ environment, simulator: true })
  receiver.does(answering(204))
  // A plan is delivered by mail, once there are keys.
  await importKeys([])
  server = await startCrashingServer({
    ...environment,
    DATABASE_URL: shop.databaseUrl,
    PUBLIC_URL: shop.publicUrl,
    SIMULATOR_URL: shop.simulator!.url,
    SIMULATOR_SECRET: 'a secret that only tests know',
    CRASH_AT: POINTS[0]!,
  })
})

const rows: string[][] = []
after(() => {
  const head =
    'point, what stood, the retry answered, captures, orders, fulfillments, refunds, deliveries (arrived)'.split(', ')
  const lines = [head, ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  process.stdout.write(`${lines.join('\n')}\n`)
})

function importKeys(keys: readonly string[]): Promise<unknown> {
  return shop.database.transaction(async (tx) => {
    const vault = await openLicenseVault(tx, secretDeps())
    const pool = { skuId: shop.sku('PLAN'), environment: 'test' } as const
    return importLicenses(tx, pool, keys, { ids: shop.ids, now: shop.clock.now(), vault })
  })
}

/** Crashed processes use the system clock, so the shop does too. */
const isNow = () => shop.clock.advance(Math.max(0, systemClock.now().getTime() - shop.clock.now().getTime()))

/** Expires the leases of dead processes, which would take a minute. */
async function leasesRunOut(): Promise<void> {
  for (const table of ['jobs', 'payment_intents', 'webhook_deliveries']) {
    await shop.run(`update ${table} set lease_until = '2026-01-01' where lease_until is not null`)
  }
}

/** A shopper, an integrator and a crashing server, from a cart to a refund. */
async function journey(point: keyof typeof STANDS) {
  isNow()
  const own = await checkoutClient(shop)
  await opened(own, { url: `${receiver.url}/${point}`, events: EVENTS })
  const cart = await readyCart(shop, own, { MUG: 1, PLAN: 1 })
  const mugs = await stockOf(shop, 'MUG')

  let stood = ''
  let retry = ''
  await server.arm(point)
  const restart = async () => {
    await server.restart(async () => {
      stood = await standing(cart.id)
      await leasesRunOut()
    })
  }
  const client = clientOf({
    origin: server.origin,
    publicUrl: shop.publicUrl,
    clock: systemClock,
    key: own.key!,
    proof: own.proof!,
  })
  let asked: { readonly path: string; readonly body: object; readonly key: string; readonly answer: string } | null =
    null

  /** Repeats a request with one key until it is answered. */
  async function insist(path: string, body: object): Promise<Answer['body']> {
    const key = `${point}:${path}`
    const ask = () => client.post(path, body, { key })
    const answer = await ask().catch(async () => {
      await restart()
      const again = await ask()
      retry = `${again.status} ${again.body.data.status}`
      return again
    })
    assert.equal(answer.status, 200, answer.text)
    asked = { path, body, key, answer: answer.text }
    return answer.body.data
  }

  /**
   * Waits for a condition. Callers that were answered before a crash repeat their request and get the same answer.
   *
   * @param nouns the nouns of the crash points on the way
   */
  async function until(holds: () => Promise<boolean>, nouns: readonly string[]): Promise<void> {
    const isOfServer = nouns.includes(point.split('.')[0]!)
    const end = performance.now() + PATIENCE_MS
    while (!(await holds())) {
      assert(performance.now() < end, `${point}: stuck at ${await standing(cart.id)}`)
      if (server.isDead()) {
        await restart()
        if (asked) {
          const again = await client.post(asked.path, asked.body, { key: asked.key })
          assert.equal(again.text, asked.answer, 'the same key gets the same answer')
          retry = `${again.status} ${again.body.data.status}, the same`
        }
      }
      if (!isOfServer) await shop.work()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  const stands = (what: string) => async () => (await standing(cart.id)).includes(what)

  const session = await insist(`${CARTS}/${cart.id}/checkout`, terms)
  isNow()
  const { chargeId } = await pressPay(shop, session, 'simulator')
  await until(stands('order confirmed'), ['payment', 'order', 'delivery'])
  const [{ id: orderId } = {}] = await shop.query('select id from orders where session_id = $1', [session.id])
  const order: Order = (await own.get(`${ORDERS}/${orderId}`)).body.data
  const mug = order.lines.find(({ skuId }) => skuId === shop.sku('MUG'))!
  const lines = [{ lineId: mug.id, quantity: 1 }]
  await insist(`${ORDERS}/${orderId}/cancellations`, { reason: 'customer_request', lines })
  await until(stands('refund succeeded'), ['cancellation', 'refund'])
  isNow()
  await importKeys([`KEY-${point}`])
  await until(stands('1 key'), ['fulfilment'])
  await until(async () => (await eventsOf(own.installationId)).every(({ delivered }) => delivered === 1), [])
  assert.deepEqual(await stockOf(shop, 'MUG'), mugs, 'the mug is back in stock')
  return { own, session, chargeId: chargeId!, orderId: String(orderId), stood, retry }
}

const STANDING = statement<Record<string, unknown>>(
  'test.standing',
  `select carts.status as cart, session.status as session, charge.id as charge_id, charge.status as charge,
     orders.status as order, refund.status as refund,
     (select count(*) from licence_keys join order_lines as line on line.id = licence_keys.given_to
      where line.order_id = orders.id) as keys
   from carts left join checkout_sessions as session on session.cart_id = carts.id
   left join payment_intents as charge on charge.id = session.charge_id
   left join orders on orders.session_id = session.id
   left join payment_intents as refund on refund.charge_id = charge.id
   where carts.id = $1`,
)

/** The progress of a cart in our records and the provider's. */
async function standing(cartId: string): Promise<string> {
  const [row] = await shop.database.reader.rows(STANDING, [cartId])
  const named = (name: string) => (row?.[name] ? [`${name} ${row[name]}`] : [])
  const booked = row?.charge_id ? booksOf(String(row.charge_id)) : []
  const keys = Number(row?.keys) > 0 ? [`${row?.keys} key`] : []
  const parts = [
    ...named('cart'),
    ...named('session'),
    ...named('charge'),
    ...booked,
    ...named('order'),
    ...named('refund'),
  ]
  return [...parts, ...keys].join(', ')
}

const booksOf = (chargeId: string) => shop.simulator!.books(`${chargeId}:authorize`).map(({ operation }) => operation)

/** The events of the integrator, and how often each was recorded as delivered. */
async function eventsOf(installationId: string) {
  const events = await shop.query(
    `select events.id, count(delivery.id) filter (where delivery.status = 'succeeded')::integer as delivered
     from events left join webhook_deliveries as delivery on delivery.event_id = events.id
     where events.installation_id = $1 and events.kind = any($2) group by events.id order by events.id`,
    [installationId, EVENTS],
  )
  return events as { id: string; delivered: number }[]
}

describe('a process that is killed and restarted', () => {
  after(() => server.stop())

  for (const point of POINTS) {
    test(`at ${point}, leaves one capture, one order, one fulfillment, one refund, and each event delivered`, async () => {
      const { own, session, chargeId, orderId, stood, retry } = await journey(point)
      assert(retry !== '', `nothing was killed: the journey does not reach ${point}`)
      const expected = STANDS[point]
      if (expected !== null) assert(stood.endsWith(expected.replace('…', '')), `${stood}, not ${expected}`)

      const books = booksOf(chargeId)
      const count = async (sql: string, id: string) => Number((await shop.query(sql, [id]))[0]?.count)
      const received = receiver.arrivals.filter(({ path }) => path === `/${point}`)
      const arrived = Map.groupBy(received, ({ headers }) => String(headers['webhook-id']))
      const events = await eventsOf(own.installationId)
      const mails = await count('select count(*) from mails where strpos(body_text, $1) > 0', `KEY-${point}`)
      const row = {
        captures: books.filter((each) => each === 'capture').length,
        orders: await count('select count(*) from orders where session_id = $1', session.id),
        fulfillments: await count(
          `select count(*) from fulfilment_intents where order_id = $1 and status = 'confirmed'`,
          orderId,
        ),
        refunds: books.filter((each) => each === 'refund').length,
      }
      rows.push([point, stood, retry, ...Object.values(row).map(String), `${events.length} (${received.length})`])

      assert.deepEqual(row, { captures: 1, orders: 1, fulfillments: 1, refunds: 1 })
      assert.equal(mails, 1, 'the key was mailed once')
      assert.deepEqual(
        [...arrived.keys()].sort(),
        events.map(({ id }) => id),
      )
      const twice = [...arrived.values()].filter((each) => each.length > 1).length
      assert(
        point === 'delivery.answered' ? twice > 0 : true,
        'a delivery that was answered and not recorded arrives again',
      )
    })
  }
})
