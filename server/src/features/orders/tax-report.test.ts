import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { changeOrder, orderedBy } from '../../../../test/support/commerce/orders.ts'
import { saveSeller } from '../../../../test/support/commerce/sellers.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { sum } from '../../kernel/money.ts'
import {
  chargeCaptured,
  findOrderById,
  invoicesOfOrder,
  type Order,
  refundableUnits,
  refundBegun,
  refundFor,
  type TaxReportLine,
  taxReport,
} from './index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const START = new Date('2027-01-01T00:00:00Z').getTime()
const DAY_MS = 86_400_000
const DAYS = 90
const day = (number: number) => new Date(START + number * DAY_MS)
const nameOf = (at: Date) => at.toISOString().slice(0, 10)
/** The report from one day up to, but not including, another. */
const reportOf = (storeId: string, from: number, until: number) =>
  taxReport(shop.database.reader, {
    environment: 'test',
    storeId,
    from: nameOf(day(from)),
    to: nameOf(day(until - 1)),
  })
const totalOf = (lines: readonly TaxReportLine[], member: 'tax' | 'taxable' | 'refundedTax' | 'refundedTaxable') =>
  sum(lines.map((line) => line[member]))

/** Random orders: units, the day, and refunds that follow a week apart. */
const sales = fc.record({
  mugs: fc.integer({ min: 1, max: 4 }),
  novels: fc.integer({ min: 0, max: 3 }),
  placed: fc.integer({ min: 0, max: DAYS / 2 }),
  refunds: fc.array(fc.constantFrom('one unit', 'an amount', 'everything'), { maxLength: 3 }),
})
type Part = ReturnType<typeof sales.generate>['value']['refunds'][number]

function refundOf(order: Order, part: Part) {
  const [line] = order.lines.filter(({ units }) => refundableUnits(units) > 0)
  if (part === 'an amount' || !line) return { amount: 123n, lines: [], shipping: [] }
  if (part === 'one unit') return refundFor(order, { units: [{ lineId: line.id, quantity: 1 }], shippingOf: [] })
  const units = order.lines.map(({ id: lineId, units: of }) => ({ lineId, quantity: refundableUnits(of) }))
  return refundFor(order, {
    units: units.filter(({ quantity }) => quantity > 0),
    shippingOf: order.shipping.map(({ storeId }) => storeId),
  })
}

/** Places random orders in the first half of a quarter, and refunds them up to three weeks later. */
async function trade(): Promise<readonly Order[]> {
  const orders: Order[] = []
  for (const [index, { mugs, novels, placed, refunds }] of fc.sample(sales, { seed: 98, numRuns: 12 }).entries()) {
    const units = { MUG: mugs, ...(novels > 0 && { NOVEL: novels }) }
    let order = await orderedBy(shop, client, units, { placedAt: day(placed) })
    for (const [at, part] of refunds.entries()) {
      const left = order.money.charged - order.money.refundPending
      const refund = refundOf(order, part)
      if (left === 0n || refund.amount > left) continue
      const reference = `rfd_${index}_${at}`
      const now = day(placed + (at + 1) * 7)
      order = await changeOrder(shop, order.id, (each) =>
        refundBegun(each, { reference, kind: 'refund', refund }, { now, actor: 'operator' }),
      )
    }
    orders.push(order)
  }
  return orders
}

test('The report of any period adds up to the tax lines of its orders and of its refunds', async () => {
  const orders = await trade()
  assert.ok(orders.some(({ adjustments }) => adjustments.length > 1))
  for (const storeId of [shop.storeId('ceramics'), shop.storeId('books')]) {
    for (const [from, until] of [
      [0, 30],
      [30, 60],
      [0, DAYS],
    ] as const) {
      const within = (at: Date) => at >= day(from) && at < day(until)
      const taxes = orders
        .filter(({ placedAt }) => within(placedAt))
        .flatMap(({ lines, shipping }) => [...lines, ...shipping])
        .flatMap((part) => (part.storeId === storeId ? part.taxLines : []))
      const refunded = orders
        .flatMap(({ adjustments }) => adjustments.filter(({ at }) => within(at)))
        .flatMap((refund) => refund.taxes.filter((tax) => tax.storeId === storeId))
      const report = await reportOf(storeId, from, until)
      for (const rate of ['0.19', '0.07']) {
        const lines = report.filter((line) => line.rate === rate)
        const ofRate = (
          each: readonly { readonly rate: string; readonly amount: bigint; readonly taxable: bigint }[],
        ) => each.filter((tax) => tax.rate === rate)
        assert.equal(totalOf(lines, 'tax'), sum(ofRate(taxes).map(({ amount }) => amount)))
        assert.equal(totalOf(lines, 'taxable'), sum(ofRate(taxes).map(({ taxable }) => taxable)))
        assert.equal(totalOf(lines, 'refundedTax'), sum(ofRate(refunded).map(({ amount }) => amount)))
        assert.equal(totalOf(lines, 'refundedTaxable'), sum(ofRate(refunded).map(({ taxable }) => taxable)))
      }
      assert.ok(report.every(({ country, currency }) => country === 'DE' && currency === 'EUR'))
    }
  }
})

test('The migration adds its share of the tax to a refund of an earlier version', async () => {
  const { id } = await orderedBy(shop, client, { MUG: 1, NOVEL: 1 }, { placedAt: day(300) })
  const { adjustments } = await changeOrder(shop, id, (order) => {
    const refund = { amount: order.money.charged, lines: [], shipping: [] }
    return refundBegun(order, { reference: 'rfd_before', kind: 'refund', refund }, { now: day(301), actor: 'operator' })
  })
  await shop.run("update order_adjustments set taxes = '[]' where order_id = $1", [id])
  const migration = await readFile('server/migrations/0053_taxes_of_refunds.sql', 'utf8')
  await shop.run(/^with parts[^;]*/m.exec(migration)![0])
  const migrated = (await findOrderById(shop.database.reader, id))!.adjustments
  const totalOf = (each: typeof adjustments, storeId: string) =>
    sum(each.flatMap(({ taxes }) => taxes.filter((tax) => tax.storeId === storeId).map(({ amount }) => amount)))
  for (const storeId of [shop.storeId('ceramics'), shop.storeId('books')]) {
    assert.ok(totalOf(adjustments, storeId) > 0n)
    assert.equal(totalOf(migrated, storeId), totalOf(adjustments, storeId))
  }
})

test('An order that was never paid is not in the report', async () => {
  const storeId = shop.storeId('ceramics')
  await orderedBy(shop, client, { MUG: 1 }, { placedAt: day(200), charge: 'authorized' })
  assert.deepEqual(await reportOf(storeId, 199, 201), [])
})

test('A sale counts on the day it was paid, so the report of earlier days does not change', async () => {
  const storeId = shop.storeId('ceramics')
  const { id } = await orderedBy(shop, client, { MUG: 1 }, { placedAt: day(210), charge: 'pending' })
  await changeOrder(shop, id, (order) => {
    const captured = { amount: BigInt(order.totals.total.amount), releaseReference: 'rel_1' }
    return chargeCaptured(order, captured, { now: day(213), actor: 'system' })
  })
  assert.deepEqual(await reportOf(storeId, 209, 213), [])
  assert.ok(totalOf(await reportOf(storeId, 213, 214), 'tax') > 0n)
})

test('The report of a seller with invoices is their sum to the cent, by days in the time zone of the seller', async () => {
  await saveSeller(shop, { timeZone: 'Europe/Berlin' })
  const storeId = shop.storeId('ceramics')
  // 23:30 on New Year's Eve in Berlin.
  shop.clock.advance(Date.parse('2027-12-31T22:30:00Z') - shop.clock.now().getTime())
  const before = await orderedBy(shop, client, { MUG: 3, NOVEL: 1 })
  shop.clock.advance(3_600_000)
  const after = await orderedBy(shop, client, { MUG: 3, NOVEL: 1 })
  for (const amount of [333n, 1n, 777n]) {
    await changeOrder(shop, before.id, (order) =>
      refundBegun(
        order,
        { reference: `rfd_${amount}`, kind: 'refund', refund: { amount, lines: [], shipping: [] } },
        { now: shop.clock.now(), actor: 'operator' },
      ),
    )
  }
  const documents = [before, after].map(({ id }) => invoicesOfOrder(shop.database.reader, id))
  const issued = (await Promise.all(documents)).flat()
  assert.deepEqual(
    issued.map(({ number, issuedOn }) => [number, issuedOn]),
    [
      ['T-2027-00001', '2027-12-31'],
      ['T-C2028-00001', '2028-01-01'],
      ['T-C2028-00002', '2028-01-01'],
      ['T-C2028-00003', '2028-01-01'],
      ['T-2028-00001', '2028-01-01'],
    ],
  )
  for (const on of ['2027-12-31', '2028-01-01']) {
    const report = await taxReport(shop.database.reader, { environment: 'test', storeId, from: on, to: on })
    const linesOf = (kind: string) => issued.filter((each) => each.kind === kind && each.issuedOn === on)
    const taxesOf = (kind: string) =>
      linesOf(kind).flatMap(({ lines }) => lines.flatMap((line) => (line.storeId === storeId ? line.taxLines : [])))
    assert.equal(totalOf(report, 'tax'), sum(taxesOf('invoice').map(({ amount }) => amount)), on)
    assert.equal(totalOf(report, 'taxable'), sum(taxesOf('invoice').map(({ taxable }) => taxable)), on)
    assert.equal(totalOf(report, 'refundedTax'), sum(taxesOf('credit_note').map(({ amount }) => amount)), on)
    assert.equal(totalOf(report, 'refundedTaxable'), sum(taxesOf('credit_note').map(({ taxable }) => taxable)), on)
    assert.ok(totalOf(report, 'tax') > 0n)
  }
})
