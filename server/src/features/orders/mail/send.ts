import { sendMail } from '../../../platform/mail/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { acceptedHeads, LEGAL_PATH, readSiteName } from '../../storefront/index.ts'
import { type OrderLinks, orderLink, readOrderLinks } from '../link/link.ts'
import type { Order, OrderLine } from '../order/order.ts'
import { composeOrderMail, type OrderMail } from './compose.ts'
import type { DocumentLink } from './notifications.ts'

/** Sends mails to the shopper of an order, in the transaction of the change they report. */
export async function notifyShopper(
  tx: Transaction,
  order: Order,
  mails: readonly OrderMail[],
  context: EventContext,
): Promise<void> {
  if (mails.length === 0 || !isNotifiedByUs(order)) return
  const [siteName, links] = await Promise.all([readSiteName(tx), readOrderLinks(tx)])
  sendOrderMails(tx, order, { mails, siteName, links }, context)
}

/** The same, for callers that have loaded the site name and what links are made with. */
export function sendOrderMails(
  tx: Transaction,
  order: Order,
  {
    mails,
    siteName,
    links,
  }: { readonly mails: readonly OrderMail[]; readonly siteName: string; readonly links: OrderLinks | null },
  context: EventContext,
): void {
  if (!isNotifiedByUs(order)) return
  const link = links && orderLink(links, order, context.now)
  for (const mail of mails) sendMail(tx, composeOrderMail(order, mail, { siteName, link }), context)
}

/** Shoppers of imported orders hear from the system the order came from. */
function isNotifiedByUs({ source }: Pick<Order, 'source'>): boolean {
  return source === 'hosted_checkout'
}

/** Links to the documents that the shopper of an order has accepted. */
export async function documentLinks(
  reader: Reader,
  order: Pick<Order, 'acceptedDocuments' | 'locale'> & { readonly lines: readonly Pick<OrderLine, 'storeId'>[] },
  pagesUrl: string,
): Promise<readonly DocumentLink[]> {
  const storeIds = [...new Set(order.lines.map(({ storeId }) => storeId))]
  const heads = await acceptedHeads(reader, order.acceptedDocuments, { languages: [order.locale], storeIds })
  return heads.map(({ id, title }) => ({
    title,
    url: `${pagesUrl}${LEGAL_PATH}?${new URLSearchParams({ document: id })}`,
  }))
}
