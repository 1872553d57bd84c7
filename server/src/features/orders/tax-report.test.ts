import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { changeOrder, orderedBy } from '../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { sum } from '../../kernel/money.ts'
import {
  findOrderById,
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

/** What is bought on which day, and given back in which parts, how many days later. */
const stories = fc.record({
  mugs: fc.integer({ min: 1, max: 4 }),
  novels: fc.integer({ min: 0, max: 3 }),
  placed: fc.integer({ min: 0, max: DAYS / 2 }),
  refunds: fc.array(fc.constantFrom('one unit', 'an amount', 'everything'), { maxLength: 3 }),
})
type Part = ReturnType<typeof stories.generate>['value']['refunds'][number]

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

/** Orders with random contents and refunds, over half a quarter and the rest of it. */
async function trade(): Promise<readonly Order[]> {
  const orders: Order[] = []
  for (const [index, { mugs, novels, placed, refunds }] of fc.sample(stories, { seed: 98, numRuns: 12 }).entries()) {
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

test("The report of any period is the orders' own tax lines less those of refunds, and nothing where all was refunded", async () => {
  const orders = await trade()
  assert.ok(orders.some(({ adjustments }) => adjustments.length > 1))
  const reportOf = (storeId: string, from: number, until: number) =>
    taxReport(shop.database.reader, { environment: 'test', storeId, from: day(from), until: day(until) })
  const totalOf = (lines: readonly TaxReportLine[], member: 'tax' | 'taxable' | 'refundedTax' | 'refundedTaxable') =>
    sum(lines.map((line) => line[member]))

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

test('A refund of an earlier version has its share of the tax after the migration', async () => {
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
  const query = { environment: 'test', storeId, from: day(199), until: day(201) } as const
  assert.deepEqual(await taxReport(shop.database.reader, query), [])
})
