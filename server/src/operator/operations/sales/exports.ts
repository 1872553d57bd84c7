import type { operatorOperations } from '@vitrine/contract/operator'
import { listCustomerRecords } from '../../../features/accounts/index.ts'
import { orderTable } from '../../../features/orders/index.ts'
import { csvFile, csvRow } from '../../../platform/line-files/csv-table.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler, OperatorOwnContext } from '../../door/handler.ts'
import { dayPeriodOf } from '../../door/period.ts'
import { type CustomersIn, customersIn } from './customers.ts'
import { namedBy } from './orders.ts'

type Rows = typeof operatorOperations

/** Customers per query. */
const PAGE = 200

/** Records an export of personal data with its number of people, before the first row is sent. */
async function recordExport(
  { database, auditIn }: OperatorOwnContext,
  what: 'orders' | 'customers',
  { q, ...filters }: { readonly q?: string },
): Promise<void> {
  // The log cannot be erased, and a search may be an address.
  const after = { format: 'csv', ...filters, ...(q && { searched: true }) }
  const change = { subject: { type: 'export', id: what }, before: null, after }
  await database.transaction(async (tx) => auditIn(tx, change))
}

/** GET /operator/v1/exports/orders */
const exportOrders: OperatorHandler<Rows['exportOrders']> = async ({ query }, context) => {
  const { from, to, q, ...filters } = query
  const period = dayPeriodOf({ from, to })
  await recordExport(context, 'orders', query)
  const days = [from, to].filter((day) => day !== undefined)
  return {
    fileName: `${['orders', ...days].join('-')}.csv`,
    lines: csvFile(
      orderTable(context.reader, { ...filters, ...namedBy(q), storeId: context.operator.store?.id }, period),
    ),
  }
}

/** GET /operator/v1/exports/customers */
const exportCustomers: OperatorHandler<Rows['exportCustomers']> = async ({ query }, context) => {
  await recordExport(context, 'customers', query)
  return { fileName: 'customers.csv', lines: csvFile(customerRows(context.reader, customersIn(query))) }
}

const HEADER = ['Customer', 'Email', 'First name', 'Last name', 'Language', 'Status', 'Marketing consent', 'Created at']

/** Customers as a table, newest first. Keeps one page in memory. */
async function* customerRows(reader: Reader, search: CustomersIn): AsyncGenerator<string> {
  yield csvRow(HEADER)
  for (let afterId: string | null = null; ; ) {
    const page: Awaited<ReturnType<typeof listCustomerRecords>> = await listCustomerRecords(reader, {
      ...search,
      afterId,
      limit: PAGE,
    })
    for (const each of page) {
      yield csvRow([
        each.id,
        each.email,
        each.first_name ?? '',
        each.last_name ?? '',
        each.locale,
        each.status === 'blocked' ? 'disabled' : 'active',
        String(each.marketing_consent),
        each.created_at.toISOString(),
      ])
    }
    const last = page.at(-1)
    if (last === undefined || page.length < PAGE) return
    afterId = last.id
  }
}

export const exportOperations = { exportOrders, exportCustomers }
