import type { EventContext } from '../../platform/outbox/outbox.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { eventFactsOf, type Order, publishOfOrder } from '../orders/index.ts'
import { type AfterSales, shownIn } from './after-sales.ts'

/** Publishes that a request was received or changed. */
export function publishAfterSalesEvent(
  tx: Transaction,
  kind: 'after_sales.requested' | 'after_sales.updated',
  { order, request }: { readonly order: Order; readonly request: AfterSales },
  context: EventContext,
): void {
  const eventsOf = (shown: Order) =>
    shownIn(shown, [request]).map(({ id, status, kind: of, lines, approval, version }) => {
      const { instructions = null, returnBy = null } = approval ?? {}
      const approved = {
        ...(instructions !== null && { instructions }),
        ...(returnBy !== null && { returnBy: returnBy.toISOString() }),
      }
      return {
        kind,
        subjectId: id,
        data: { ...eventFactsOf(shown, lines), afterSalesId: id, kind: of, status, ...approved, version },
      }
    })
  publishOfOrder(tx, order, eventsOf, context)
}
