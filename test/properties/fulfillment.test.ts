import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import {
  type FulfillmentIntent,
  intentsOf,
  markDelivered,
  markFailed,
  sendAgain,
  ship,
  stopFulfillment,
} from '../../server/src/features/fulfillment/index.ts'
import { findOrderById, lockOrderById, type Order } from '../../server/src/features/orders/index.ts'
import { Refusal } from '../../server/src/kernel/refusal.ts'
import { draftOf } from '../support/commerce/orders.ts'
import { paidFor } from '../support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'
import type { InstallationClient } from '../support/world.ts'

const context = () => ({ ids, now: clock.now() })
let shop: Shop
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let client: InstallationClient
let draft: Awaited<ReturnType<typeof draftOf>>
before(async () => {
  shop = await startShop()
  ;({ database, ids, clock } = shop)
  client = await shop.client()
  draft = await draftOf(shop, client, { MUG: 5, BOWL: 2, NOVEL: 3 })
})

/** The model of a line: units owed, shipped and canceled. */
interface Line {
  owed: number
  sent: number
  stopped: number
}

/** A step: an action with units per line, or with a shipment. */
const step = fc.oneof(
  fc.record({
    does: fc.constantFrom('ship' as const, 'stop' as const),
    units: fc.tuple(fc.nat({ max: 3 }), fc.nat({ max: 2 }), fc.nat({ max: 2 })),
  }),
  fc.record({ does: fc.constantFrom('deliver' as const, 'fail' as const, 'resend' as const), nth: fc.nat({ max: 5 }) }),
)
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

test('any shipments and cancellations leave each unit in one place', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
      const order = await paidFor(shop, draft)
      const model = new Map(
        order.lines.map(({ id, units }) => [id, { owed: units.ordered, sent: 0, stopped: 0 } as Line]),
      )
      for (const [index, each] of steps.entries()) {
        if ('units' in each) await move(order, model, each, `P-${index}`)
        else await follow(order, each)
        await assertInPlace(order.id, model)
      }
    }),
    { numRuns: runsOf({ full: 200, short: 30 }) },
  )
})

/** Ships or cancels units. Refused as a whole unless the model has them all, in one store. */
async function move(
  order: Order,
  model: Map<string, Line>,
  { does, units }: Step & { units: number[] },
  reference: string,
) {
  const wanted = order.lines
    .map(({ id }, index) => ({ lineId: id, quantity: units[index] ?? 0 }))
    .filter(({ quantity }) => quantity > 0)
  if (wanted.length === 0) return
  const fits = wanted.every(({ lineId, quantity }) => quantity <= model.get(lineId)!.owed)
  const stores = new Set(wanted.map(({ lineId }) => order.lines.find(({ id }) => id === lineId)!.storeId))

  const done = await database.transaction(async (tx) => {
    if (does === 'ship') {
      const shipped = ship(tx, { orderId: order.id, reference, lines: wanted }, context())
      return shipped.then(() => true, unlessRefused)
    }
    await lockOrderById(tx, order.id)
    return (await stopFulfillment(tx, order.id, wanted, context())).stopped
  })
  assert.equal(done, fits && (does === 'stop' || stores.size === 1))
  if (!done) return
  for (const { lineId, quantity } of wanted) {
    const line = model.get(lineId)!
    line.owed -= quantity
    line[does === 'ship' ? 'sent' : 'stopped'] += quantity
  }
}

/** Advances a shipment, if there is one that allows it. */
async function follow(order: Order, { does, nth }: Step & { nth: number }) {
  const parcels = (await intentsOf(database.reader, order.id)).filter((each) => 'shipment' in each)
  const parcel = parcels[nth % Math.max(1, parcels.length)]
  if (parcel === undefined) return
  const changes = {
    deliver: () => database.transaction((tx) => markDelivered(tx, parcel.id, context())),
    fail: () => database.transaction((tx) => markFailed(tx, parcel.id, 'It came back.', context())),
    resend: () => database.transaction((tx) => sendAgain(tx, parcel.id, {}, context())),
  }
  const allowed = { deliver: 'dispatched', fail: 'dispatched', resend: 'failed' }
  const name = does as keyof typeof changes
  assert.equal(await changes[name]().then(() => true, unlessRefused), parcel.status === allowed[name])
}

function unlessRefused(error: unknown): false {
  if (error instanceof Refusal) return false
  throw error
}

async function assertInPlace(orderId: string, model: ReadonlyMap<string, Line>): Promise<void> {
  const [intents, order] = await Promise.all([
    intentsOf(database.reader, orderId),
    findOrderById(database.reader, orderId),
  ])
  const unitsIn = (lineId: string, fits: (intent: FulfillmentIntent) => boolean) =>
    intents
      .filter(fits)
      .flatMap(({ lines }) => lines)
      .filter((line) => line.lineId === lineId)
      .reduce((sum, { quantity }) => sum + quantity, 0)
  for (const [lineId, line] of model) {
    const found = {
      owed: unitsIn(lineId, ({ status }) => status === 'pending'),
      sent: unitsIn(lineId, (intent) => 'shipment' in intent),
      stopped: unitsIn(lineId, ({ status }) => status === 'stopped'),
    }
    assert.deepEqual(found, line)
    assert.equal(order.lines.find(({ id }) => id === lineId)?.units.fulfilled, line.sent)
  }
  assert.ok(intents.every(({ lines }) => lines.length > 0))
}
