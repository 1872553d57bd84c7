import { Type } from 'typebox'
import type { CancellationDeps } from '../../features/cancellations/index.ts'
import { findOrderOfShopper } from '../../features/orders/index.ts'
import { inLocaleOf, type LocaleOf, type PageRoute, pageRead } from '../toolkit/index.ts'
import { byAccount, byLink, isVisit, type OrderEntry, type OrderQuery, orderQuery } from './access.ts'
import { cancelPages } from './cancel.ts'
import { returnPages } from './give-back.ts'
import { invoicePage } from './invoices.ts'
import { orderPage } from './order-page.ts'
import { requestLinkPages } from './request-link.ts'
import { loadView, type OrderPagesDeps } from './view.ts'

/** The pages of an order: for guests with a link from a mail, for customers in their account. */
export function orderPages(deps: OrderPagesDeps & CancellationDeps): PageRoute[] {
  const entries = [byLink, byAccount].flatMap((entry) => inLocaleOf(localeOfOrder(entry), pagesOf(entry, deps)))
  return [...requestLinkPages(), ...entries]
}

function localeOfOrder(entry: OrderEntry): LocaleOf {
  return async (query, context) => {
    const visit = await entry.admit(query as OrderQuery, context)
    return isVisit(visit) ? (await findOrderOfShopper(context.reader, visit.access)).locale : null
  }
}

function pagesOf(entry: OrderEntry, deps: OrderPagesDeps & CancellationDeps): PageRoute[] {
  return [
    pageRead({
      path: entry.path,
      query: orderQuery({ changed: Type.Optional(Type.Literal('yes')) }),
      async show({ query }, context) {
        const visit = await entry.admit(query, context)
        if (!isVisit(visit)) return visit
        return orderPage(await loadView(deps, visit, context), { isChanged: query.changed === 'yes' })
      },
    }),
    invoicePage(entry, deps),
    ...cancelPages(entry, deps),
    ...returnPages(entry, deps),
  ]
}
