import type { Static } from 'typebox'
import { Type } from 'typebox'
import { Environment, id, Money, none, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, leftOut, listOf, oneOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Orders'
const auth = { kind: 'operator', area: 'finance' } as const
const Day = formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'A day, included.', '2026-03-31')
const InvoiceId = id('inv', 'The id of the invoice or credit note.')

export const OperatorInvoice = operatorNamed(
  'OperatorInvoice',
  closed('An invoice or a credit note, as issued.', {
    id: InvoiceId,
    kind: oneOf(['invoice', 'credit_note'], 'What it is.'),
    number: text(40, 'Its number, without gaps per seller and year.', '2026-00001'),
    seller: text(200, 'The legal name of the seller.', 'Havelton Handel GmbH'),
    total: Money,
    corrects: Type.Optional(leftOut(text(40, 'The number of the invoice that it corrects.', '2026-00001'))),
    issuedAt: Timestamp,
  }),
)
export type OperatorInvoice = Static<typeof OperatorInvoice>

export const invoiceRows = {
  listOrderInvoices: operatorOperation({
    method: 'GET',
    path: '/operator/v1/orders/{orderId}/invoices',
    tag,
    summary: 'List the invoices and credit notes of an order.',
    description:
      'Oldest first. One invoice for each seller, and a credit note for each refund. Of an order of several stores, operators of one store get those that their store issued.',
    auth,
    params: closed('The order.', { orderId: id('ord', 'The id of the order.') }),
    data: closed('The documents.', { items: listOf(OperatorInvoice, 20_000, 'Oldest first.') }),
    refusals: ['not_found'],
    store: { object: 'order_share', field: 'orderId' },
  }),
  exportInvoices: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/invoices',
    tag,
    summary: 'Export the invoices of a period.',
    description:
      'A CSV file with all invoices and credit notes of the seller of a store, oldest first: a line for each tax rate of a document, those of credit notes negative. A store without legal details of its own sells for the marketplace, of whose documents its own operators get those about orders of the store alone. Days are in the time zone of the seller.',
    auth,
    download: 'text/csv',
    params: closed('The store.', { storeSlug: Slug }),
    query: closed('The environment and the period.', {
      environment: Type.Optional(Environment),
      from: Day,
      to: Day,
    }),
    data: text(
      2000,
      'A line.',
      '2026-00001,invoice,2026-03-31,,V-10001,"Ada Example",DE,,EUR,S,19,100.00,19.00,119.00',
    ),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
    recordsRead: { type: 'store', field: 'storeSlug' },
  }),
  downloadInvoice: operatorOperation({
    method: 'GET',
    path: '/operator/v1/invoices/{invoiceId}/pdf',
    tag,
    summary: 'Download an invoice or a credit note.',
    description: 'A PDF/A-3 with the XML of EN 16931 inside (ZUGFeRD, Factur-X). The same bytes each time.',
    auth,
    download: 'application/pdf',
    ownTransactions: true,
    unaudited: true,
    params: closed('The document.', { invoiceId: InvoiceId }),
    data: none,
    refusals: ['not_found'],
    store: { object: 'invoice', field: 'invoiceId' },
    recordsRead: { type: 'invoice', field: 'invoiceId' },
  }),
}
