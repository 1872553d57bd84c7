import type { Order as Resource } from '@vitrine/contract'
import { afterSalesAnswer, requestsOf } from '../../features/after-sales/index.ts'
import { cancellationAnswer } from '../../features/cancellations/index.ts'
import { type StoreHead, storeHeads } from '../../features/catalog/index.ts'
import {
  documentLinks,
  findOrderOfShopper,
  type Invoice,
  invoicesOfOrder,
  type Order,
  presentOrder,
  type ShopperAccess,
  storesOf,
} from '../../features/orders/index.ts'
import { readTimeZone } from '../../features/storefront/index.ts'
import { type Language, languageOf, type PageReadContext } from '../toolkit/index.ts'
import type { OrderVisit } from './access.ts'

/** Dependencies of the order pages. */
export interface OrderPagesDeps {
  /** Base of relative image URLs. */
  readonly publicUrl: string
  readonly pagesUrl: string
  /** The PDF of an invoice or a credit note. */
  readonly invoicePdf: (invoice: Invoice, now: Date) => Promise<Buffer>
}

/** An order with all data of its pages. */
export interface OrderView extends Pick<OrderVisit, 'isGuest' | 'at'> {
  readonly order: Order
  /** The order as the API presents it. */
  readonly shown: Resource
  readonly stores: ReadonlyMap<string, StoreHead>
  readonly documents: readonly { readonly title: string; readonly url: string }[]
  /** Invoices and credit notes, oldest first. */
  readonly invoices: readonly Invoice[]
  readonly mayCancel: boolean
  readonly mayReturn: boolean
  /** When the shopper can no longer cancel; `null` without a deadline, or if nothing can be canceled. */
  readonly cancelBy: Date | null
  /** The same for returns. */
  readonly returnBy: Date | null
  readonly now: Date
  readonly language: Language
  /** For amounts and dates. */
  readonly locale: string
  /** That of the sellers, for days. */
  readonly timeZone: string
  readonly formToken: string
  link: PageReadContext['link']
  /** The absolute URL of an image. */
  picture(url: string): string
}

/** The language of an order's pages: the requested one, else the order's. */
function languageAt(
  order: Order,
  { requestedLanguage, language }: Pick<PageReadContext, 'requestedLanguage' | 'language'>,
): Pick<OrderView, 'language' | 'locale'> {
  const own = languageOf(order.locale, [language])
  const chosen = requestedLanguage ?? own
  return { language: chosen, locale: chosen === own ? order.locale : chosen }
}

/** Loads the order of a visit. Refuses `not_found`, also for an order of another customer. */
export async function loadView(
  { publicUrl, pagesUrl }: Pick<OrderPagesDeps, 'publicUrl' | 'pagesUrl'>,
  { access, isGuest, at }: OrderVisit & { readonly access: ShopperAccess },
  context: PageReadContext,
): Promise<OrderView> {
  const { reader, now, formToken, link } = context
  const order = await findOrderOfShopper(reader, access)
  const { language, locale } = languageAt(order, context)
  const [requests, stores, documents, invoices, cancellation, afterSales, timeZone] = await Promise.all([
    requestsOf(reader, order),
    storeHeads(reader, storesOf(order), locale),
    documentLinks(reader, order, pagesUrl, language),
    invoicesOfOrder(reader, order.id),
    cancellationAnswer(reader, order, now),
    afterSalesAnswer(reader, order, now),
    readTimeZone(reader, storesOf(order)),
  ])
  const kinds = afterSales.eligibility.kinds.filter(({ decision }) => decision !== 'ineligible')
  return {
    order,
    now,
    shown: presentOrder(order, requests, locale),
    stores,
    documents,
    invoices,
    mayCancel: cancellation.eligibility.decision !== 'ineligible',
    mayReturn: kinds.some(({ kind }) => kind !== 'exchange'),
    cancelBy: cancellation.eligibility.until,
    returnBy: kinds.find(({ kind }) => kind === 'return')?.until ?? null,
    language,
    locale,
    timeZone,
    formToken,
    isGuest,
    at,
    link,
    picture: (url) => new URL(url, publicUrl).href,
  }
}
