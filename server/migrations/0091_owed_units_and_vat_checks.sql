-- A registry that does not answer is asked again after a minute, also about a number with an earlier answer, which stays. Without the time
-- of the last question, each change of an address asked it again, and waited for it.
alter table vat_checks
  -- When the registry was asked last. Null: written by the previous version, when it was checked.
  add column asked_at timestamptz;

-- Units that were sold beyond the stock are owed until they ship: a new count covers them first (docs/decisions/0173).
alter table stock_sold_beyond
  -- The previous version knows none. Its sales of the test environment between the migration and the deployment count as live.
  add column environment text not null default 'live' check (environment in ('test', 'live'));
update stock_sold_beyond sold set environment = session.environment from checkout_sessions session where session.id = sold.holder;
-- What has shipped since is not owed.
update stock_sold_beyond sold set units = least(sold.units, placed.waiting)
from (
  select session_id, sku_id, sum(ordered - canceled - fulfilled)::integer as waiting
  from orders join order_lines on order_id = orders.id group by session_id, sku_id) placed
where placed.session_id = sold.holder and placed.sku_id = sold.sku_id and sold.units > placed.waiting;
