-- The tax in each refund, which a report subtracts from that of orders. Refunds so far took units whose amounts were not kept:
-- their tax is estimated in proportion to the amount, by store.
alter table order_adjustments add column taxes jsonb not null default '[]' check (jsonb_typeof(taxes) = 'array');

with parts as (
  select order_id, store_id, total, tax_lines from order_lines
  union all
  select order_id, store_id, total, tax_lines from order_shipping
), totals as (
  select order_id, store_id, sum(total) as total, sum(sum(total)) over (partition by order_id) as of_order
  from parts group by order_id, store_id
), shares as (
  select adjustment.reference, adjustment.order_id, totals.store_id,
    case when adjustment.by_store is null then adjustment.amount / nullif(totals.of_order, 0)
         else coalesce((adjustment.by_store->>totals.store_id)::numeric, 0) / nullif(totals.total, 0) end as share
  from order_adjustments adjustment join totals using (order_id)
), taxes as (
  select shares.reference, shares.order_id, jsonb_agg((tax - 'included') || jsonb_build_object('storeId', shares.store_id,
    'taxable', round((tax->>'taxable')::numeric * share), 'amount', round((tax->>'amount')::numeric * share))) as taxes
  from shares join parts using (order_id, store_id) cross join lateral jsonb_array_elements(parts.tax_lines) tax
  where share > 0
  group by shares.reference, shares.order_id
)
update order_adjustments set taxes = taxes.taxes from taxes
where order_adjustments.reference = taxes.reference and order_adjustments.order_id = taxes.order_id;

-- A report of a period reads its refunds.
create index order_adjustments_by_time on order_adjustments (at);
