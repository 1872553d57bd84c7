-- What shoppers manage on their account pages (docs/decisions/0086): saved addresses, sessions they recognize, consent with its
-- history, a new email address, and the end of the account.

-- A browser as it calls itself, so that its owner recognizes the session.
alter table customer_sessions add column agent text check (length(agent) <= 300);

-- A closed account opens nothing, and its email address is free for another one. Orders stay. Blocked at the same time, so that
-- every lookup of the previous version refuses it too.
alter table customers add column closed_at timestamptz, add constraint customers_closed check (closed_at is null or status = 'blocked');

alter table customers add column phone text check (length(phone) between 3 and 50);

-- Each time a customer has given or withdrawn the consent to marketing. Append-only.
create table customer_consents (
  customer_id text not null references customers (id) on delete cascade,
  at timestamptz not null,
  is_given boolean not null,
  source text not null check (source in ('registration', 'account')),
  primary key (customer_id, at)
);
insert into customer_consents (customer_id, at, is_given, source)
select id, confirmed_at, true, 'registration' from customers where marketing_consent;

create table customer_addresses (
  id text primary key,
  customer_id text not null references customers (id) on delete cascade,
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  is_default boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null
);
create index customer_addresses_by_customer on customer_addresses (customer_id, id);
create unique index customer_addresses_default on customer_addresses (customer_id) where is_default;

-- A request for another email address, whether or not that address has a customer.
create table email_changes (
  id text primary key,
  customer_id text not null references customers (id) on delete cascade,
  email text not null check (length(email) between 3 and 254),
  email_key text not null,
  locale text not null,
  -- SHA-256 of the token in the mail; null until a job has looked, and where the address has a customer.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  answered_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  check (token_hash is null or answered_at is not null)
);
create index email_changes_by_customer on email_changes (customer_id);
create index email_changes_by_expiry on email_changes (expires_at);
