import { majorOf } from '../../kernel/currencies.ts'
import { csvRow } from '../../platform/line-files/csv-table.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type FoundOrder, type OrderPosition, type OrderSearch, searchOrders } from './order/list.ts'

interface OrderDetails {
  readonly id: string
  readonly refunded: bigint
  readonly address: Readonly<Record<string, string>> | null
  readonly lines: readonly {
    readonly name: string
    readonly options: readonly { readonly value: string }[]
    readonly code: string | null
    readonly ordered: number
    readonly unit: number
    readonly total: number
  }[]
}

const details = statement<OrderDetails>(
  'orders.details_for_table',
  `select id, refunded, shipping_address as address,
     (select jsonb_agg(jsonb_build_object('name', name, 'options', option_labels, 'code', code, 'ordered', ordered,
        'unit', unit_price, 'total', total) order by position) from order_lines
      where order_id = orders.id and ($2::text is null or store_id = $2)) as lines
   from orders where id = any($1::text[])`,
)

const HEADER = [
  'Order',
  'Placed at',
  'Environment',
  'Status',
  'Payment status',
  'Fulfillment status',
  'Email',
  'Currency',
  'Total',
  'Refunded',
  'Recipient',
  'Company',
  'Address 1',
  'Address 2',
  'City',
  'Region',
  'Postal code',
  'Country',
  'Phone',
  'Product',
  'Options',
  'SKU',
  'Quantity',
  'Unit price',
  'Line total',
]
const ADDRESS = [
  'recipientName',
  'company',
  'line1',
  'line2',
  'city',
  'region',
  'postalCode',
  'countryCode',
  'phone',
] as const

/** Orders per query. */
const PAGE = 200

interface OrderPeriod {
  /** `null`: from the first order on. */
  readonly from: Date | null
  /** `null`: up to the last order. */
  readonly until: Date | null
}

/** Orders as CSV with a row for each line, newest first; of a store, its share of each order. Amounts are major units. Keeps one page of orders in memory. */
export async function* orderTable(reader: Reader, search: OrderSearch, period: OrderPeriod): AsyncGenerator<string> {
  yield csvRow(HEADER)
  let behind: OrderPosition | null = period.until && { placedAt: period.until.toISOString(), id: '' }
  for (;;) {
    const page: readonly FoundOrder[] = await searchOrders(reader, search, behind, PAGE)
    const found = period.from === null ? page : page.filter(({ placedAt }) => placedAt >= period.from!)
    const known = await reader.rows(details, [found.map(({ id }) => id), search.storeId ?? null])
    const byId = new Map(known.map((each) => [each.id, each]))
    for (const order of found) {
      const more = byId.get(order.id)
      if (more) yield rowsOf(order, more)
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE || found.length < page.length) return
    behind = { placedAt: last.placedAt.toISOString(), id: last.id }
  }
}

function rowsOf(order: FoundOrder, { refunded, address, lines }: OrderDetails): string {
  const major = (amount: bigint | number) => majorOf(BigInt(amount), order.currency)
  const ofOrder = [
    order.number,
    order.placedAt.toISOString(),
    order.environment,
    order.status,
    order.paymentStatus,
    order.fulfillmentStatus,
    order.email,
    order.currency,
    major(order.total),
    major(order.refunded ?? refunded),
    ...ADDRESS.map((field) => address?.[field] ?? ''),
  ]
  return lines
    .map(({ name, options, code, ordered, unit, total }) => {
      const chosen = options.map(({ value }) => value).join(', ')
      return csvRow([...ofOrder, name, chosen, code ?? '', String(ordered), major(unit), major(total)])
    })
    .join('')
}
