-- Customers: people of the whole marketplace, of no store and no environment (docs/decisions/0020). Requests are stored
-- without checking whether the address is known (docs/decisions/0021); a job checks it and mails the owner.

create table customers (
  id text primary key,
  -- As it was typed, and as it is compared.
  email text not null check (length(email) between 3 and 254),
  email_key text not null unique check (length(email_key) between 3 and 254),
  password_hash text not null check (password_hash like '$argon2id$%'),
  password_changed_at timestamptz not null,
  first_name text check (length(first_name) between 1 and 100),
  last_name text check (length(last_name) between 1 and 100),
  locale text not null,
  marketing_consent boolean not null,
  -- What was accepted, with its version: [{ type, version }].
  accepted_documents jsonb not null check (jsonb_typeof(accepted_documents) = 'array'),
  status text not null default 'active' check (status in ('active', 'blocked')),
  -- When the owner confirmed the address. There is no customer before.
  confirmed_at timestamptz not null,
  version bigint not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- A registration that is not confirmed yet. It has its own password, so that one person cannot set the password of an address
-- that another person confirms.
create table registrations (
  id text primary key,
  email text not null check (length(email) between 3 and 254),
  email_key text not null,
  password_hash text not null check (password_hash like '$argon2id$%'),
  first_name text check (length(first_name) between 1 and 100),
  last_name text check (length(last_name) between 1 and 100),
  locale text not null,
  marketing_consent boolean not null,
  accepted_documents jsonb not null check (jsonb_typeof(accepted_documents) = 'array'),
  -- SHA-256 of the token in the mail; null until there is one, and where the address was known.
  token_hash bytea unique check (octet_length(token_hash) = 32),
  -- When a job has looked at it.
  answered_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  check (token_hash is null or answered_at is not null)
);
create index registrations_by_email on registrations (email_key, created_at);
create index registrations_by_expiry on registrations (expires_at);

-- A request for a password reset, whether or not the address is known.
create table password_resets (
  id text primary key,
  email_key text not null,
  locale text not null,
  -- Known once a job has looked.
  customer_id text references customers (id) on delete cascade,
  token_hash bytea unique check (octet_length(token_hash) = 32),
  answered_at timestamptz,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  -- Used, or voided by a newer one.
  ended_at timestamptz,
  check ((token_hash is null) = (customer_id is null)),
  check (token_hash is null or answered_at is not null)
);
create index password_resets_by_customer on password_resets (customer_id) where ended_at is null;
create index password_resets_by_expiry on password_resets (expires_at);

-- Sessions on our pages. The cookie is stored as its SHA-256.
create table customer_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  customer_id text not null references customers (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index customer_sessions_by_customer on customer_sessions (customer_id);
create index customer_sessions_by_expiry on customer_sessions (expires_at);
