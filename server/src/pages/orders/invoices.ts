import { Type } from 'typebox'
import { findInvoice, findOrderOfShopper, INVOICES_ANCHOR, type Invoice } from '../../features/orders/index.ts'
import { formatDay } from '../../kernel/format-date.ts'
import { wireMoney } from '../../kernel/money.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type Html, html, money, type PageRoute, pageRead } from '../toolkit/index.ts'
import { isVisit, type OrderEntry, orderQuery } from './access.ts'
import { texts } from './texts.ts'
import type { OrderPagesDeps, OrderView } from './view.ts'

/** The PDF of an invoice or a credit note. Refuses `not_found`, also for an invoice of another order. */
export function invoicePage(entry: OrderEntry, { invoicePdf }: Pick<OrderPagesDeps, 'invoicePdf'>): PageRoute {
  return pageRead({
    path: `${entry.path}/invoices/:invoice`,
    query: orderQuery({ invoice: Type.String({ minLength: 1, maxLength: 120 }) }),
    async show({ query }, context) {
      const visit = await entry.admit(query, context)
      if (!isVisit(visit)) return visit
      const order = await findOrderOfShopper(context.reader, visit.access)
      const invoice = await findInvoice(context.reader, query.invoice)
      if (invoice === null || invoice.orderId !== order.id) refuse('not_found')
      const body = await invoicePdf(invoice, context.now)
      return { kind: 'download', name: `${invoice.number}.pdf`, contentType: 'application/pdf', body }
    },
  })
}

/** The invoices and credit notes of an order, with links to their PDFs. */
export function invoiceList(view: OrderView): Html | null {
  const { invoices, language, at } = view
  if (invoices.length === 0) return null
  const words = texts[language]
  const hasSellers = new Set(invoices.map(({ sellerId }) => sellerId)).size > 1
  return html`<h2 id="${INVOICES_ANCHOR}">${words.invoices}</h2>
<dl class="facts">
${invoices.map(
  (
    invoice,
  ) => html`<div><dt>${words.invoice[invoice.kind]}<br><span class="small">${formatDay(view.locale, invoice.issuedOn)}</span></dt>
<dd><a href="${at(`/invoices/${invoice.id}`)}">${invoice.number} (PDF)</a><br>${amountOf(view, invoice)}${hasSellers && html`<br><span class="small plain">${invoice.seller.legalName}</span>`}</dd></div>
`,
)}
</dl>`
}

function amountOf(view: OrderView, { kind, total, currency }: Invoice): string {
  return money(view, wireMoney(kind === 'invoice' ? total : -total, currency))
}
