import { type Static, type TProperties, Type } from 'typebox'
import { ACCOUNT_PATHS, findCustomerSession } from '../../features/accounts/index.ts'
import { ORDER_LINK_PATHS, openOrderLink, readOrderLinks, type ShopperAccess } from '../../features/orders/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { html, type PageReadContext, type PageResponse, type Texts } from '../toolkit/index.ts'

const texts: Texts<'title' | 'text' | 'again'> = {
  en: {
    title: 'This link is no longer valid',
    text: 'Links to orders expire, because anyone who has one can open the order. We’ll gladly send you a new one.',
    again: 'Send me a new link',
  },
  de: {
    title: 'Dieser Link ist nicht mehr gültig',
    text: 'Links zu Bestellungen laufen ab, weil jeder sie öffnen kann, der sie hat. Wir senden dir gern einen neuen.',
    again: 'Neuen Link senden',
  },
}

const orderKey = {
  /** The token of a link, or the id of an order. */
  key: Type.String({ minLength: 1, maxLength: 120 }),
  environment: Type.Optional(Type.Literal('test')),
}
const OrderQuery = Type.Object(orderKey, { additionalProperties: false })
export type OrderQuery = Static<typeof OrderQuery>

/** The query of an order page, with further parameters. */
export function orderQuery<const More extends TProperties>(more: More) {
  return Type.Object({ ...orderKey, ...more }, { additionalProperties: false })
}

/** The access of a shopper to an order. Loading the order checks it. */
export interface OrderVisit {
  readonly access: ShopperAccess
  readonly isGuest: boolean
  /** A path of the order, in the requested language. */
  at(path?: '' | `/${string}`, query?: Readonly<Record<string, string>>): string
}

type EntryContext = Pick<PageReadContext, 'now' | 'cookie' | 'link' | 'language'> & { readonly reader: Reader }

/** A kind of access to the pages of an order. */
export interface OrderEntry {
  readonly path: '/order/:key' | '/account/orders/:key'
  /** The visit, or the page to show instead. */
  admit(query: OrderQuery, context: EntryContext): Promise<OrderVisit | PageResponse>
}

export function isVisit(admitted: OrderVisit | PageResponse): admitted is OrderVisit {
  return 'access' in admitted
}

/** Access with a link from a mail. */
export const byLink: OrderEntry = {
  path: `${ORDER_LINK_PATHS.order}/:key`,
  async admit({ key }, { reader, now, link, language }) {
    const links = await readOrderLinks(reader)
    const linked = links && openOrderLink(links, key, now)
    if (!linked) {
      const words = texts[language]
      const main = html`<h1>${words.title}</h1>
<p class="lead">${words.text}</p>
<div class="actions"><a class="button" href="${link(ORDER_LINK_PATHS.request)}">${words.again}</a></div>`
      return { kind: 'page', status: 404, title: words.title, main }
    }
    const { id: orderId, environment } = linked
    return {
      access: { kind: 'link', orderId, environment },
      isGuest: true,
      at: (path = '', query = {}) => link(`${ORDER_LINK_PATHS.order}/${key}${path}`, query),
    }
  },
}

/** Access of a signed-in customer. */
export const byAccount: OrderEntry = {
  path: `${ACCOUNT_PATHS.orders}/:key`,
  async admit({ key: orderId, environment }, { reader, now, cookie, link }) {
    const customer = await findCustomerSession(reader, cookie('customer'), now)
    const path = `${ACCOUNT_PATHS.orders}/${orderId}`
    const own = environment === undefined ? {} : { environment }
    if (!customer) return { kind: 'redirect', to: link(ACCOUNT_PATHS.home) }
    return {
      access: { kind: 'customer', customerId: customer.id, orderId, environment: environment ?? 'live' },
      isGuest: false,
      at: (below = '', query = {}) => link(`${path}${below}`, { ...own, ...query }),
    }
  },
}
