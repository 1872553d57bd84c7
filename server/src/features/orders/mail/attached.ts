import type { LoadAttachments } from '../../../platform/mail/index.ts'
import { invoiceFile, invoicesOfOrder } from '../invoice/store.ts'
import type { Order } from '../order/order.ts'

/** Names what has been issued for an order, or for one of its refunds, to be attached to a mail. */
export function attachedOf({ id }: Pick<Order, 'id'>, reference: string | undefined): string {
  return reference === undefined ? id : `${id}/${reference}`
}

/** The invoices and credit notes that a mail names. */
export const attachedInvoices: LoadAttachments = async (database, attached, now) => {
  const [orderId = '', reference] = attached.split('/')
  const issued = await invoicesOfOrder(database.reader, orderId)
  const files = []
  // One after the other: making one is work for the processor.
  for (const invoice of issued.filter((each) => reference === undefined || each.reference === reference)) {
    const content = await invoiceFile(database, invoice, now)
    files.push({ filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content })
  }
  return files
}

/** Whether the buyer is a business: its bookkeeping takes invoices from its mailbox. */
export function isForBusiness({ billingAddress, shippingAddress }: Order): boolean {
  const buyer = billingAddress ?? shippingAddress
  return buyer?.company !== undefined || buyer?.vatId !== undefined
}
