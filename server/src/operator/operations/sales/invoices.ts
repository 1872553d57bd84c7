import type { OperatorInvoice, operatorOperations } from '@vitrine/contract/operator'
import {
  findInvoice,
  findOrderById,
  type Invoice,
  invoiceFile,
  invoicesOfOrder,
} from '../../../features/orders/index.ts'
import { wireMoney } from '../../../kernel/money.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/orders/{orderId}/invoices */
const listOrderInvoices: OperatorHandler<Rows['listOrderInvoices']> = async ({ params }, { reader }) => {
  const [, invoices] = await Promise.all([
    findOrderById(reader, params.orderId),
    invoicesOfOrder(reader, params.orderId),
  ])
  return { items: invoices.map(presentInvoice) }
}

/** GET /operator/v1/invoices/{invoiceId}/pdf */
const downloadInvoice: OperatorHandler<Rows['downloadInvoice']> = async ({ params }, { database, now }) => {
  const invoice = (await findInvoice(database.reader, params.invoiceId)) ?? refuse('not_found')
  return { fileName: `${invoice.number}.pdf`, lines: [await invoiceFile(database, invoice, now)] }
}

export const invoiceOperations = { listOrderInvoices, downloadInvoice }

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
