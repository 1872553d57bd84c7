import type { LoadAttachments } from '../../../platform/mail/index.ts'
import { invoiceFile, invoicesOfOrder } from '../invoice/store.ts'
import type { Order } from '../order/order.ts'

/** The key of a mail's attachments: the documents of an order, or of one of its refunds. */
export function attachedOf({ id }: Pick<Order, 'id'>, reference: string | undefined): string {
  return reference === undefined ? id : `${id}/${reference}`
}

/** Loads the invoices and credit notes of an attachment key. */
export const attachedInvoices: LoadAttachments = async (database, attached, now) => {
  const [orderId = '', reference] = attached.split('/')
  const issued = await invoicesOfOrder(database.reader, orderId)
  const files = []
  // One after the other, because creating a PDF occupies the CPU.
  for (const invoice of issued.filter((each) => reference === undefined || each.reference === reference)) {
    const content = await invoiceFile(database, invoice, now)
    files.push({ filename: `${invoice.number}.pdf`, contentType: 'application/pdf', content })
  }
  return files
}

/** Whether the buyer is a business, whose bookkeeping expects invoices by mail. */
export function isForBusiness({ billingAddress, shippingAddress }: Order): boolean {
  const buyer = billingAddress ?? shippingAddress
  return buyer?.company !== undefined || buyer?.vatId !== undefined
}
