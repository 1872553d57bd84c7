-- Tokens of the marketplace's own systems, their webhook endpoints, and a log of events to read on from a position.

create table integrations (
  id text primary key,
  name text not null check (length(name) between 1 and 80),
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  token_hint text not null check (length(token_hint) = 4),
  -- `read` or `write` by area.
  access jsonb not null check (jsonb_typeof(access) = 'object' and access <> '{}'),
  -- Null: all stores.
  store_id text references stores (id),
  created_at timestamptz not null,
  expires_at timestamptz check (expires_at > created_at),
  revoked_at timestamptz,
  last_used_at timestamptz
);
create unique index integrations_name on integrations (lower(name)) where revoked_at is null;
create index integrations_of_store on integrations (store_id) where store_id is not null;

-- The audit log names them.
alter table audit_log drop constraint audit_log_via_check;
alter table audit_log add constraint audit_log_via_check
  check (via in ('session', 'token', 'setup', 'integration')) not valid;

-- An endpoint is of an installation or of an integration.
alter table webhook_endpoints
  alter column installation_id drop not null,
  add column integration_id text references integrations (id) on delete cascade,
  add column owner_id text generated always as (coalesce(installation_id, integration_id)) stored,
  add constraint webhook_endpoints_one_owner check (num_nonnulls(installation_id, integration_id) = 1);
create unique index webhook_endpoints_slot_of_integration on webhook_endpoints (integration_id, environment, slot)
  where integration_id is not null;
create index webhook_endpoints_of_owner on webhook_endpoints (owner_id, environment, id);

-- Whichever statement revokes an integration ends its endpoints, as it ends those of a grant.
create function end_endpoints_of_integration() returns trigger language plpgsql as $$
begin
  delete from webhook_endpoints where integration_id = new.id;
  return null;
end
$$;
create trigger integrations_revoked after update of revoked_at on integrations
  for each row when (old.revoked_at is null and new.revoked_at is not null)
  execute function end_endpoints_of_integration();

-- The order in which public events were numbered within their subjects. Ids follow the clocks of the processes.
alter table events_to_deliver add column nth bigint generated always as identity;
create index events_to_deliver_in_order on events_to_deliver (nth);

-- The events of orders and returns in one order, without gaps: written with their fan-out by whichever worker has the head. A
-- sequence would not do, because a transaction that commits late would put an event behind what others have read.
create table event_log_head (
  is_only boolean primary key default true check (is_only),
  last bigint not null default 0 check (last >= 0)
);
insert into event_log_head default values;
create table event_log (
  position bigint primary key check (position > 0),
  event_id text not null unique references events (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  store_id text,
  of_share boolean not null
);
create index event_log_of_store on event_log (store_id, environment, position) where store_id is not null;

-- The shares of a store, whichever installation sold.
create index order_shares_by_store on order_shares (store_id, order_id);
