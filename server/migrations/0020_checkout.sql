-- From a cart to an order: sessions, the stock that they hold and the promotion uses that they reserve. What a session
-- takes is stored in separate rows, so that its end releases exactly that, and once.

create table checkout_sessions (
  id text primary key,
  -- Those of its cart, which has the foreign keys: every begin would lock the installation's row a second time.
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  -- The installation's store; null is the whole marketplace.
  store_id text,
  cart_id text not null references carts (id) on delete cascade,
  -- The signed price that is charged. Another one takes its place when an address or a way to ship is given.
  quote_id text not null references quotes (id),
  status text not null default 'open'
    check (status in ('open', 'requires_action', 'processing', 'completed', 'cancel_pending', 'canceled', 'expired')),
  version integer not null check (version > 0),
  return_url text not null,
  cancel_url text not null,
  client_reference_id text check (length(client_reference_id) between 1 and 200),
  metadata jsonb not null default '{}' check (jsonb_typeof(metadata) = 'object'),
  contact jsonb check (jsonb_typeof(contact) = 'object'),
  shipping_address jsonb check (jsonb_typeof(shipping_address) = 'object'),
  billing_address jsonb check (jsonb_typeof(billing_address) = 'object'),
  accepted_documents jsonb not null default '[]' check (jsonb_typeof(accepted_documents) = 'array'),
  -- The charge of the last try to pay, and what is known of it.
  charge_id text,
  payment_status text not null default 'not_started'
    check (payment_status in ('not_started', 'pending', 'unknown', 'succeeded', 'failed')),
  order_id text unique,
  cancel_reason text check (cancel_reason in ('customer_request', 'abandoned', 'duplicate', 'other')),
  cancel_note text check (length(cancel_note) <= 500),
  -- When it was completed, canceled or expired.
  ended_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null check (updated_at >= created_at),
  -- Open or waiting for the shopper until then, it has expired, whether or not a worker has noticed.
  expires_at timestamptz not null check (expires_at > created_at),
  -- Each state has its own facts and no others.
  check ((order_id is not null) = (status = 'completed')),
  check ((ended_at is not null) = (status in ('completed', 'canceled', 'expired'))),
  check ((cancel_reason is null and cancel_note is null) or status in ('cancel_pending', 'canceled')),
  check (status not in ('processing', 'requires_action', 'cancel_pending') or charge_id is not null),
  check (payment_status <> 'not_started' or charge_id is null)
) with (fillfactor = 70);
-- A cart has one active session: a request to begin a second one returns the first.
create unique index checkout_sessions_active on checkout_sessions (cart_id)
  where status in ('open', 'requires_action', 'processing', 'cancel_pending');
-- The worker's one question: which of those that may expire are past their time?
create index checkout_sessions_expiring on checkout_sessions (expires_at) where status in ('open', 'requires_action');
create index checkout_sessions_by_cart on checkout_sessions (cart_id);

-- Units that are reserved for a shopper who is paying. `taken` of them are counted in stock_levels.held; the rest is sold
-- beyond the stock, by backorder or preorder. A row is written by the statement that has locked the SKU's level, so it has
-- no foreign key, which would lock one more row for every purchase of the same SKU.
create table stock_holds (
  holder text not null,
  environment text not null check (environment in ('test', 'live')),
  sku_id text not null,
  quantity integer not null check (quantity > 0),
  taken integer not null check (taken between 0 and quantity),
  primary key (holder, sku_id)
);

-- Reserved uses of limited promotions, by session: one in total (customer_id '') and one of the customer.
create table promotion_claims (
  claimant text not null,
  promotion_id text not null references promotions (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  customer_id text not null,
  primary key (claimant, promotion_id, customer_id)
);
