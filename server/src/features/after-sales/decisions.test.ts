import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Order } from '@vitrine/contract'
import { dataOf } from '../../../../test/support/client.ts'
import {
  bought,
  decide,
  lineOf,
  markArrived,
  postAfterSales,
  readOrder,
  refundsOf,
  setPolicy,
  settleRefunds,
} from '../../../../test/support/commerce/after-sales.ts'
import { checkoutClient, eventKindsOf, stockOf } from '../../../../test/support/commerce/checkout.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import {
  afterSalesActionsOf,
  afterSalesOf,
  afterSalesUnderWay,
  approveAfterSales,
  completeAfterSales,
  countReturnsToDecide,
  declineAfterSales,
  expireOverdueAfterSales,
  findAfterSales,
  type InspectionResult,
  inspectAfterSales,
  markInTransit,
  markReceived,
  resolveAfterSales,
  reviewAfterSales,
  withdrawAfterSales,
} from './index.ts'

let shop: Shop
let client: InstallationClient
let reader: Shop['database']['reader']
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
  ;({ reader } = shop.database)
})

const DAY_MS = 86_400_000

type Unit = readonly [code: string, quantity: number]

/** A delivered order. */
async function arrived(units: Readonly<Record<string, number>>): Promise<Order> {
  const order = await bought(shop, client, units)
  for (const slug of new Set(Object.keys(units).map((code) => (code === 'NOVEL' ? 'books' : 'ceramics')))) {
    const codes = Object.keys(units).filter((code) => (code === 'NOVEL') === (slug === 'books'))
    const lines = codes.map((code) => ({ lineId: lineOf(shop, order, code).id, quantity: units[code]! }))
    await markArrived(shop, order, lines)
  }
  return readOrder(client, order.id)
}

async function requested(order: Order, units: readonly Unit[], body: object = {}): Promise<string> {
  const lines = units.map(([code, quantity]) => ({ lineId: lineOf(shop, order, code).id, quantity }))
  return dataOf(await postAfterSales(client, order.id, { lines, ...body })).id
}

const approve = (id: string) => decide(shop, (tx, by) => approveAfterSales(tx, id, {}, by))
const inspect = (id: string, findings: InspectionResult) =>
  decide(shop, (tx, by) => inspectAfterSales(tx, id, findings, by))
const resolve = (id: string, amount?: bigint) => decide(shop, (tx, by) => resolveAfterSales(tx, id, { amount }, by))
const refundInstead = (id: string, amount?: bigint) =>
  decide(shop, (tx, by) => resolveAfterSales(tx, id, { amount, refund: true }, by))
const WITHOUT_CARRIER = { carrier: null, trackingNumber: null, trackingUrl: null }
const complete = (id: string, carriage: Parameters<typeof completeAfterSales>[2] = WITHOUT_CARRIER) =>
  decide(shop, (tx, by) => completeAfterSales(tx, id, carriage, by))
const receive = (id: string) => decide(shop, (tx, by) => markReceived(tx, id, by))
const statusOf = async (id: string) => (await findAfterSales(reader, id))?.status

/** A request whose goods were received. */
async function receivedReturn(order: Order, units: readonly Unit[], body: object = {}): Promise<string> {
  const id = await requested(order, units, body)
  await approve(id)
  await receive(id)
  return id
}

/** A request whose goods were not sent in time. */
async function expired(order: Order, units: readonly Unit[]): Promise<string> {
  const id = await requested(order, units)
  const { request } = await approve(id)
  shop.clock.advance(request.approval!.returnBy!.getTime() - shop.clock.now().getTime())
  await expireOverdueAfterSales(shop.database, { ids: shop.ids, now: shop.clock.now() })
  assert.equal(await statusOf(id), 'expired')
  return id
}

/** A return from the request to the refund. */
async function returned(order: Order, units: readonly Unit[]): Promise<bigint> {
  const id = await receivedReturn(order, units)
  await inspect(id, { accepted: true })
  const { request } = await resolve(id)
  await settleRefunds(shop, order.id, { isDone: true })
  assert.equal(await statusOf(id), 'completed')
  return request.refundAmount!
}

describe('a return', () => {
  test('goes through its steps: goods, stock and refund, each once and published', async () => {
    const order = await arrived({ MUG: 2 })
    const stock = await stockOf(shop, 'MUG')
    const id = await requested(order, [['MUG', 2]])
    assert(
      (await afterSalesUnderWay(reader, { limit: 100, after: null, environment: 'test', storeId: null })).some(
        (each) => each.id === id,
      ),
    )
    await decide(shop, (tx, by) => reviewAfterSales(tx, id, by))
    const words = { instructions: 'Use the box.', returnBy: new Date(shop.clock.now().getTime() + DAY_MS) }
    const { request: approved } = await decide(shop, (tx, by) => approveAfterSales(tx, id, words, by))
    assert.deepEqual([approved.status, approved.approval], ['awaiting_return', { ...words, returnAddress: null }])
    await decide(shop, (tx, by) => markInTransit(tx, id, by))
    await receive(id)

    const { order: kept } = await inspect(id, { accepted: true })
    assert.deepEqual([kept.lines[0]?.units.returned, await statusOf(id)], [2, 'inspecting'])
    assert.equal((await stockOf(shop, 'MUG')).onHand, stock.onHand + 2)

    const { request } = await resolve(id)
    assert.deepEqual([request.status, request.refundAmount], ['resolving', BigInt(order.totals.total.amount)])
    await settleRefunds(shop, order.id, { isDone: true })
    assert.equal(await statusOf(id), 'completed')
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.paymentStatus, after.lines[0]!.status], ['refunded', 'returned'])
    assert.deepEqual(
      after.adjustments.map(({ kind, reference, amount }) => [kind, reference, amount]),
      [['return', id, order.totals.total]],
    )
    assert.equal((await eventKindsOf(shop, id)).length, 1 + 7)
  })

  test('of one store is approved under the rules of that store only', async () => {
    await setPolicy(shop, 'ceramics', { afterSales: { instructions: 'Use the box.', returnWithinDays: 7 } })
    await setPolicy(shop, 'books', { afterSales: { instructions: 'Add the slip.', returnWithinDays: 30 } })
    const order = await arrived({ MUG: 1, NOVEL: 1 })
    const ids = [await requested(order, [['MUG', 1]]), await requested(order, [['NOVEL', 1]])]
    const approvals = await Promise.all(ids.map(async (id) => (await approve(id)).request.approval))
    await setPolicy(shop, 'ceramics', {})
    await setPolicy(shop, 'books', {})
    const inDays = (days: number) => new Date(shop.clock.now().getTime() + days * DAY_MS)
    assert.deepEqual(approvals, [
      { instructions: 'Use the box.', returnAddress: null, returnBy: inDays(7) },
      { instructions: 'Add the slip.', returnAddress: null, returnBy: inDays(30) },
    ])
  })

  test('in parts refunds exactly what was charged, shipping with the last unit of a store', async () => {
    const order = await arrived({ MUG: 3, BOWL: 1, NOVEL: 2 })
    let total = 0n
    for (const units of [[['MUG', 1]], [['NOVEL', 2]], [['MUG', 2]], [['BOWL', 1]]] as Unit[][]) {
      total += await returned(order, units)
    }
    assert.equal(total, BigInt(order.totals.total.amount))
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.paymentStatus, after.money.refunded], ['refunded', after.money.charged])
  })

  test('refunds less if the operator decides so, and never more', async () => {
    const order = await arrived({ MUG: 2 })
    const id = await receivedReturn(order, [['MUG', 1]])
    await inspect(id, { accepted: true, restocks: false })
    const most = BigInt(lineOf(shop, order, 'MUG').total.amount / 2)
    const { facts } = await refuses('validation_failed', () => resolve(id, most + 1n))
    assert.deepEqual([facts.faults?.[0]?.field, facts.faults?.[0]?.params?.max], ['amount', Number(most)])
    const { request } = await resolve(id, 100n)
    assert.equal(request.refundAmount, 100n)
    await settleRefunds(shop, order.id, { isDone: true })
    assert.equal((await readOrder(client, order.id)).money.refunded.amount, 100)
  })

  test('without a refund is completed at once, and calls no provider', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await receivedReturn(order, [['MUG', 1]])
    await inspect(id, { accepted: true })
    assert.equal((await resolve(id, 0n)).request.status, 'completed')
    assert.deepEqual(await refundsOf(shop, order.id), [])
  })

  test('that is not accepted is declined, and returns no units', async () => {
    const order = await arrived({ MUG: 1 })
    const stock = await stockOf(shop, 'MUG')
    const id = await receivedReturn(order, [['MUG', 1]])
    const { request } = await inspect(id, { accepted: false, declineReason: 'It was used.' })
    assert.deepEqual([request.status, request.declineReason], ['declined', 'It was used.'])
    const { afterSales, ...after } = await readOrder(client, order.id)
    assert.deepEqual({ ...after, afterSales: [] }, order)
    assert.deepEqual([afterSales[0]?.declineReason, await stockOf(shop, 'MUG')], ['It was used.', stock])
    await requested(order, [['MUG', 1]])
  })

  test('that is declined after its inspection takes the goods out of stock again, and can be requested again', async () => {
    const order = await arrived({ MUG: 2 })
    const stock = await stockOf(shop, 'MUG')
    const id = await receivedReturn(order, [['MUG', 2]])
    await inspect(id, { accepted: true })
    const decline = () => decide(shop, (tx, by) => declineAfterSales(tx, id, 'It was used.', by))
    await shop.setStock('MUG', 1)
    await refuses('out_of_stock', decline)
    await shop.setStock('MUG', stock.onHand + 2)

    const { request, order: after } = await decline()
    assert.deepEqual([request.status, request.inspection], ['declined', { accepted: false, restocks: false }])
    assert.deepEqual([after.lines[0]?.units.returned, await stockOf(shop, 'MUG')], [0, stock])
    assert.equal(after.timeline.at(-1)?.code, 'return_declined')
    assert.deepEqual((await readOrder(client, order.id)).lines, order.lines)
    await returned(order, [['MUG', 2]])
  })

  test('that is not restocked is declined after its inspection without a change of stock', async () => {
    const order = await arrived({ MUG: 1 })
    const stock = await stockOf(shop, 'MUG')
    const id = await receivedReturn(order, [['MUG', 1]])
    await inspect(id, { accepted: true, restocks: false })
    await decide(shop, (tx, by) => declineAfterSales(tx, id, 'It was used.', by))
    assert.deepEqual([(await readOrder(client, order.id)).lines, await stockOf(shop, 'MUG')], [order.lines, stock])
  })

  test('restocks nothing if the policy or the operator says so', async () => {
    await setPolicy(shop, 'ceramics', { afterSales: { restocks: false } })
    const order = await arrived({ MUG: 2 })
    await setPolicy(shop, 'ceramics', {})
    const stock = await stockOf(shop, 'MUG')
    const id = await receivedReturn(order, [['MUG', 1]])
    await inspect(id, { accepted: true, restocks: false })
    assert.deepEqual(await stockOf(shop, 'MUG'), stock)
    await resolve(id)
    await settleRefunds(shop, order.id, { isDone: true })
    const other = await receivedReturn(order, [['MUG', 1]])
    await inspect(other, { accepted: true, restocks: true })
    assert.equal((await stockOf(shop, 'MUG')).onHand, stock.onHand + 1)
  })

  test('expires when the goods were not sent in time, and not earlier', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]])
    const { request } = await approve(id)
    const look = () => expireOverdueAfterSales(shop.database, { ids: shop.ids, now: shop.clock.now() })
    shop.clock.advance(request.approval!.returnBy!.getTime() - shop.clock.now().getTime() - 1)
    await look()
    assert.equal(await statusOf(id), 'awaiting_return')
    shop.clock.advance(1)
    await look()
    assert.equal(await statusOf(id), 'expired')
    assert.equal((await eventKindsOf(shop, id)).at(-1), 'after_sales.updated')
    await requested(order, [['MUG', 1]])
  })

  test('whose goods arrive after it has expired is received, inspected and refunded', async () => {
    const order = await arrived({ MUG: 2 })
    const id = await expired(order, [['MUG', 2]])
    await receive(id)
    assert.equal(await statusOf(id), 'received')
    const again = await postAfterSales(client, order.id, { lines: [{ lineId: order.lines[0]!.id, quantity: 1 }] })
    assert.deepEqual([again.body.code, again.body.conflict.heldBy], ['after_sales_exists', id])
    await inspect(id, { accepted: true })
    await resolve(id)
    await settleRefunds(shop, order.id, { isDone: true })
    assert.deepEqual([await statusOf(id), (await readOrder(client, order.id)).paymentStatus], ['completed', 'refunded'])
  })

  test('that has expired is not received if its units have another request, or were refunded by it', async () => {
    const order = await arrived({ MUG: 1 })
    const late = await expired(order, [['MUG', 1]])
    const next = await requested(order, [['MUG', 1]], { kind: 'refund_only' })
    const { facts } = await refuses('version_conflict', () => receive(late))
    assert.deepEqual([facts.conflict?.currentState, facts.conflict?.heldBy], ['expired', next])
    await approve(next)
    await resolve(next)
    await settleRefunds(shop, order.id, { isDone: true })
    await refuses('version_conflict', () => receive(late))
    assert.equal(await statusOf(late), 'expired')
  })

  test('can be withdrawn until the goods are on their way', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]])
    await approve(id)
    await decide(shop, (tx, by) => withdrawAfterSales(tx, id, 'customer', by))
    assert.equal(await statusOf(id), 'withdrawn')
    const next = await requested(order, [['MUG', 1]])
    await approve(next)
    await decide(shop, (tx, by) => markInTransit(tx, next, by))
    await refuses('version_conflict', () => decide(shop, (tx, by) => withdrawAfterSales(tx, next, 'customer', by)))
  })
})

describe('a refund without a return', () => {
  test('is requested without waiting for goods', async () => {
    const order = await arrived({ MUG: 2 })
    const id = await requested(order, [['MUG', 1]], { kind: 'refund_only' })
    assert.equal((await approve(id)).request.status, 'approved')
    const { order: after } = await resolve(id)
    assert.deepEqual([after.adjustments[0]?.kind, after.lines[0]?.units.returned], ['refund', 0])
    await settleRefunds(shop, order.id, { isDone: true })
    assert.equal(await statusOf(id), 'completed')
  })

  test('is not completed if the provider declines it', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]], { kind: 'refund_only' })
    await approve(id)
    await resolve(id)
    await settleRefunds(shop, order.id, { isDone: false })
    assert.equal(await statusOf(id), 'resolving')
    assert.equal((await readOrder(client, order.id)).money.refunded.amount, 0)
  })
})

describe('an exchange and a repair', () => {
  test('an exchange deducts the new goods from stock, and is completed when they have shipped', async () => {
    const order = await arrived({ MUG: 1 })
    const [mugs, bowls] = [await stockOf(shop, 'MUG'), await stockOf(shop, 'BOWL')]
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1, exchangeSkuId: shop.sku('BOWL') }]
    const id = await receivedReturn(order, [], { kind: 'exchange', lines })
    await inspect(id, { accepted: true })
    assert.equal((await stockOf(shop, 'MUG')).onHand, mugs.onHand + 1)
    assert.equal((await resolve(id)).request.status, 'resolving')
    assert.deepEqual(await stockOf(shop, 'BOWL'), { onHand: bowls.onHand - 1, held: 0 })
    const carriage = { carrier: 'DHL', trackingNumber: '00340', trackingUrl: 'https://dhl.example/00340' }
    const { status, timeline } = (await complete(id, carriage)).request
    assert.equal(status, 'completed')
    assert.deepEqual(timeline.at(-1)?.facts, { departure: carriage })
    await refuses('version_conflict', () => complete(id, carriage))
    const mails = (await shop.mails()).filter(({ kind, text }) => kind === 'orders.sent' && text.includes(order.number))
    assert.deepEqual(
      mails.map(({ link }) => link),
      ['https://dhl.example/00340'],
    )
    assert.match(mails[0]!.text, /^1 × Product bowl$/m, 'the mail names what was sent, not what was returned')
    assert.doesNotMatch(mails[0]!.text, /Mug/)
    const after = await readOrder(client, order.id)
    assert.deepEqual([after.money, after.lines[0]!.quantity.returned], [order.money, 0])
  })

  test('an exchange is refused if it is out of stock by then', async () => {
    const order = await arrived({ MUG: 1 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1, exchangeSkuId: shop.sku('VASE') }]
    const id = await receivedReturn(order, [], { kind: 'exchange', lines })
    await inspect(id, { accepted: true })
    await shop.setStock('VASE', 0)
    await refuses('out_of_stock', () => resolve(id))
    assert.equal(await statusOf(id), 'inspecting')
    await shop.setStock('VASE', 3)
  })

  test('goods that cannot be exchanged or repaired are refunded instead, as those of a return, and their payment completes it', async () => {
    for (const kind of ['exchange', 'repair'] as const) {
      const order = await arrived({ MUG: 2 })
      const lineId = order.lines[0]!.id
      const exchanged = kind === 'exchange' && { exchangeSkuId: shop.sku('VASE') }
      const id = await receivedReturn(order, [], { kind, lines: [{ lineId, quantity: 1, ...exchanged }] })
      await inspect(id, { accepted: true })
      await shop.setStock('VASE', 0)
      const toDecide = await countReturnsToDecide(reader, 'test', 100, null)
      const { request } = await refundInstead(id)
      assert.deepEqual([request.status, request.refundAmount! > 0n], ['resolving', true])
      assert.deepEqual(afterSalesActionsOf(request), [])
      assert.equal(await countReturnsToDecide(reader, 'test', 100, null), toDecide - 1)
      await refuses('version_conflict', () => complete(id))

      await settleRefunds(shop, order.id, { isDone: true })
      assert.equal(await statusOf(id), 'completed')
      const after = await readOrder(client, order.id)
      assert.deepEqual([after.lines[0]!.quantity.returned, after.adjustments[0]?.kind], [1, 'return'])
      assert.equal(BigInt(after.money.refunded.amount), request.refundAmount)
      assert.equal(after.afterSales[0]?.refund?.status, 'succeeded')
      await shop.setStock('VASE', 3)
    }
  })

  test('an exchange whose refund is decided to be nothing is completed at once', async () => {
    const order = await arrived({ MUG: 1 })
    const lines = [{ lineId: order.lines[0]!.id, quantity: 1, exchangeSkuId: shop.sku('VASE') }]
    const id = await receivedReturn(order, [], { kind: 'exchange', lines })
    await inspect(id, { accepted: true })
    assert.equal((await refundInstead(id, 0n)).request.status, 'completed')
    assert.equal((await readOrder(client, order.id)).afterSales[0]?.refund?.status, 'not_needed')
  })

  test('a repair restocks and refunds nothing', async () => {
    const order = await arrived({ MUG: 1 })
    const stock = await stockOf(shop, 'MUG')
    const id = await receivedReturn(order, [['MUG', 1]], { kind: 'repair' })
    await refuses('validation_failed', () => inspect(id, { accepted: true, restocks: true }))
    await inspect(id, { accepted: true })
    await refuses('validation_failed', () => resolve(id, 100n))
    await resolve(id)
    await complete(id)
    const { afterSales, ...after } = await readOrder(client, order.id)
    assert.deepEqual([await stockOf(shop, 'MUG'), { ...after, afterSales: [] }], [stock, order])
    assert.equal(afterSales[0]?.refund?.status, 'not_needed')
  })
})

describe('an operator deciding a request', () => {
  test('decides once, also concurrently', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]], { kind: 'refund_only' })
    await approve(id)
    const outcomes = await Promise.allSettled([resolve(id), resolve(id), resolve(id)])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await refundsOf(shop, order.id)).length, 1)
  })

  test('declines with a reason, reviewing the request first if needed', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]])
    await decide(shop, (tx, by) => declineAfterSales(tx, id, 'It is as described.', by))
    const [declined] = await afterSalesOf(reader, order.id)
    assert.deepEqual([declined?.status, declined?.declineReason], ['declined', 'It is as described.'])
    await refuses('version_conflict', () => approve(id))
  })

  test('has to give valid texts and a time in the future', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]])
    for (const words of [{ instructions: '' }, { instructions: 'x'.repeat(2001) }, { returnBy: shop.clock.now() }]) {
      await refuses('validation_failed', () => decide(shop, (tx, by) => approveAfterSales(tx, id, words, by)))
    }
    await refuses('validation_failed', () => decide(shop, (tx, by) => declineAfterSales(tx, id, '', by)))
    await approve(id)
    await receive(id)
    await refuses('validation_failed', () => inspect(id, { accepted: false, declineReason: ' ' }))
  })

  test('cannot complete a refund, which its payment completes', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]], { kind: 'refund_only' })
    await approve(id)
    await resolve(id)
    await refuses('version_conflict', () => complete(id))
  })

  test('gets not_found for an unknown request', async () => {
    await refuses('not_found', () => approve(shop.ids.next('asr')))
  })
})

describe('the database', () => {
  test('allows one open request per line', async () => {
    const order = await arrived({ MUG: 1 })
    const id = await requested(order, [['MUG', 1]])
    await decide(shop, (tx, by) => withdrawAfterSales(tx, id, 'customer', by))
    await requested(order, [['MUG', 1]])
    const reopened = shop.run('update after_sales_lines set is_open = true where after_sales_id = $1', [id])
    await assert.rejects(reopened, { code: '23505' })
  })
})
