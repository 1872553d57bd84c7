-- Units to be fulfilled, parcels that were handed over, and license keys that are delivered once. One row for the initial
-- units, and one for each parcel or stop that took some of them. The rows of an order line always add up to the ordered units
-- (docs/decisions/0064).

create table fulfilment_intents (
  id text primary key,
  order_id text not null references orders (id),
  store_id text not null references stores (id),
  environment text not null check (environment in ('test', 'live')),
  method text not null check (method in ('manual', 'digital')),
  part integer not null check (part > 0),
  status text not null default 'pending'
    check (status in ('pending', 'dispatched', 'unknown', 'failed', 'confirmed', 'reconciled', 'stopped')),
  -- What a pending one waits for, where it cannot go on by itself.
  waiting_for text check (length(waiting_for) between 1 and 500),
  -- The operator's own name for a parcel, by which a repetition is known.
  reference text check (length(reference) between 1 and 100),
  carrier text check (length(carrier) between 1 and 100),
  tracking_number text check (length(tracking_number) between 1 and 100),
  tracking_url text check (length(tracking_url) <= 2048 and tracking_url ~ '^https?://'),
  -- Why it failed, or what is not known.
  note text check (length(note) between 1 and 500),
  dispatched_at timestamptz,
  delivered_at timestamptz,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- An order that is paid twice is still owed once.
  unique (order_id, store_id, method, part),
  unique (order_id, reference),
  -- Each state has its own facts and no others.
  check (waiting_for is null or status = 'pending'),
  check ((reference is null) = (status in ('pending', 'stopped'))),
  check ((dispatched_at is null) = (status in ('pending', 'stopped'))),
  check ((delivered_at is not null) = (status in ('confirmed', 'reconciled'))),
  check (reference is not null or (carrier is null and tracking_number is null and tracking_url is null)),
  check (note is not null or status not in ('unknown', 'failed'))
);
-- What the operator has to do and has done, the oldest first.
create index fulfilment_intents_by_status on fulfilment_intents (status, created_at, id);

create table fulfilment_units (
  intent_id text not null references fulfilment_intents (id),
  order_line_id text not null references order_lines (id),
  -- More than there is cannot be taken. Nothing is left at 0 by the end of a transaction that takes.
  quantity integer not null check (quantity between 0 and 999),
  primary key (intent_id, order_line_id)
);

-- A SKU with a pool is delivered by email, in both environments. No foreign key to the catalog: what was sold is still owed
-- when its product is deleted.
create table licence_pools (
  sku_id text primary key,
  created_at timestamptz not null
);

create table licence_keys (
  id bigint generated always as identity primary key,
  sku_id text not null references licence_pools (sku_id),
  environment text not null check (environment in ('test', 'live')),
  -- HMAC-SHA256 of the key, to find it when it is imported again.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- AES-256-GCM: nonce, key and tag, and the id of the key it is sealed with.
  sealing_key_id text not null check (sealing_key_id ~ '^[0-9a-f]{16}$'),
  sealed bytea not null check (octet_length(sealed) > 28),
  -- Which unit of which order line it went to, and by which parcel.
  given_to text references order_lines (id),
  unit integer check (unit between 1 and 999),
  intent_id text references fulfilment_intents (id),
  given_at timestamptz,
  imported_at timestamptz not null,
  unique (sku_id, environment, fingerprint),
  -- A unit gets one key. Its row allows a key one unit only.
  unique (given_to, unit),
  check ((given_to is null) = (unit is null)),
  check ((given_to is null) = (intent_id is null)),
  check ((given_to is null) = (given_at is null))
);
-- The oldest free key.
create index licence_keys_free on licence_keys (sku_id, environment, id) where given_to is null;
