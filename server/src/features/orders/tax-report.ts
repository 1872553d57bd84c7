import type { Environment } from '../../kernel/environment.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { TaxExemption } from '../pricing/index.ts'

/** The sales and refunds of a store under one tax. Amounts are minor units. */
export interface TaxReportLine {
  /** The country in which the tax is owed. */
  readonly country: string
  readonly currency: string
  readonly name: string
  readonly rate: string
  readonly category: string
  readonly exemption: TaxExemption | null
  /** The source of the calculation. `fallback`: the tables, because the provider failed. */
  readonly source: 'tables' | 'provider' | 'fallback'
  readonly taxable: bigint
  readonly tax: bigint
  readonly refundedTaxable: bigint
  readonly refundedTax: bigint
}

interface TaxReportQuery {
  readonly environment: Environment
  readonly storeId: string
  /** The first and the last day, in the time zone of the seller: `2026-03-31`. */
  readonly from: string
  readonly to: string
}

// Uses the indexes invoices_of_period, orders_newest and order_adjustments_by_time. An order is paid within three weeks, so it is
// enough to read orders placed up to 90 days before the period. Tax lines of earlier versions have no country: tax was owed at the
// destination.
const DESTINATION = `coalesce(shipping_address->>'countryCode', billing_address->>'countryCode', country)`
const IS_INVOICED = `exists (select from invoices where order_id = orders.id and kind = 'invoice'
  and lines @> jsonb_build_array(jsonb_build_object('storeId', $2::text)))`
const report = statement<TaxReportLine>(
  'orders.tax_report',
  `with period as (
     select $3::date::timestamp at time zone zone as begins, ($4::date + 1)::timestamp at time zone zone as ends
     from (select coalesce((select time_zone from seller_records where store_id = $2),
       (select time_zone from seller_records where store_id is null), 'UTC') as zone) seller
   ), paid as (
     select id, currency, ${DESTINATION} as country from (
       select orders.*, coalesce((select min(at) from order_timeline
         where order_id = orders.id and code = 'payment_captured'), placed_at) as paid_at
       from orders, period
       where (placed_at at time zone 'UTC') >= ((begins - interval '90 days') at time zone 'UTC')
         and (placed_at at time zone 'UTC') < (ends at time zone 'UTC') and environment = $1 and charge = 'captured') orders, period
     where paid_at >= begins and paid_at < ends and not ${IS_INVOICED}
   ), sold as (
     select ${DESTINATION} as country, invoice.currency, tax, case invoice.kind when 'invoice' then 1 else -1 end as sign
     from invoices invoice join orders on orders.id = invoice.order_id, jsonb_array_elements(invoice.lines) line,
       jsonb_array_elements(line->'taxLines') tax
     where invoice.environment = $1 and invoice.issued_on between $3::date and $4::date and line->>'storeId' = $2
     union all
     select paid.country, currency, tax, 1
     from paid join order_lines part on part.order_id = paid.id, jsonb_array_elements(part.tax_lines) tax
     where part.store_id = $2
     union all
     select paid.country, currency, tax, 1
     from paid join order_shipping part on part.order_id = paid.id, jsonb_array_elements(part.tax_lines) tax
     where part.store_id = $2
     union all
     select ${DESTINATION}, currency, tax, -1
     from period, order_adjustments refund join orders on orders.id = refund.order_id, jsonb_array_elements(refund.taxes) tax
     where refund.at >= begins and refund.at < ends and environment = $1 and tax->>'storeId' = $2
       and not ${IS_INVOICED}
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
 * Reports the taxes on a store's sales and refunds in a period, from the invoices and credit notes of these days. An order without an
 * invoice counts on the day it was paid, and its refund on the day it was decided. A past period does not change.
 */
export function taxReport(
  reader: Reader,
  { environment, storeId, from, to }: TaxReportQuery,
): Promise<readonly TaxReportLine[]> {
  return reader.rows(report, [environment, storeId, from, to])
}
