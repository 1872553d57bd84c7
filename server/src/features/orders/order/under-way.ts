import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** The open cancellation and after-sales requests of an order. */
export interface UnderWay {
  /** One for the whole order. */
  readonly openCancellation: { readonly id: string; readonly lineIds: readonly string[] } | null
  /** The open after-sales request of a line, by line id. */
  readonly openRequests: ReadonlyMap<string, string>
}

// Reads tables of cancellations and after-sales, which orders may not import, because the eligibility rules need both at once.
const underWay = statement<{ line_id: string | null; id: string; line_ids: readonly string[] | null }>(
  'orders.under_way',
  `select null as line_id, id,
     array(select line_id from cancellation_lines where cancellation_id = cancellations.id) as line_ids
   from cancellations where order_id = $1 and status in ('requested', 'approved')
   union all
   select line_id, after_sales_id, null from after_sales_lines
   where is_open and line_id in (select id from order_lines where order_id = $1)`,
)

/** Loads the open requests of an order in one statement. */
export async function loadUnderWay(reader: Reader, orderId: string): Promise<UnderWay> {
  const rows = await reader.rows(underWay, [orderId])
  const cancellation = rows.find(({ line_id }) => line_id === null)
  return {
    openCancellation: cancellation ? { id: cancellation.id, lineIds: cancellation.line_ids ?? [] } : null,
    openRequests: new Map(rows.flatMap(({ line_id, id }) => (line_id === null ? [] : [[line_id, id] as const]))),
  }
}
