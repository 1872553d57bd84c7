import { sendMail } from '../../platform/mail/index.ts'
import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { acceptedHeads, LEGAL_PATH, readSiteName } from '../storefront/index.ts'
import type { Order, OrderLine } from './order.ts'
import type { DocumentLink, OrderNews } from './order-mail-news.ts'
import { orderMail } from './order-mails.ts'

/** Writes a mail for each piece of news of an order, in the transaction that makes it happen. */
export async function tellShopper(
  tx: Transaction,
  order: Order,
  news: readonly OrderNews[],
  context: EventContext,
): Promise<void> {
  if (news.length === 0 || !isOurs(order)) return
  writeMails(tx, order, { news, siteName: await readSiteName(tx) }, context)
}

/** The same, by whoever knows already what the site is called. */
export function writeMails(
  tx: Transaction,
  order: Order,
  { news, siteName }: { readonly news: readonly OrderNews[]; readonly siteName: string },
  context: EventContext,
): void {
  if (!isOurs(order)) return
  for (const each of news) sendMail(tx, orderMail(order, each, siteName), context)
}

/** Whoever brought an order in from elsewhere tells its shopper from there. */
function isOurs({ source }: Pick<Order, 'source'>): boolean {
  return source === 'hosted_checkout'
}

/** Where the documents stand that the shopper of an order has accepted. */
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
