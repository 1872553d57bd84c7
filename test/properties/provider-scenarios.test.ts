// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { cancelFromPage, expireSessions, updateAddresses } from '../../server/src/features/checkout/index.ts'
import { FAULTS, type Fault, type FaultKind } from '../../server/src/features/payments/providers/simulator/faults.ts'
import { accessOf, BERLIN, checkoutClient, pressPay, SESSIONS, stockOf, terms } from '../support/checkout.ts'
import { type CheckoutHouse, checkoutHouse, type SeenIntent, unlessRefused } from '../support/checkout-house.ts'
import type { Client } from '../support/client.ts'
import { ORDERS } from '../support/orders.ts'
import { CARTS } from '../support/shop.ts'

/**
 * Whatever a provider does, in any order, and whatever shopper, shop and clock do meanwhile: nobody is charged twice, there
 * is no order without its money, and no money without its order or the way back.
 */

const SCENARIOS = 2000
/** Scenarios of one run share a house, a clock and the last mugs, as shoppers do. */
const AT_ONCE = 25
const STEPS = 6
const MINUTE_MS = 60_000
/** After so many hours everything has come to its end. */
const HOURS_MAX = 40
const UNITS = 1_000_000

const operations = ['authorize', 'capture', 'void', 'refund', 'lookup'] as const
const kinds = Object.keys(FAULTS) as FaultKind[]
const anyFault = fc.record({ fault: fc.constantFrom(...kinds), operation: fc.constantFrom(...operations) })
/** What it takes several to go wrong by: they would seldom meet by chance. */
const unlucky = fc.constantFrom<readonly Fault[]>(
  [
    { fault: 'ask_shopper', operation: 'authorize' },
    { fault: 'late_effect', operation: 'capture' },
  ],
  [
    { fault: 'late_effect', operation: 'capture' },
    { fault: 'no_effect_no_answer', operation: 'void' },
  ],
  [
    { fault: 'effect_without_answer', operation: 'capture' },
    { fault: 'decline', operation: 'refund' },
  ],
  [{ fault: 'decline', operation: 'authorize' }],
)

/** What may happen to a checkout while it is under way. */
const STEPS_OF = {
  pay: 4,
  'pay twice': 2,
  advance: 3,
  'advance elsewhere': 2,
  'late effect': 2,
  notify: 1,
  approve: 1,
  'turn down': 1,
  'cancel on the page': 1,
  'cancel by the shop': 1,
  'cancel in haste': 1,
  revoke: 1,
  'begin again': 1,
  expire: 1,
  'cancel the order': 4,
} as const
type Step = keyof typeof STEPS_OF
const step = fc.oneof(
  ...Object.entries(STEPS_OF).map(([name, weight]) => ({ weight, arbitrary: fc.constant(name as Step) })),
)
const anyScenario: fc.Arbitrary<Scenario> = fc.record({
  faults: fc.oneof({ weight: 3, arbitrary: fc.array(anyFault, { maxLength: 3 }) }, { weight: 1, arbitrary: unlucky }),
  copies: fc.integer({ min: 1, max: 3 }),
  steps: fc.array(step, { minLength: STEPS, maxLength: STEPS }),
})
/** The shopper gives up while their bank already says yes: money for nobody. And a bank that keeps it, at first. */
const lateSuccess: fc.Arbitrary<Scenario> = fc.record({
  faults: fc.constantFrom<readonly Fault[]>(
    [{ fault: 'ask_shopper', operation: 'authorize' }],
    [
      { fault: 'ask_shopper', operation: 'authorize' },
      { fault: 'effect_without_answer', operation: 'capture' },
    ],
    [
      { fault: 'ask_shopper', operation: 'authorize' },
      { fault: 'decline', operation: 'refund' },
    ],
  ),
  copies: fc.constant(1),
  steps: fc.constant(['pay', 'advance', 'approve', 'cancel in haste', 'advance', 'begin again']),
})
const scenario = fc.oneof({ weight: 6, arbitrary: anyScenario }, { weight: 1, arbitrary: lateSuccess })
interface Scenario {
  readonly faults: readonly Fault[]
  readonly copies: number
  readonly steps: readonly Step[]
}

const run = fc.record({
  scenarios: fc.array(scenario, { minLength: AT_ONCE, maxLength: AT_ONCE }),
  /** What the clock does after each step. Minutes. */
  waits: fc.array(fc.constantFrom(0, 0, 1, 5, 61), { minLength: STEPS, maxLength: STEPS }),
})

let house: CheckoutHouse
let client: Client
before(async () => {
  house = await checkoutHouse()
  client = await checkoutClient(house.shop)
  await house.shop.setStock('MUG', UNITS)
  house.simulator.mode = { ...house.simulator.mode, notifiesAll: true }
})

/** How often each end was seen, so that nobody is content with scenarios in which nothing happens. */
const seen = new Map<string, number>()
const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1)

/** A shopper on our page, with what goes wrong for them alone. */
interface Shopper extends Scenario {
  readonly number: number
  readonly cartId: string
  /** The sessions of their cart, the latest last. */
  readonly sessions: string[]
  readonly page: Parameters<typeof accessOf>[0]
  /** Intents that faults were laid for. */
  readonly known: Set<string>
}

async function begun(plan: Scenario, number: number): Promise<Shopper> {
  const { shop } = house
  const lines = [{ skuId: shop.sku('MUG'), quantity: 1 }]
  const { body, text } = await client.post(SESSIONS, { lines, currency: 'EUR', country: 'DE', ...terms })
  assert(body?.data, text)
  const given = { contact: { email: 'ada@example.com' }, shippingAddress: BERLIN }
  await shop.database.transaction((tx) =>
    updateAddresses(shop.app.checkoutPage, tx, accessOf(body.data), given, { ids: shop.ids, now: shop.clock.now() }),
  )
  return { ...plan, number, cartId: body.data.cartId, sessions: [body.data.id], page: body.data, known: new Set() }
}

async function stored(sessionId: string) {
  const [row] = await house.shop.query('select version, status, order_id from checkout_sessions where id = $1', [
    sessionId,
  ])
  return row as { version: number; status: string; order_id: string | null }
}

const intentsOf = async ({ sessions }: Shopper): Promise<readonly SeenIntent[]> =>
  (await Promise.all(sessions.map(house.intentsOf))).flat()

/** Lays the faults of a shopper for what has begun since. */
async function layFaults(shopper: Shopper): Promise<readonly SeenIntent[]> {
  const intents = await intentsOf(shopper)
  for (const { id } of intents) {
    if (shopper.known.has(id)) continue
    shopper.known.add(id)
    house.simulator.faults.push(...shopper.faults.map((each) => ({ ...each, key: id, delayMs: shopper.number })))
  }
  return intents
}

async function pay(shopper: Shopper): Promise<void> {
  const { version } = await stored(shopper.sessions.at(-1)!)
  await unlessRefused(pressPay(house.shop, { ...shopper.page, version }, 'simulator'))
}

function cancelOnPage({ page }: Shopper): Promise<unknown> {
  const { shop } = house
  return unlessRefused(
    shop.database.transaction((tx) =>
      cancelFromPage(shop.app.checkoutPage, tx, accessOf(page), { ids: shop.ids, now: shop.clock.now() }),
    ),
  )
}

/** An answer that is a fault of ours is no answer. */
async function asked(answer: Promise<{ readonly status: number; readonly text: string }>): Promise<void> {
  const { status, text } = await answer
  assert(status < 500, text)
}

const STEP_DOES: Readonly<Record<Step, (shopper: Shopper, intents: readonly SeenIntent[]) => Promise<unknown>>> = {
  pay,
  'pay twice': (shopper) => Promise.all([pay(shopper), pay(shopper)]),
  advance: (_shopper, intents) => Promise.all(open(intents).map(({ id }) => house.payments.advance(id))),
  'advance elsewhere': (_shopper, intents) =>
    Promise.all(open(intents).flatMap(({ id }) => [house.payments.advance(id), house.elsewhere.advance(id)])),
  async 'late effect'({ number }) {
    for (const { act } of house.later.filter(({ afterMs }) => afterMs === number)) act()
  },
  async notify({ copies }, intents) {
    const news = house.told.filter(({ key }) => intents.some(({ id }) => key.startsWith(id)))
    const sent = Array.from({ length: copies }, () => news).flat()
    await Promise.all(sent.map((each) => house.payments.receiveNotification('simulator', house.notification(each))))
  },
  approve: async (_shopper, intents) => answerAll(intents, true),
  'turn down': async (_shopper, intents) => answerAll(intents, false),
  'cancel on the page': cancelOnPage,
  'cancel by the shop': ({ sessions }) => asked(client.post(`${SESSIONS}/${sessions.at(-1)}/cancel`, {})),
  'cancel in haste': async (shopper, intents) =>
    Promise.all([...open(intents).map(({ id }) => house.payments.advance(id)), cancelOnPage(shopper)]),
  revoke: ({ cartId }) => asked(client.post(`${CARTS}/${cartId}/revoke`, {})),
  async 'begin again'({ cartId, sessions }) {
    const { status, body, text } = await client.post(`${CARTS}/${cartId}/checkout`, terms)
    assert(status < 500, text)
    if (status === 200 && !sessions.includes(body.data.id)) sessions.push(body.data.id)
  },
  expire: () => expireSessions(house.shop.database, { now: house.shop.clock.now(), ids: house.shop.ids }),
  async 'cancel the order'({ sessions }) {
    const { order_id: orderId } = await stored(sessions.at(-1)!)
    if (orderId) await asked(client.post(`${ORDERS}/${orderId}/cancellations`, { reason: 'customer_request' }))
  },
}

const open = (intents: readonly SeenIntent[]) => intents.filter(({ endedAt }) => endedAt === null)

function answerAll(intents: readonly SeenIntent[], approved: boolean): void {
  for (const { providerReference } of intents) {
    if (providerReference) house.simulator.act(providerReference, approved)
  }
}

const capturesOf = ({ id }: SeenIntent) => booked(id, 'capture')
function booked(chargeId: string, operation: string): readonly bigint[] {
  const entries = house.simulator.bank.books(`${chargeId}:authorize`)
  return entries.filter((entry) => entry.operation === operation).map(({ amount }) => BigInt(amount))
}
const sum = (amounts: readonly bigint[]) => amounts.reduce((total, each) => total + each, 0n)

/** What the books and the provider say of a session at any moment, settled or not. */
async function noOrderWithoutMoney(sessionId: string): Promise<void> {
  const [order] = await house.shop.query('select charge_id from orders where session_id = $1', [sessionId])
  if (order)
    assert.equal(booked(String(order.charge_id), 'capture').length, 1, `${sessionId} has an order and no money`)
}

/** Lets everything come to its end: a provider that is well again, time, and shoppers who approve. */
async function settle(): Promise<void> {
  const { shop } = house
  for (const { act } of house.later.splice(0)) act()
  house.simulator.faults.length = 0
  for (let hour = 0; hour < HOURS_MAX; hour += 1) {
    await expireSessions(shop.database, { now: shop.clock.now(), ids: shop.ids })
    const open = await shop.query('select id, provider_reference from payment_intents where ended_at is null')
    for (const { provider_reference } of open)
      if (provider_reference) house.simulator.act(String(provider_reference), true)
    await Promise.all(open.map(({ id }) => house.elsewhere.advance(String(id))))
    const live = await shop.query('select id from checkout_sessions where ended_at is null')
    if (open.length === 0 && live.length === 0) return
    shop.clock.advance(61 * MINUTE_MS)
  }
  assert.fail('it has not come to its end')
}

/** @returns how many mugs have left for good */
async function agree(shopper: Shopper): Promise<number> {
  let sold = 0
  for (const sessionId of shopper.sessions) {
    const intents = await house.intentsOf(sessionId)
    const charges = intents.filter(({ kind }) => kind === 'charge')
    const captured = charges.filter((charge) => capturesOf(charge).length > 0)
    const orders = await house.shop.query(
      'select id, status, charge_id, charged, refunded, refund_pending, unknown from orders where session_id = $1',
      [sessionId],
    )
    const { status, order_id: orderId } = await stored(sessionId)
    const [order] = orders

    assert(captured.length <= 1, `${sessionId} was charged ${captured.length} times`)
    for (const charge of charges) {
      assert(capturesOf(charge).length <= 1, `${charge.id} was captured twice`)
      assert.equal(charge.status === 'succeeded', capturesOf(charge).length === 1, `${charge.id} is ${charge.status}`)
    }
    assert.equal(orders.length, status === 'completed' ? 1 : 0, `${sessionId} is ${status}`)
    const refunded = sum(charges.flatMap(({ id }) => booked(id, 'refund')))
    const taken = sum(captured.flatMap((charge) => [...capturesOf(charge)]))
    if (order) {
      assert.deepEqual(
        [order.id, order.charge_id],
        [orderId, captured[0]?.id],
        `${sessionId} has its order of its charge`,
      )
      const money = [order.charged, order.refunded, order.refund_pending, order.unknown].map((each) =>
        BigInt(String(each)),
      )
      assert.deepEqual(money, [taken, refunded, refundsLeft(intents), 0n], `${sessionId} has its money`)
      const [{ count: owed } = {}] = await house.shop.query(
        'select count(*) from fulfilment_intents where order_id = $1 and part = 1',
        [order.id],
      )
      assert.equal(Number(owed), 1, `${sessionId} is owed once`)
      if (order.status !== 'canceled') sold += 1
    } else assert.equal(refunded, taken, `${sessionId} is ${status}, and ${taken - refunded} of its money is with us`)
    note(
      order ? (taken === refunded ? 'ordered and given back' : 'ordered') : taken > 0n ? 'late and given back' : status,
    )
  }
  return sold
}

/** What a provider has refused to give back, for good: an operator sees it, and asks again. */
function refundsLeft(intents: readonly SeenIntent[]): bigint {
  return sum(intents.filter(({ kind, status }) => kind === 'refund' && status === 'failed').map(({ amount }) => amount))
}

describe('a checkout', () => {
  test(`charges once and for an order, or gives back, in ${SCENARIOS} scenarios of a provider that misbehaves`, async () => {
    const seed = Number(process.env.SEED ?? Date.now() % 2 ** 31)
    process.stdout.write(`seed ${seed}\n`)
    const { shop } = house
    let lived = 0
    let left = UNITS
    await fc.assert(
      fc.asyncProperty(run, async ({ scenarios, waits }) => {
        const shoppers = await Promise.all(scenarios.map((each, index) => begun(each, index + 1)))
        for (const [index, minutes] of waits.entries()) {
          await Promise.all(
            shoppers.map(async (shopper) => {
              const name = shopper.steps[index]!
              await STEP_DOES[name](shopper, await layFaults(shopper))
              await Promise.all(shopper.sessions.map(noOrderWithoutMoney))
            }),
          )
          shop.clock.advance(minutes * MINUTE_MS)
        }
        await settle()
        const sold = await Promise.all(shoppers.map(agree))
        left -= sold.reduce((total, each) => total + each, 0)
        assert.deepEqual(await stockOf(shop, 'MUG'), { onHand: left, held: 0 })
        house.told.length = 0
        lived += scenarios.length
      }),
      { numRuns: SCENARIOS / AT_ONCE, seed, endOnFailure: true },
    )
    assert.equal(lived, SCENARIOS)
    process.stdout.write(`${[...seen].map(([end, times]) => `${times} × ${end}`).join(', ')}\n`)
    for (const end of ['ordered', 'ordered and given back', 'late and given back', 'canceled', 'expired']) {
      assert((seen.get(end) ?? 0) > SCENARIOS / 400, `${end}: ${seen.get(end)} times`)
    }
  })
})
