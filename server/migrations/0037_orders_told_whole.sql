-- An order tells where it came from and what it was, and a credential narrowed to one store sees that store's share of an order with
-- lines of several (docs/decisions/0080).

-- What the checkout was begun with. The session and the cart may be swept; the order keeps it.
alter table orders
  add column cart_id text,
  add column client_reference_id text check (length(client_reference_id) between 1 and 200),
  add column metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  add column phone text check (length(phone) between 1 and 16),
  -- For lists: of the lines, in their order. Null: written by the previous version; lists read the lines instead.
  add column store_ids text[] check (cardinality(store_ids) between 1 and 100),
  add column unit_count integer check (unit_count between 1 and 99900);
alter table order_lines
  add column code text check (length(code) between 1 and 250),
  add column image jsonb check (jsonb_typeof(image) = 'object');
alter table order_shipping add column name text check (length(name) between 1 and 200);
-- The stores that an entry tells about. Null: about the order as a whole.
alter table order_timeline add column store_ids text[];
-- How much of an amount is of each store, by store id, in minor units. Null: the order has one store, or no unit is concerned.
alter table order_adjustments add column by_store jsonb check (jsonb_typeof(by_store) = 'object');
alter table cancellations add column refund_by_store jsonb check (jsonb_typeof(refund_by_store) = 'object');
alter table after_sales add column refund_by_store jsonb check (jsonb_typeof(refund_by_store) = 'object');

-- Orders with lines of several stores, once for each store: the list of a credential narrowed to it.
create table order_shares (
  order_id text not null references orders (id) on delete cascade,
  store_id text not null references stores (id),
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  placed_at timestamptz not null,
  primary key (order_id, store_id)
);
create index order_shares_of_store on order_shares (installation_id, environment, store_id, placed_at desc, order_id desc);

-- Open after-sales requests of an order, for lists. Open cancellations have an index.
create index after_sales_open_by_order on after_sales (order_id)
  where status not in ('completed', 'declined', 'withdrawn', 'expired');

-- An event that tells the share of one store is for the endpoints of grants of that store alone.
alter table events add column of_share boolean not null default false;

-- What is still known of earlier orders. What is not, stays absent.
update orders set store_ids = known.store_ids, unit_count = known.units
  from (select order_id, array_agg(store_id order by first) as store_ids, sum(units) as units
        from (select order_id, store_id, min(position) as first, sum(ordered) as units from order_lines group by order_id, store_id) as of_store
        group by order_id) as known
  where orders.id = known.order_id;
update orders set cart_id = session.cart_id, client_reference_id = session.client_reference_id, metadata = session.metadata,
    phone = session.contact ->> 'phone'
  from checkout_sessions session where session.id = orders.session_id;
update order_lines set code = sku.code from skus sku where sku.id = order_lines.sku_id;
update order_lines set image = quoted.line -> 'image'
  from (select orders.id as order_id, line from orders
          join checkout_sessions session on session.id = orders.session_id
          join quotes quote on quote.id = session.quote_id,
          jsonb_array_elements(convert_from(quote.payload, 'UTF8')::jsonb -> 'lines') as line) as quoted
  where order_lines.order_id = quoted.order_id and order_lines.cart_line_id = quoted.line ->> 'lineId'
    and jsonb_typeof(quoted.line -> 'image') = 'object';
-- In the language of the order, else in the first: as the service does.
update order_shipping set name = coalesce(method.name ->> orders.locale, method.name ->> split_part(orders.locale, '-', 1),
    (select value from jsonb_each_text(method.name) order by key limit 1))
  from orders, shipping_methods method
  where orders.id = order_shipping.order_id and method.id = order_shipping.option_id;

insert into order_shares (order_id, store_id, installation_id, environment, placed_at)
  select distinct orders.id, line.store_id, orders.installation_id, orders.environment, orders.placed_at
  from orders join order_lines line on line.order_id = orders.id where orders.store_id is null;
-- Which stores an earlier entry about units or money tells of is not known: all of them.
update order_timeline set store_ids = orders.store_ids
  from orders where orders.id = order_timeline.order_id and orders.store_id is null
    and (code like 'parcel\_%' or code like 'units\_%' or code like 'refund%');
-- A request's amount is of its stores by the price of its units; what rounding leaves is of the first.
create temporary table request_shares on commit drop as
  with asked as (
    select cancellation_id as request_id, line_id, quantity from cancellation_lines
    union all select after_sales_id, line_id, quantity from after_sales_lines),
  weighed as (
    select request_id, line.store_id, min(line.position) as first, sum(line.total * asked.quantity / line.ordered) + 1 as weight
    from asked join order_lines line on line.id = asked.line_id join orders on orders.id = line.order_id
    where orders.store_id is null group by request_id, line.store_id)
  select request_id, store_id, weight / sum(weight) over (partition by request_id) as part,
    row_number() over (partition by request_id order by first) = 1 as is_first
  from weighed;
create function pg_temp.by_store(request text, amount bigint) returns jsonb language sql as $$
  select jsonb_object_agg(store_id, rounded + case when is_first then amount - whole else 0 end)
  from (select store_id, is_first, floor(amount * part)::bigint as rounded, sum(floor(amount * part)::bigint) over () as whole
        from request_shares where request_id = request) as parts
$$;
update order_adjustments set by_store = pg_temp.by_store(reference, amount)
  where reference in (select request_id from request_shares);
update cancellations set refund_by_store = pg_temp.by_store(id, refund_amount) where id in (select request_id from request_shares);
update after_sales set refund_by_store = pg_temp.by_store(id, refund_estimate) where id in (select request_id from request_shares);
