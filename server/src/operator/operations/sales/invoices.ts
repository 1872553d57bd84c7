import type { OperatorInvoice, operatorOperations } from '@vitrine/contract/operator'
import { findStore } from '../../../features/catalog/index.ts'
import {
  buyerAddressOf,
  findInvoice,
  findOrderById,
  type Invoice,
  invoiceFile,
  invoicesOfOrder,
  invoicesOfPeriod,
  vatSumsOf,
} from '../../../features/orders/index.ts'
import { majorOf } from '../../../kernel/currencies.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { storeOfAll } from '../../../kernel/owner.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { csvCell, csvFile } from '../../../platform/line-files/csv-table.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { daysOf } from '../../door/period.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/orders/{orderId}/invoices */
const listOrderInvoices: OperatorHandler<Rows['listOrderInvoices']> = async ({ params }, { reader, operator }) => {
  const [order, invoices] = await Promise.all([
    findOrderById(reader, params.orderId),
    invoicesOfOrder(reader, params.orderId),
  ])
  const { store } = operator
  // Of an order of several stores, each store sees what it issued itself.
  const shown =
    !store || storeOfAll(order.lines) === store.id
      ? invoices
      : invoices.filter(({ seller }) => seller.storeId === store.id)
  return { items: shown.map(presentInvoice) }
}

/** GET /operator/v1/invoices/{invoiceId}/pdf */
const downloadInvoice: OperatorHandler<Rows['downloadInvoice']> = async ({ params }, { database, now }) => {
  const invoice = (await findInvoice(database.reader, params.invoiceId)) ?? refuse('not_found')
  return { fileName: `${invoice.number}.pdf`, lines: [await invoiceFile(database, invoice, now)] }
}

/** GET /operator/v1/stores/{storeSlug}/invoices */
const exportInvoices: OperatorHandler<Rows['exportInvoices']> = async ({ params, query }, { reader, operator }) => {
  const store = (await findStore(reader, params.storeSlug)) ?? refuse('not_found')
  const { environment = 'live', from, to } = query
  const isConfined = Boolean(operator.store)
  const invoices = invoicesOfPeriod(reader, { environment, storeId: store.id, ...daysOf({ from, to }), isConfined })
  return { fileName: `${store.slug}-invoices-${from}-${to}.csv`, lines: csvFile(csvOf(invoices)) }
}

export const invoiceOperations = { listOrderInvoices, exportInvoices, downloadInvoice }

const COLUMNS =
  'number,kind,date,corrects,order,buyer,buyer_country,buyer_vat_id,currency,vat_category,vat_percent,net,tax,gross'

/** CSV according to RFC 4180. Amounts in major units. */
async function* csvOf(invoices: AsyncIterable<Invoice>): AsyncIterable<string> {
  yield `${COLUMNS}\r\n`
  for await (const invoice of invoices) {
    const { number, kind, issuedOn, corrected, facts, currency } = invoice
    const buyer = buyerAddressOf(invoice)
    const document = [
      number,
      kind,
      issuedOn,
      corrected?.number ?? '',
      facts.orderNumber,
      csvCell(buyer?.company ?? buyer?.recipientName ?? facts.email),
      buyer?.countryCode ?? facts.country ?? '',
      buyer?.vatId ?? '',
      currency,
    ]
    const sign = kind === 'invoice' ? 1n : -1n
    for (const { category, percent, net, tax } of vatSumsOf(invoice.lines)) {
      const amounts = [net, tax, net + tax].map((amount) => majorOf(sign * amount, currency))
      yield `${[...document, category, percent, ...amounts].join()}\r\n`
    }
  }
}

function presentInvoice({ id, kind, number, seller, total, currency, corrected, issuedAt }: Invoice): OperatorInvoice {
  return {
    id,
    kind,
    number,
    seller: seller.legalName,
    total: wireMoney(total, currency),
    ...(corrected !== null && { corrects: corrected.number }),
    issuedAt: issuedAt.toISOString(),
  }
}
