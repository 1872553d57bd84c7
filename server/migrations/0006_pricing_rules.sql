-- What turns a cart into a price: promotions, tax rates and shipping tables. They are the store's content, read by both
-- environments; only the count of uses is kept for each. Amounts are minor units, and every amount names its currency,
-- so that no rate of exchange ever slips into a price.

-- An exclusion constraint can then compare plain columns as well as ranges.
create extension if not exists btree_gist;

-- Shape rules that several columns share.
create domain currency_code as text check (value ~ '^[A-Z]{3}$');
create domain tax_category as text check (value ~ '^[a-z0-9]+(_[a-z0-9]+)*$' and length(value) <= 40);
create domain discount_rate as numeric(9, 8) check (value > 0 and value <= 1);

create table promotions (
  id text primary key,
  -- Null is a promotion of the marketplace.
  store_id text references stores (id),
  -- Null is automatic. Compared without regard to case.
  code text check (length(code) between 1 and 64 and code = btrim(code)),
  title jsonb not null check (jsonb_typeof(title) = 'object' and title <> '{}'),
  status text not null check (status in ('active', 'paused')),
  kind text not null check (kind in ('percentage', 'fixed_amount', 'buy_x_get_y', 'free_shipping')),
  target text not null check (target in ('line', 'order', 'shipping')),
  rate discount_rate,
  buy_quantity integer check (buy_quantity between 1 and 999),
  get_quantity integer check (get_quantity between 1 and 999),
  sets_max integer check (sets_max > 0),
  -- The lines that are got; null: the same as are bought.
  gets_product_ids text[] check (cardinality(gets_product_ids) <= 1000),
  gets_category_ids text[] check (cardinality(gets_category_ids) <= 1000),
  -- The lines that it concerns; both empty: all. More products than this belong into a category.
  product_ids text[] not null default '{}' check (cardinality(product_ids) <= 1000),
  category_ids text[] not null default '{}' check (cardinality(category_ids) <= 1000),
  store_ids text[] not null default '{}' check (cardinality(store_ids) <= 1000),
  audience text not null default 'anyone' check (audience in ('anyone', 'known_customers', 'listed_customers')),
  customer_ids text[] not null default '{}' check (cardinality(customer_ids) <= 10000),
  starts_at timestamptz,
  ends_at timestamptz,
  usage_limit integer check (usage_limit > 0),
  usage_limit_per_customer integer check (usage_limit_per_customer > 0),
  priority integer not null default 0,
  combines_with text[] not null default '{}' check (combines_with <@ array['line', 'order', 'shipping']),
  stop_after boolean not null default false,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- Each kind has its own members and no others.
  check ((rate is not null) = (kind in ('percentage', 'buy_x_get_y'))),
  check ((kind = 'buy_x_get_y') = (buy_quantity is not null and get_quantity is not null)),
  check (kind = 'buy_x_get_y' or (sets_max is null and gets_product_ids is null and gets_category_ids is null)),
  check ((gets_product_ids is null) = (gets_category_ids is null)),
  check (kind <> 'free_shipping' or target = 'shipping'),
  check (kind <> 'buy_x_get_y' or target = 'line'),
  check (store_id is null or store_ids = '{}'),
  check ((audience = 'listed_customers') = (customer_ids <> '{}')),
  check (starts_at is null or ends_at is null or starts_at < ends_at)
);
create unique index promotions_by_code on promotions (upper(code), store_id) nulls not distinct where code is not null;
create index promotions_automatic on promotions (store_id) where code is null and status = 'active';

-- Fixed amounts and minimums, for each currency that the promotion is offered in.
create table promotion_amounts (
  promotion_id text not null references promotions (id) on delete cascade,
  currency currency_code not null,
  amount bigint check (amount between 1 and 9007199254740991),
  minimum_subtotal bigint check (minimum_subtotal between 1 and 9007199254740991),
  primary key (promotion_id, currency),
  check (amount is not null or minimum_subtotal is not null)
);

-- How often a promotion has been used: in all (customer_id '') and by each customer. The limit stands in the row that it
-- limits, so that no two buyers can take the last use, whatever they read before.
create table promotion_usage (
  promotion_id text not null references promotions (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  customer_id text not null,
  used integer not null check (used >= 0),
  used_max integer check (used_max > 0),
  primary key (promotion_id, environment, customer_id),
  check (used <= used_max)
);

-- All rates of a place and category apply together, each on the same net amount. A rate of 0 means untaxed.
create table tax_rates (
  store_id text not null references stores (id),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- Empty is everywhere in the country.
  region text not null default '' check (length(region) <= 64),
  category tax_category not null,
  -- Tells rates of one place apart, such as GST and PST.
  code text not null check (code ~ '^[a-z][a-z0-9_]{0,62}$'),
  name jsonb not null check (jsonb_typeof(name) = 'object' and name <> '{}'),
  rate numeric(9, 8) not null check (rate >= 0 and rate < 10),
  primary key (store_id, country, region, category, code)
);

create table shipping_zones (
  id text primary key,
  store_id text not null references stores (id),
  name text not null check (length(name) between 1 and 120),
  unique (id, store_id)
);

-- A place belongs to one zone of a store, so that there is never a question which one holds.
create table shipping_zone_places (
  zone_id text not null,
  store_id text not null,
  -- '*' is the rest of the world.
  country text not null check (country ~ '^([A-Z]{2}|\*)$'),
  -- Empty is everywhere in the country.
  region text not null default '' check (length(region) <= 64),
  primary key (store_id, country, region),
  foreign key (zone_id, store_id) references shipping_zones (id, store_id) on delete cascade,
  check (country <> '*' or region = '')
);

create table shipping_methods (
  -- Buyers choose it, several joined by '+'.
  id text primary key check (id ~ '^[a-z0-9_]{1,64}$'),
  zone_id text not null references shipping_zones (id) on delete cascade,
  name jsonb not null check (jsonb_typeof(name) = 'object' and name <> '{}'),
  -- What its rates are stepped by: minor units of the items after their discounts, or grams.
  basis text not null check (basis in ('subtotal', 'weight')),
  min_days integer not null check (min_days between 0 and 365),
  max_days integer not null check (max_days between min_days and 365),
  tax_category tax_category not null
);
create index shipping_methods_by_zone on shipping_methods (zone_id);

create table shipping_rates (
  method_id text not null references shipping_methods (id) on delete cascade,
  currency currency_code not null,
  from_value bigint not null check (from_value between 0 and 9007199254740991),
  -- Exclusive; null is without end.
  up_to_value bigint check (up_to_value > from_value),
  amount bigint not null check (amount between 0 and 9007199254740991),
  primary key (method_id, currency, from_value),
  -- Steps of one method never overlap: each parcel has one rate or none.
  constraint shipping_rates_never_overlap
    exclude using gist (method_id with =, currency with =, int8range(from_value, up_to_value) with &&)
);
