-- Logins on our pages that an installation has requested, and the tokens that identify the customer to it. Secrets (the
-- code in the return URL, the token) are stored as their SHA-256 and shown once (docs/decisions/0050).

create table hosted_logins (
  id text primary key,
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  -- One of the installation's return URLs, as requested.
  return_url text not null check (length(return_url) between 1 and 2048),
  -- The installation's own, given back as it is.
  state text not null check (length(state) between 1 and 512),
  -- PKCE, S256.
  code_challenge text not null check (code_challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- That one has expired is read from its time and never written.
  status text not null default 'initiated' check (status in ('initiated', 'returned', 'consumed', 'failed')),
  customer_id text references customers (id) on delete cascade,
  code_hash bytea unique check (octet_length(code_hash) = 32),
  returned_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null,
  -- Of the login, and once it has returned of its code.
  expires_at timestamptz not null check (expires_at > created_at),
  foreign key (installation_id, environment) references installations (id, environment),
  -- Each state has its own facts and no others.
  check ((customer_id is not null) = (status in ('returned', 'consumed'))),
  check ((code_hash is not null) = (status in ('returned', 'consumed'))),
  check ((returned_at is not null) = (status in ('returned', 'consumed'))),
  check ((ended_at is not null) = (status in ('consumed', 'failed')))
);
-- How many an installation has under way.
create index hosted_logins_open on hosted_logins (installation_id, environment, expires_at) where status = 'initiated';
create index hosted_logins_by_customer on hosted_logins (customer_id) where customer_id is not null;
create index hosted_logins_by_expiry on hosted_logins (expires_at);

-- Customer tokens for creating carts: each identifies a customer to one installation in one environment.
create table customer_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  -- A login gives one token, whatever happens to idempotency keys.
  login_id text not null unique,
  customer_id text not null references customers (id) on delete cascade,
  installation_id text not null,
  environment text not null check (environment in ('test', 'live')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  foreign key (installation_id, environment) references installations (id, environment)
);
create index customer_tokens_by_customer on customer_tokens (customer_id);
create index customer_tokens_by_expiry on customer_tokens (expires_at);
