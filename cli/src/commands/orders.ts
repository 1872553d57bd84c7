import { CURRENCY_DIGITS, ORDER_STATUSES } from '@vitrine/contract'
import type { CommandLine } from '../command-line.ts'
import { CommandError, UsageError } from '../failure.ts'
import type { Answer, OperatorClient } from '../operator-client.ts'
import { limit, oneOf } from '../options.ts'
import { columns } from '../output.ts'
import { reportOf, withProgress } from '../upload.ts'

const FORMS = /\.jsonl(\.gz)?$/

interface ListOptions {
  readonly installation?: string
  readonly status?: (typeof ORDER_STATUSES)[number]
  readonly email?: string
  readonly limit: number
}

export function addOrderCommands({ command, group, operator, out }: CommandLine): void {
  const order = group('order', 'orders of all installations')
  command(order, 'import <file>', 'import a .jsonl or .jsonl.gz file, and report every line that was refused')
    .option('--installation <id>', 'installation for lines that name none')
    .action(async (file: string, { installation: installationId }: { installation?: string }) => {
      const [form] = FORMS.exec(file) ?? []
      if (form === undefined) throw new UsageError(`${file} must end in .jsonl or .jsonl.gz.`)
      const query = { format: form.slice(1) as 'jsonl' | 'jsonl.gz', ...(installationId && { installationId }) }
      const report = await withProgress(file, out, (progress, bytes) =>
        operator((client) => client.upload('importOrders', file, { query }, (sent) => progress.update(sent, bytes))),
      )
      reportOf(report, ['created', 'unchanged'], out)
    })
  command(order, 'list', 'list the newest orders')
    .option('--installation <id>', 'of this installation')
    .option('--status <status>', ORDER_STATUSES.join(', '), oneOf('--status', ORDER_STATUSES))
    .option('--email <address>', 'of this buyer')
    .option('--limit <number>', 'number of orders', limit, 50)
    .action(async ({ installation: installationId, status, email: q, limit: count }: ListOptions) => {
      const query = { ...(installationId && { installationId }), ...(status && { status }), ...(q && { q }) }
      const rows = (await operator((client) => client.list('listOrders', query, count))).map(listed)
      const cells = rows.map((row) => {
        const { number, placedAt, status, paymentStatus, fulfillmentStatus, total, id } = row
        return [number, placedAt, status, paymentStatus, fulfillmentStatus, priceOf(total), id]
      })
      const heads = ['NUMBER', 'PLACED', 'STATUS', 'PAYMENT', 'FULFILLMENT', 'TOTAL', 'ID']
      out.table(rows, heads, cells, 'There are no such orders.')
    })
  command(order, 'show <order>', 'show an order by its ID or number').action(async (name: string) => {
    const { order: shown } = await operator(async (client) =>
      client.call('getOrder', { params: { orderId: await orderIdOf(client, name) } }),
    )
    out.result(shown, linesOf(shown))
  })

  const change = async (
    name: string,
    work: (client: OperatorClient, params: { readonly orderId: string }) => Promise<Answer<'getOrder'>>,
  ) => {
    const { order: changed } = await operator(async (client) =>
      work(client, { orderId: await orderIdOf(client, name) }),
    )
    const { id, number, status } = changed
    out.result({ id, number, status }, [`${number} is ${status.replace('_', ' ')}.`])
  }
  command(order, 'begin <order>', 'start preparing an order').action((name: string) =>
    change(name, (client, params) => client.call('beginOrder', { params })),
  )
  command(order, 'hold <order>', 'put an order on hold')
    .option('--reason <text>', 'reason, shown in the timeline')
    .action((name: string, { reason }: { reason?: string }) =>
      change(name, (client, params) => client.call('holdOrder', { params, body: reason ? { reason } : {} })),
    )
  command(order, 'release <order>', 'release an order that is on hold').action((name: string) =>
    change(name, (client, params) => client.call('releaseOrder', { params })),
  )
}

/** The ID of the only order with this ID or number. */
export async function orderIdOf(client: OperatorClient, name: string): Promise<string> {
  if (name.startsWith('ord_')) return name
  const found = (await client.list('listOrders', { q: name })).map(({ order }) => order.id)
  const [id, another] = found
  if (id === undefined) throw new CommandError(`There is no order "${name}".`)
  if (another === undefined) return id
  throw new CommandError(
    `${found.length} installations have an order ${name}: ${found.join(', ')}. Name one by its ID.`,
  )
}

function listed({ order, environment, installationId }: Answer<'listOrders'>['items'][number]) {
  const { id, number, status, paymentStatus, fulfillmentStatus, placedAt, total, currency, lineCount } = order
  const statuses = { status, paymentStatus, fulfillmentStatus }
  const { amount } = total
  return { id, number, installationId, environment, ...statuses, placedAt, total: { amount, currency }, lineCount }
}

function linesOf(order: Answer<'getOrder'>['order']): string[] {
  return [
    `${order.number}  ${order.id}`,
    `Placed:  ${order.placedAt} by ${order.customer.emailMasked}`,
    `Status:  ${order.status}, ${order.paymentStatus}, ${order.fulfillmentStatus}`,
    `Total:   ${priceOf(order.totals.total)}; refunded ${priceOf(order.money.refunded)}`,
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
  ]
}

/** An amount in major units with its currency: `25.08 EUR`. */
export function priceOf({ amount, currency }: { readonly amount: number; readonly currency: string }): string {
  const digits = CURRENCY_DIGITS[currency] ?? 2
  return `${(amount / 10 ** digits).toFixed(digits)} ${currency}`
}
