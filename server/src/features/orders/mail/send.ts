import { sendMail } from '../../../platform/mail/index.ts'
import type { EventContext } from '../../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { acceptedHeads, type LegalHead, legalUrl } from '../../storefront/index.ts'
import { type OrderMailSender, orderLink, readOrderMailSender } from '../link/link.ts'
import { type Order, type OrderLine, storesOf } from '../order/order.ts'
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
  sendOrderMails(tx, order, { mails, ...(await readOrderMailSender(tx, order.lines)) }, context)
}

/** Sends mails like `notifyShopper`, for callers that have loaded the sender. */
export function sendOrderMails(
  tx: Transaction,
  order: Order,
  { mails, links, ...sender }: OrderMailSender & { readonly mails: readonly OrderMail[] },
  context: EventContext,
): void {
  if (!isNotifiedByUs(order)) return
  const link = links && orderLink(links, order, context.now)
  for (const mail of mails) sendMail(tx, composeOrderMail(order, mail, { ...sender, link }), context)
}

/** The other system notifies the shoppers of imported orders. */
function isNotifiedByUs({ source }: Pick<Order, 'source'>): boolean {
  return source === 'hosted_checkout'
}

/** Links to the documents that the shopper of an order has accepted, in the language of the order or another one. */
export async function documentLinks(
  reader: Reader,
  order: Pick<Order, 'acceptedDocuments' | 'locale'> & { readonly lines: readonly Pick<OrderLine, 'storeId'>[] },
  pagesUrl: string,
  locale = order.locale,
): Promise<readonly DocumentLink[]> {
  const storeIds = storesOf(order)
  return linksTo(
    await acceptedHeads(reader, order.acceptedDocuments, { languages: [locale], storeIds }),
    pagesUrl,
    locale,
  )
}

/** Links to documents. */
export function linksTo(heads: readonly LegalHead[], pagesUrl: string, locale: string): readonly DocumentLink[] {
  return heads.map(({ id, title }) => ({ title, url: legalUrl(pagesUrl, { document: id }, locale) }))
}
