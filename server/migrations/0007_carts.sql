-- Carts, their lines and their quotes. A cart belongs to one installation in one environment. The constraints repeat what
-- the code decides, so that no code path can store an invalid cart.

create table carts (
  id text primary key,
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  -- The installation's store; null is the whole marketplace.
  store_id text references stores (id),
  status text not null default 'active' check (status in ('active', 'locked', 'converted', 'revoked', 'expired')),
  version integer not null check (version > 0),
  currency currency_code not null,
  country text not null check (country ~ '^[A-Z]{2}$'),
  locale text not null check (length(locale) between 1 and 50),
  customer_id text,
  contact jsonb check (jsonb_typeof(contact) = 'object'),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  shipping_address jsonb check (jsonb_typeof(shipping_address) = 'object'),
  billing_address jsonb check (jsonb_typeof(billing_address) = 'object'),
  shipping_option_id text,
  code text check (length(code) between 1 and 64),
  checkout_session_id text,
  order_id text,
  revoke_reason text check (length(revoke_reason) <= 200),
  -- When it was revoked or expired.
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null check (updated_at >= created_at),
  -- An active cart that is left alone until then has expired, whether or not a worker has noticed.
  expires_at timestamptz not null check (expires_at > created_at),
  foreign key (installation_id, environment) references installations (id, environment),
  -- Each state has its own facts and no others.
  check ((checkout_session_id is not null) = (status in ('locked', 'converted'))),
  check ((order_id is not null) = (status = 'converted')),
  check ((ended_at is not null) = (status in ('revoked', 'expired'))),
  check (revoke_reason is null or status = 'revoked')
) with (fillfactor = 70);
-- The worker's one question: which active carts are past their time? Only those opened that long ago can be. The index
-- names nothing that an ordinary change touches, so that a change writes to no index: with `expires_at` here, a cart add
-- wrote to five.
create index carts_idle on carts (created_at) where status = 'active';
-- The sweep's one question: which carts ended long ago?
create index carts_ended on carts (ended_at) where ended_at is not null;

-- One line for each SKU: adding adds to its quantity. A SKU is withdrawn and never deleted, because lines name it.
create table cart_lines (
  cart_id text not null references carts (id) on delete cascade,
  sku_id text not null references skus (id),
  line_id text not null unique,
  -- The place in the cart, in the order in which lines were opened: with its UNIQUE, no cart has more than 100 lines.
  position integer not null check (position between 1 and 100),
  quantity integer not null check (quantity between 1 and 999),
  -- Minor units, in the cart's currency: what one unit cost when the line was last added to.
  price_at_add bigint not null check (price_at_add between 0 and 9007199254740991),
  primary key (cart_id, sku_id),
  -- Looked at when a statement ends, because removing a line moves up those behind it.
  unique (cart_id, position) deferrable initially immediate
) with (fillfactor = 70);
create index cart_lines_by_sku on cart_lines (sku_id);

-- Quotes: the signed bytes, which are also what is presented. They never change.
create table quotes (
  id text primary key,
  cart_id text not null references carts (id) on delete cascade,
  -- The cart as it was priced. Another version makes the quote stale.
  cart_version integer not null check (cart_version > 0),
  payload bytea not null,
  key_id text not null,
  signature bytea not null check (octet_length(signature) = 64),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index quotes_by_cart on quotes (cart_id, created_at desc, id desc);
create index quotes_by_expiry on quotes (expires_at);
