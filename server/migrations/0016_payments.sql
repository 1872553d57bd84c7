-- Payments as intents: each row is one effect that money has, written before a provider is asked for it and moved by what
-- the provider answers (docs/decisions/0060, 0061). It records what has been sent, under which key, and which process
-- is calling right now, so that after a crash another process can check the outcome before it sends anything again.

create table payment_intents (
  id text primary key,
  kind text not null check (kind in ('charge', 'refund')),
  -- What the money is for: a checkout session, a cancellation, an after-sales request, an order.
  subject_id text not null,
  purpose text not null check (purpose in ('checkout', 'cancellation', 'after_sales', 'late_success', 'operator')),
  environment text not null check (environment in ('test', 'live')),
  installation_id text not null,
  store_id text references stores (id),
  provider text not null check (provider ~ '^[a-z][a-z0-9_]{0,31}$'),
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Of a refund: the charge that it gives back a part of.
  charge_id text references payment_intents (id),
  -- Of a charge: the amount of its requested refunds that were not declined.
  refund_asked bigint not null default 0,
  -- Where the provider's page sends the shopper.
  return_url text check (length(return_url) between 1 and 2048),

  status text not null default 'created'
    check (status in ('created', 'submitted', 'requires_action', 'succeeded', 'failed', 'canceled', 'unknown', 'reconciling')),
  step text not null check (step in ('authorize', 'capture', 'void', 'refund')),
  -- What the provider knows the step by. The same step never has another key, and no other step has this one.
  provider_key text not null unique generated always as (id || ':' || step) stored,
  -- The charge is not wanted any more: it is voided where it has not been captured.
  void_asked boolean not null default false,
  provider_reference text check (length(provider_reference) between 1 and 200),
  next_action_url text check (length(next_action_url) between 1 and 2048),
  failure_code text check (failure_code ~ '^[a-z][a-z0-9_]{0,63}$'),

  version integer not null default 1 check (version > 0),
  -- The caller of the provider holds a lease on the row until then; the fence distinguishes leases.
  lease_until timestamptz,
  fence integer not null default 0 check (fence >= 0),
  -- How often it was looked up since something was sent, and when to look again; null: nothing to be done by us.
  looks integer not null default 0 check (looks >= 0),
  due_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,

  foreign key (installation_id, environment) references installations (id, environment),
  check ((kind = 'refund') = (charge_id is not null)),
  check ((kind = 'refund') = (step = 'refund')),
  check ((kind = 'charge') = (purpose = 'checkout')),
  check (kind = 'charge' or not void_asked),
  -- Refunds never exceed the charge.
  constraint payment_intents_refunds check (refund_asked between 0 and case kind when 'charge' then amount else 0 end),
  check (refund_asked = 0 or status = 'succeeded'),
  check (next_action_url is null or status = 'requires_action'),
  check (status <> 'canceled' or kind = 'charge'),
  check ((failure_code is not null) = (status = 'failed')),
  check ((ended_at is not null) = (status in ('succeeded', 'failed', 'canceled'))),
  check (status not in ('succeeded', 'failed', 'canceled') or (lease_until is null and due_at is null))
);
-- One effect for each subject. What definitely came to nothing may be tried again.
create unique index payment_intents_one_effect on payment_intents (subject_id, purpose, kind)
  where status not in ('failed', 'canceled');
create index payment_intents_by_subject on payment_intents (subject_id, created_at);
create index payment_intents_by_charge on payment_intents (charge_id) where charge_id is not null;
-- What an operator wants to see.
create index payment_intents_unsettled on payment_intents (environment, updated_at) where ended_at is null;

-- Each call to a provider, written before it is made, and what came back.
create table payment_attempts (
  intent_id text not null references payment_intents (id),
  -- The fence of the holding that it was made in.
  number integer not null check (number > 0),
  action text not null check (action in ('send', 'look')),
  step text not null check (step in ('authorize', 'capture', 'void', 'refund')),
  sent_at timestamptz not null,
  answered_at timestamptz,
  -- In our own terms; null while it is unknown, as after a crash.
  answer text check (length(answer) between 1 and 64),
  detail text check (length(detail) <= 500),
  primary key (intent_id, number),
  check ((answered_at is null) = (answer is null))
);

-- Notifications of providers, each taken once.
create table payment_notifications (
  provider text not null,
  notification_id text not null check (length(notification_id) between 1 and 200),
  intent_id text not null references payment_intents (id),
  received_at timestamptz not null,
  primary key (provider, notification_id)
);
create index payment_notifications_by_age on payment_notifications (received_at);
