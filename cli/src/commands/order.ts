import { ORDER_STATUSES } from '@vitrine/contract'
import {
  beginImportedFulfillment,
  beginOrder,
  type EventContext,
  findOrderById,
  holdOrder,
  importOrders,
  majorOf,
  type OrderSearch,
  orderFile,
  orderIdOf,
  presentOrder,
  releaseOrder,
  searchOrders,
  type Transaction,
} from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { importFile } from '../import-file.ts'
import { columns, type Output } from '../output.ts'

const LIST_MAX = 1000
const FORMS = /\.jsonl(\.gz)?$/

/** `vitrine order import FILE`: takes every good line, reports every bad one, and can be run again. */
export async function importOrdersCommand(
  file: string,
  options: { readonly installation?: string },
  output: Output,
): Promise<void> {
  if (!FORMS.test(file)) throw new UsageError(`${file} should end in .jsonl or .jsonl.gz.`)
  const source = orderFile(file)
  await importFile(
    file,
    source,
    output,
    (onProgress) =>
      inHouse(output, ({ database, ids, now }) =>
        importOrders({
          database,
          ids,
          installationId: options.installation,
          source,
          now: now(),
          beginFulfillment: beginImportedFulfillment,
          onProgress,
        }),
      ),
    ({ created, unchanged }) => `${created} created, ${unchanged} unchanged`,
  )
}

export interface OrderListOptions {
  readonly installation?: string
  readonly status?: string
  readonly email?: string
  readonly limit: string
}

/** `vitrine order list`: the newest orders of all installations. */
export async function listOrdersCommand(options: OrderListOptions, output: Output): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_MAX) {
    throw new UsageError(`--limit must be a whole number from 1 to ${LIST_MAX}, not "${options.limit}".`)
  }
  const search: OrderSearch = {
    installationId: options.installation,
    status: statusOf(options.status),
    email: options.email,
  }
  const rows = await inHouse(output, ({ database }) => searchOrders(database.reader, search, null, limit))
  const shown = rows.map((row) => ({
    id: row.id,
    number: row.number,
    installationId: row.installation_id,
    environment: row.environment,
    status: row.status,
    paymentStatus: row.payment_status,
    fulfillmentStatus: row.fulfillment_status,
    placedAt: row.placed_at.toISOString(),
    total: { amount: Number(row.total), currency: row.currency },
    lineCount: row.line_count,
  }))
  const lines = columns([
    ['NUMBER', 'PLACED', 'STATUS', 'PAYMENT', 'FULFILMENT', 'TOTAL', 'ID'],
    ...shown.map((row) => [
      row.number,
      row.placedAt,
      row.status,
      row.paymentStatus,
      row.fulfillmentStatus,
      priceOf(row.total),
      row.id,
    ]),
  ])
  output.result(shown, shown.length > 0 ? lines : ['There are no such orders.'])
}

/** `vitrine order show ID`: an order by its id or its number, as its installation reads it. */
export async function showOrderCommand(idOrNumber: string, output: Output): Promise<void> {
  const order = await inHouse(output, async ({ database }) =>
    presentOrder(await findOrderById(database.reader, await orderIdOf(database.reader, idOrNumber))),
  )
  output.result(order, [
    `${order.number}  ${order.id}`,
    `Placed:  ${order.placedAt} by ${order.customer.emailMasked}`,
    `Status:  ${order.status}, ${order.paymentStatus}, ${order.fulfillmentStatus}`,
    `Total:   ${priceOf(order.totals.total)}; given back ${priceOf(order.money.refunded)}`,
    '',
    ...columns(
      order.lines.map(({ quantity, name, total, status }) => [
        `${quantity.current} of ${quantity.ordered}`,
        name,
        priceOf(total),
        status,
      ]),
    ),
    '',
    ...order.timeline.map(({ at, text }) => `${at}  ${text}`),
  ])
}

/** `vitrine order begin ORDER`: somebody is packing. */
export function beginOrderCommand(name: string, output: Output): Promise<void> {
  return byHand(output, (tx, context) => beginOrder(tx, name, context))
}

/** `vitrine order hold ORDER`: nothing more leaves. */
export function holdOrderCommand(name: string, options: { readonly reason?: string }, output: Output): Promise<void> {
  return byHand(output, (tx, context) => holdOrder(tx, name, options.reason ?? null, context))
}

/** `vitrine order release ORDER`: it goes on. */
export function releaseOrderCommand(name: string, output: Output): Promise<void> {
  return byHand(output, (tx, context) => releaseOrder(tx, name, context))
}

async function byHand(
  output: Output,
  change: (
    tx: Transaction,
    context: EventContext,
  ) => Promise<{ readonly id: string; readonly number: string; readonly status: string }>,
): Promise<void> {
  const { id, number, status } = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => change(tx, { ids, now: now() })),
  )
  output.result({ id, number, status }, [`${number} is ${status.replace('_', ' ')}.`])
}

function statusOf(status: string | undefined): OrderSearch['status'] {
  if (status === undefined) return undefined
  const known = ORDER_STATUSES.find((each) => each === status)
  if (known === undefined) throw new UsageError(`--status is one of ${ORDER_STATUSES.join(', ')}.`)
  return known
}

function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  return `${majorOf(BigInt(amount), currency)} ${currency}`
}
