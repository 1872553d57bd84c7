import type { Order } from '@vitrine/contract'
import { Type } from 'typebox'
import { ACCOUNT_PATHS, type Customer } from '../../features/accounts/index.ts'
import { environmentsWithOrders, ordersOfCustomer } from '../../features/orders/index.ts'
import type { Environment } from '../../kernel/environment.ts'
import { formatDate } from '../../kernel/format-date.ts'
import { formatMoney } from '../../kernel/format-money.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type HtmlPage, html, type PageReadContext, type PageRoute, pageRead, type Texts } from '../toolkit/index.ts'
import { accountPage, isCustomer, languageFor, signedIn } from './signed-in.ts'

type Status = `status_${Order['status']}`
type Words = 'title' | 'none' | 'noneTest' | 'more' | 'first' | 'test' | 'showTest' | 'showLive' | 'open' | Status

const texts: Texts<Words> = {
  en: {
    title: 'Your orders',
    none: 'You have no orders yet. Orders that you place while you are signed in appear here.',
    noneTest: 'You have no test orders.',
    more: 'Older orders',
    first: 'Newest orders',
    test: 'These are test orders. Nothing is delivered and nothing is charged.',
    showTest: 'Show test orders',
    showLive: 'Show real orders',
    open: 'Request open',
    status_confirmed: 'Received',
    status_processing: 'In preparation',
    status_on_hold: 'On hold',
    status_completed: 'Completed',
    status_canceled: 'Canceled',
  },
  de: {
    title: 'Deine Bestellungen',
    none: 'Du hast noch keine Bestellungen. Hier erscheint, was du angemeldet bestellst.',
    noneTest: 'Du hast keine Testbestellungen.',
    more: 'Ältere Bestellungen',
    first: 'Neueste Bestellungen',
    test: 'Das sind Testbestellungen. Es wird nichts geliefert und nichts berechnet.',
    showTest: 'Testbestellungen anzeigen',
    showLive: 'Echte Bestellungen anzeigen',
    open: 'Offene Anfrage',
    status_confirmed: 'Eingegangen',
    status_processing: 'In Vorbereitung',
    status_on_hold: 'Angehalten',
    status_completed: 'Abgeschlossen',
    status_canceled: 'Storniert',
  },
}

const PAGE_SIZE = 20
const ListQuery = Type.Object(
  {
    environment: Type.Optional(Type.Union([Type.Literal('test'), Type.Literal('live')])),
    /** The time and id of the order after which the page begins. */
    after: Type.Optional(Type.String({ pattern: '^[12][0-9]{3}-[0-9TZ:.-]{15,25}_ord_[0-9a-z]{26}$', maxLength: 80 })),
  },
  { additionalProperties: false },
)

/** The orders of a customer in all shops of the marketplace. */
export function orderListPages(): PageRoute[] {
  return [
    pageRead({
      path: ACCOUNT_PATHS.orders,
      query: ListQuery,
      async show({ query: { environment: wanted, after } }, context) {
        const customer = await signedIn(context)
        if (!isCustomer(customer)) return customer
        const known = await environmentsWithOrders(context.reader, customer.id)
        const environment = wanted ?? (known.has('test') && !known.has('live') ? 'test' : 'live')
        const behind = after === undefined ? null : positionOf(after)
        const who = { customerId: customer.id, environment }
        const orders = await ordersOfCustomer(context.reader, who, behind, PAGE_SIZE + 1)
        return listPage(customer, { orders, environment, known, isFirst: behind === null }, context)
      },
    }),
  ]
}

function positionOf(after: string) {
  const at = after.indexOf('_')
  const placedAt = new Date(after.slice(0, at))
  if (Number.isNaN(placedAt.getTime())) refuse('validation_failed')
  return { placedAt: placedAt.toISOString(), id: after.slice(at + 1) }
}

interface Listed {
  readonly orders: Awaited<ReturnType<typeof ordersOfCustomer>>
  readonly environment: Environment
  readonly known: ReadonlySet<Environment>
  readonly isFirst: boolean
}

function listPage(
  customer: Customer,
  { orders, environment, known, isFirst }: Listed,
  context: PageReadContext,
): HtmlPage {
  const { link } = context
  const language = languageFor(customer, context)
  const words = texts[language]
  const isTest = environment === 'test'
  const own = isTest ? { environment } : {}
  const shown = orders.slice(0, PAGE_SIZE)
  const last = shown.at(-1)
  const other: Environment = isTest ? 'live' : 'test'
  const hasMore = orders.length > PAGE_SIZE
  const main = html`${isTest && html`<p class="note">${words.test}</p>`}
${shown.length === 0 && html`<p>${isTest ? words.noneTest : words.none}</p>`}
<dl class="facts">
${shown.map(
  (
    order,
  ) => html`<div><dt>${formatDate(language, order.placedAt, order.timeZone)}<br>${words[`status_${order.status}`]}${order.openCancellations + order.openAfterSales > 0 && ` · ${words.open}`}</dt>
<dd><a href="${link(`${ACCOUNT_PATHS.orders}/${order.id}`, own)}">${order.number}</a><br>${formatMoney(language, BigInt(order.total), order.currency)}</dd></div>
`,
)}
</dl>
${
  (hasMore || !isFirst || known.has(other)) &&
  html`<div class="actions">
${hasMore && last && html`<a class="button quiet" href="${link(ACCOUNT_PATHS.orders, { ...own, after: `${last.placedAt.toISOString()}_${last.id}` })}">${words.more}</a>`}
${!isFirst && html`<a class="button quiet" href="${link(ACCOUNT_PATHS.orders, own)}">${words.first}</a>`}
${known.has(other) && html`<a class="button quiet" href="${link(ACCOUNT_PATHS.orders, { environment: other })}">${isTest ? words.showLive : words.showTest}</a>`}
</div>`
}`
  return accountPage({ title: words.title, main, language }, context)
}
