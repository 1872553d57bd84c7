import { Type } from 'typebox'
import type { CancellationDeps } from '../../features/cancellations/index.ts'
import { type PageRoute, pageRead } from '../toolkit/index.ts'
import { byAccount, byLink, isVisit, type OrderDoor, orderQuery } from './access.ts'
import { cancelPages } from './cancel.ts'
import { returnPages } from './give-back.ts'
import { invoicePage } from './invoices.ts'
import { orderPage } from './order-page.ts'
import { requestLinkPages } from './request-link.ts'
import { loadView, type OrderPagesDeps } from './view.ts'

/** Pages of an order: for guests by the link of a mail, for customers by their account. */
export function orderPages(deps: OrderPagesDeps & CancellationDeps): PageRoute[] {
  return [...requestLinkPages(), ...pagesBehind(byLink, deps), ...pagesBehind(byAccount, deps)]
}

function pagesBehind(door: OrderDoor, deps: OrderPagesDeps & CancellationDeps): PageRoute[] {
  return [
    pageRead({
      path: door.path,
      query: orderQuery({ changed: Type.Optional(Type.Literal('yes')) }),
      async show({ query }, context) {
        const visit = await door.admit(query, context)
        if (!isVisit(visit)) return visit
        return orderPage(await loadView(deps, visit, context), { isChanged: query.changed === 'yes' })
      },
    }),
    invoicePage(door, deps),
    ...cancelPages(door, deps),
    ...returnPages(door, deps),
  ]
}
