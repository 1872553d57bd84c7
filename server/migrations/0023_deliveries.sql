-- Telling webhook endpoints what happened. The table of deliveries is the queue and the log at once, so that what an
-- installation is shown can never differ from what a worker does (docs/decisions/0068).

-- A product changes for both environments, and each numbers its own events: a subscriber of one would see gaps otherwise.
alter table event_sequences
  add column environment text not null default 'live' check (environment in ('test', 'live')),
  drop constraint event_sequences_pkey,
  add primary key (subject_id, environment);
alter table event_sequences alter column environment drop default;
alter table events
  drop constraint events_subject_id_kind_sequence_key,
  add unique (subject_id, kind, sequence, environment);

-- Public events that have committed and are not yet on their way: written with the event, deleted with its fan-out. A table
-- of its own is a hundred rows long, whatever the number of events; and an event whose transaction commits late is late in
-- it, and not missed, as it would be by a mark that only goes forward.
create table events_to_deliver (
  event_id text primary key references events (id) on delete cascade
);

-- One event on its way to one endpoint.
create table webhook_deliveries (
  id text primary key,
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  event_id text not null references events (id) on delete cascade,
  event_type text not null,
  sequence bigint not null check (sequence > 0),
  status text not null default 'pending'
    check (status in ('pending', 'delivering', 'retrying', 'succeeded', 'dead', 'canceled')),
  -- Counted before the call: a call that kills its worker has been made.
  attempts integer not null default 0 check (attempts >= 0),
  -- When the latest attempt began.
  attempted_at timestamptz,
  -- When it is tried next, where it waits.
  due_at timestamptz,
  -- A worker holds it until then, and proves by the fence that it still does.
  lease_until timestamptz,
  fence integer not null default 0,
  -- The delivery that this one replays on request, and the reason given.
  replay_of text,
  replay_reason text check (length(replay_reason) <= 200),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check ((due_at is not null) = (status in ('pending', 'retrying'))),
  check ((lease_until is not null) = (status = 'delivering')),
  check ((attempted_at is not null) = (attempts > 0)),
  check (case status when 'pending' then attempts = 0 when 'canceled' then true else attempts > 0 end)
);
-- At most one delivery of an event to an endpoint, but for replays. Not partial, so that the sweep of events finds them too.
create unique index webhook_deliveries_once on webhook_deliveries
  (event_id, endpoint_id, (case when replay_of is null then '' else id end));
-- What an endpoint waits for, the longest due first. A claim jumps from endpoint to endpoint here, however many wait at each.
create index webhook_deliveries_waiting on webhook_deliveries (endpoint_id, due_at) where due_at is not null;
-- What is in flight: a few rows for each endpoint.
create index webhook_deliveries_held on webhook_deliveries (endpoint_id, lease_until) where lease_until is not null;
-- The log of an endpoint, the newest first: ids rise with time.
create index webhook_deliveries_log on webhook_deliveries (endpoint_id, id desc);
create index webhook_deliveries_by_age on webhook_deliveries using brin (created_at);

-- One call and its outcome. If a worker died before it could record an attempt, the process that finds it records it.
create table webhook_attempts (
  delivery_id text not null references webhook_deliveries (id) on delete cascade,
  n integer not null check (n > 0),
  at timestamptz not null,
  duration_ms integer not null check (duration_ms between 0 and 600000),
  http_status smallint check (http_status between 100 and 599),
  -- One of our fixed sentences, which names no address.
  error text check (length(error) <= 500),
  primary key (delivery_id, n)
);

-- The health of an endpoint, separate from the endpoint, so that changes and deliveries do not wait for each other. There is a
-- row from its first delivery on. A claim locks the row of its endpoint, so that calls in flight are counted correctly.
create table webhook_health (
  endpoint_id text primary key references webhook_endpoints (id) on delete cascade,
  -- Since the last success, over all deliveries.
  consecutive_failures integer not null default 0 check (consecutive_failures >= 0),
  failing_since timestamptz,
  last_attempt_at timestamptz,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  delivered_count bigint not null default 0 check (delivered_count >= 0),
  failed_count bigint not null default 0 check (failed_count >= 0),
  check ((failing_since is not null) = (consecutive_failures > 0))
) with (fillfactor = 70);

-- Products that were written, until it has been quiet around them for a while and the change is announced once.
create table product_changes (
  product_id text primary key references products (id) on delete cascade,
  store_id text not null references stores (id),
  -- Whether it was for sale before the first of the changes.
  was_published boolean not null,
  first_at timestamptz not null,
  last_at timestamptz not null check (last_at >= first_at)
);
create index product_changes_by_age on product_changes (first_at);
