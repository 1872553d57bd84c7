-- Where events are sent: the endpoints of installations and their signing secrets. The health of an endpoint is stored by
-- the delivery code in its own tables, so that a delivery never waits for a change to the endpoint (docs/decisions/0067).

create table webhook_endpoints (
  id text primary key,
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  -- Which of the sixteen endpoints of its installation it is: so the database holds the limit as well.
  slot smallint not null check (slot between 1 and 16),
  -- Spelled as WHATWG URL spells it.
  url text not null check (length(url) between 1 and 2048 and url ~ '^https?://'),
  -- Kinds of event; '*' alone is all of them, also those that come later.
  events text[] not null check (cardinality(events) between 1 and 50 and (cardinality(events) = 1 or not events @> '{*}')),
  description text check (length(description) between 1 and 200),
  status text not null default 'enabled' check (status in ('enabled', 'paused', 'disabled')),
  disabled_reason text check (length(disabled_reason) between 1 and 64),
  disabled_at timestamptz,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  foreign key (installation_id, environment) references installations (id, environment),
  unique (installation_id, environment, slot),
  -- Only disabled endpoints have a reason and a time.
  check ((disabled_reason is not null) = (status = 'disabled')),
  check ((disabled_at is not null) = (status = 'disabled'))
);
create index webhook_endpoints_by_owner on webhook_endpoints (installation_id, environment, id);
-- The endpoints of events that belong to no single installation, such as a catalog change.
create index webhook_endpoints_listening on webhook_endpoints (environment, installation_id) where status = 'enabled';

create table webhook_secrets (
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  -- The first is 1; each rotation adds one.
  generation integer not null check (generation > 0),
  -- Which key of the configuration it is sealed with.
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  -- AES-256-GCM: nonce of 12 bytes, 32 bytes sealed, tag of 16.
  sealed bytea not null check (octet_length(sealed) = 60),
  -- The last characters, so that people can distinguish secrets.
  hint text not null check (length(hint) = 4),
  created_at timestamptz not null,
  -- Null for the current secret. A replaced secret also signs until then.
  expires_at timestamptz check (expires_at > created_at),
  primary key (endpoint_id, generation)
);
create unique index webhook_secrets_current on webhook_secrets (endpoint_id) where expires_at is null;
create index webhook_secrets_by_expiry on webhook_secrets (expires_at) where expires_at is not null;

-- The ids of the encryption keys of all nodes, so that a node with another key is detected when it starts.
create table sealing_keys (
  key_id text primary key check (key_id ~ '^[0-9a-f]{16}$'),
  first_used_at timestamptz not null
);
