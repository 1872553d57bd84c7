-- Orders: what was bought, frozen, and what has happened since. At most one for each checkout session, enforced by UNIQUE.
-- The constraints repeat what the code decides about units and money, so that no code path refunds more than was charged or
-- ships more units than were ordered.

-- Order numbers. Gaps are fine: the number of a rolled-back order is not used again.
create sequence order_numbers_live start 10001;
create sequence order_numbers_test start 10001;

create table orders (
  id text primary key,
  -- Of one installation: another's import may bring the same number.
  number text not null check (number ~ '^[A-Z0-9-]{1,40}$'),
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  -- The installation's store; null for the whole marketplace. Each line has its own store.
  store_id text references stores (id),
  -- The checkout session and the payment intent that it came of. Their features rank elsewhere, so no foreign key.
  session_id text unique,
  charge_id text unique,
  -- What another system calls it, where it was imported.
  external_id text check (length(external_id) between 1 and 120),
  -- The hash of the imported line, so that importing the same line again changes nothing.
  external_hash bytea check (octet_length(external_hash) = 32),
  source text not null check (source in ('hosted_checkout', 'import', 'operator')),
  status text not null check (status in ('confirmed', 'processing', 'on_hold', 'completed', 'canceled')),
  -- Where a release leads back to.
  held_from text check (held_from in ('confirmed', 'processing')),
  -- Both are derived from money and units, and stored for lists and filters.
  payment_status text not null check (payment_status in ('pending', 'authorized', 'paid', 'partially_refunded', 'refunded',
                                                         'voided', 'failed', 'unknown')),
  fulfillment_status text not null check (fulfillment_status in ('unfulfilled', 'partially_fulfilled', 'fulfilled',
                                                                 'delivered', 'canceled')),
  version integer not null check (version > 0),
  currency currency_code not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  locale text not null check (length(locale) between 1 and 50),
  customer_id text,
  email text not null check (length(email) between 3 and 254),
  shipping_address jsonb check (jsonb_typeof(shipping_address) = 'object'),
  billing_address jsonb check (jsonb_typeof(billing_address) = 'object'),
  accepted_documents jsonb not null default '[]' check (jsonb_typeof(accepted_documents) = 'array'),
  -- As quoted. Minor units.
  totals jsonb not null check (jsonb_typeof(totals) = 'object'),
  total bigint not null check (total between 0 and 9007199254740991),
  line_count integer not null check (line_count between 1 and 100),
  -- What became of the payment, and four sums that never overlap. Minor units.
  charge text not null check (charge in ('pending', 'authorized', 'captured', 'voided', 'failed')),
  charged bigint not null check (charged between 0 and 9007199254740991),
  refunded bigint not null default 0 check (refunded >= 0),
  refund_pending bigint not null default 0 check (refund_pending >= 0),
  unknown bigint not null default 0 check (unknown >= 0),
  placed_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null check (updated_at >= created_at),
  foreign key (installation_id, environment) references installations (id, environment),
  -- The installation is last: otherwise the planner would use these indexes for its list and have to sort.
  unique (number, installation_id),
  unique (external_id, installation_id),
  check (refunded + refund_pending + unknown <= charged),
  check (charged = 0 or charge = 'captured'),
  check ((held_from is not null) = (status = 'on_hold')),
  check ((external_id is not null) = (external_hash is not null)),
  check (external_id is null or source = 'import'),
  check (session_id is null or source = 'hosted_checkout')
) with (fillfactor = 80);
-- The list of an installation: fifty of a million, the newest first, without sorting any.
create index orders_of_installation on orders (installation_id, environment, placed_at desc, id desc);
-- The list of the operator. It orders by an expression on purpose: were it by the column, the planner could walk this index
-- for an installation whose few orders are old, and pass by a million of others' on the way.
create index orders_newest on orders ((placed_at at time zone 'UTC') desc, id desc);
-- What an operator looks for: orders that wait, and whose orders.
create index orders_open on orders (status, (placed_at at time zone 'UTC') desc, id desc)
  where status in ('confirmed', 'processing', 'on_hold');
create index orders_by_email on orders (lower(email));
create index orders_by_customer on orders (customer_id) where customer_id is not null;

create table order_lines (
  id text primary key,
  order_id text not null references orders (id) on delete cascade,
  position integer not null check (position between 1 and 100),
  cart_line_id text,
  -- No foreign key: what was bought elsewhere or long ago may not be in this catalog.
  sku_id text not null check (sku_id ~ '^sku_'),
  product_id text,
  store_id text not null references stores (id),
  name text not null check (length(name) between 1 and 500),
  option_labels jsonb not null default '[]' check (jsonb_typeof(option_labels) = 'array'),
  -- Frozen. Minor units of the order's currency; amounts inside the JSON too.
  unit_price bigint not null check (unit_price between 0 and 9007199254740991),
  subtotal bigint not null check (subtotal between 0 and 9007199254740991),
  discount_allocations jsonb not null default '[]' check (jsonb_typeof(discount_allocations) = 'array'),
  tax_lines jsonb not null default '[]' check (jsonb_typeof(tax_lines) = 'array'),
  total bigint not null check (total between 0 and 9007199254740991),
  ordered integer not null check (ordered between 1 and 999),
  canceled integer not null default 0 check (canceled >= 0),
  fulfilled integer not null default 0 check (fulfilled >= 0),
  returned integer not null default 0 check (returned >= 0),
  refunded integer not null default 0 check (refunded >= 0),
  unique (order_id, position),
  check (canceled + fulfilled <= ordered),
  check (returned <= fulfilled),
  check (refunded <= ordered)
) with (fillfactor = 80);

-- How each store ships, frozen, and what of it was given back or is about to be.
create table order_shipping (
  order_id text not null references orders (id) on delete cascade,
  store_id text not null references stores (id),
  position integer not null check (position between 1 and 100),
  option_id text not null,
  chosen boolean not null,
  amount bigint not null check (amount between 0 and 9007199254740991),
  discount_allocations jsonb not null default '[]' check (jsonb_typeof(discount_allocations) = 'array'),
  tax_lines jsonb not null default '[]' check (jsonb_typeof(tax_lines) = 'array'),
  total bigint not null check (total between 0 and 9007199254740991),
  refunded bigint not null default 0 check (refunded between 0 and total),
  primary key (order_id, store_id)
);

-- What was handed over together.
create table order_parcels (
  id text primary key,
  order_id text not null references orders (id) on delete cascade,
  position integer not null check (position between 1 and 100),
  -- Failed: it came back or is gone. What it held has left all the same.
  status text not null check (status in ('dispatched', 'delivered', 'failed')),
  carrier text check (length(carrier) between 1 and 100),
  tracking_number text check (length(tracking_number) between 1 and 100),
  tracking_url text check (tracking_url ~ '^https?://' and length(tracking_url) <= 2048),
  dispatched_at timestamptz not null,
  delivered_at timestamptz check (delivered_at >= dispatched_at),
  unique (order_id, position),
  check ((delivered_at is not null) = (status = 'delivered'))
);
create table order_parcel_lines (
  parcel_id text not null references order_parcels (id) on delete cascade,
  line_id text not null references order_lines (id) on delete cascade,
  position integer not null check (position between 1 and 100),
  quantity integer not null check (quantity between 1 and 999),
  primary key (parcel_id, line_id)
);
create index order_parcel_lines_by_line on order_parcel_lines (line_id);

-- What is given back, once for each of what it came of, and what became of that.
create table order_adjustments (
  order_id text not null references orders (id) on delete cascade,
  reference text not null check (length(reference) between 1 and 64),
  position integer not null check (position between 1 and 200),
  kind text not null check (kind in ('cancellation', 'refund', 'return', 'correction')),
  -- Minor units.
  amount bigint not null check (amount between 1 and 9007199254740991),
  state text not null check (state in ('pending', 'succeeded', 'failed', 'unknown')),
  at timestamptz not null,
  -- Led by the reference, because a refund's outcome knows no more than that.
  primary key (reference, order_id),
  unique (order_id, position)
);

-- What happened. Rows are only ever added: no statement changes one, and a place is given once.
create table order_timeline (
  order_id text not null references orders (id) on delete cascade,
  position integer not null check (position > 0),
  at timestamptz not null,
  code text not null check (code ~ '^[a-z][a-z0-9_]{0,63}$'),
  text text not null check (length(text) between 1 and 500),
  actor text not null check (actor in ('customer', 'installation', 'operator', 'system')),
  primary key (order_id, position)
);
