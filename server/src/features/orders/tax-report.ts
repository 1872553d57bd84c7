import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { TaxExemption } from '../pricing/index.ts'

/** The sales and refunds of a store with one tax, in minor units. */
export interface TaxReportLine {
  /** Where the tax is owed. */
  readonly country: string
  readonly currency: string
  readonly name: string
  readonly rate: string
  readonly category: string
  readonly exemption: TaxExemption | null
  /** Who calculated it. `fallback`: the tables, because the provider failed. */
  readonly source: 'tables' | 'provider' | 'fallback'
  readonly taxable: bigint
  readonly tax: bigint
  readonly refundedTaxable: bigint
  readonly refundedTax: bigint
}

export interface TaxReportQuery {
  readonly environment: Environment
  readonly storeId: string
  readonly from: Date
  /** Exclusive. */
  readonly until: Date
}

// Uses the indexes orders_newest and order_adjustments_by_time. What was never charged was never supplied. Earlier orders do not
// say where tax is owed: it was the destination.
const report = statement<TaxReportLine>(
  'orders.tax_report',
  `with placed as (
     select id, currency, coalesce(shipping_address->>'countryCode', billing_address->>'countryCode', country) as country
     from orders
     where (placed_at at time zone 'UTC') >= ($3::timestamptz at time zone 'UTC')
       and (placed_at at time zone 'UTC') < ($4::timestamptz at time zone 'UTC') and environment = $1 and charge = 'captured'
   ), sold as (
     select placed.country, currency, tax, 1 as sign
     from placed join order_lines part on part.order_id = placed.id, jsonb_array_elements(part.tax_lines) tax
     where part.store_id = $2
     union all
     select placed.country, currency, tax, 1
     from placed join order_shipping part on part.order_id = placed.id, jsonb_array_elements(part.tax_lines) tax
     where part.store_id = $2
     union all
     select coalesce(shipping_address->>'countryCode', billing_address->>'countryCode', country), currency, tax, -1
     from order_adjustments refund join orders on orders.id = refund.order_id, jsonb_array_elements(refund.taxes) tax
     where refund.at >= $3 and refund.at < $4 and environment = $1 and tax->>'storeId' = $2
   )
   select coalesce(tax->>'country', country) as country, currency, tax->>'name' as name, tax->>'rate' as rate,
     tax->>'category' as category, tax->>'exemption' as exemption, coalesce(tax->>'source', 'tables') as source,
     coalesce(sum((tax->>'taxable')::bigint) filter (where sign > 0), 0)::bigint as taxable,
     coalesce(sum((tax->>'amount')::bigint) filter (where sign > 0), 0)::bigint as tax,
     coalesce(sum((tax->>'taxable')::bigint) filter (where sign < 0), 0)::bigint as "refundedTaxable",
     coalesce(sum((tax->>'amount')::bigint) filter (where sign < 0), 0)::bigint as "refundedTax"
   from sold group by 1, 2, 3, 4, 5, 6, 7 order by 1, 2, 6 nulls first, 4, 5, 3, 7`,
)

/**
 * The taxes of a store's sales in a period, less those of its refunds. A sale counts when it was placed, a refund when it was
 * decided; neither changes afterwards.
 */
export function taxReport(
  reader: Reader,
  { environment, storeId, from, until }: TaxReportQuery,
): Promise<readonly TaxReportLine[]> {
  return reader.rows(report, [environment, storeId, from, until])
}
