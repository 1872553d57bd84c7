-- The staff of a store, who grant apps access to it, and their browser sessions.

create table staff (
  id text primary key,
  store_id text not null references stores (id),
  -- As entered, and as compared. A person who works for two stores needs two addresses.
  email text not null check (length(email) between 3 and 254),
  email_key text not null unique check (length(email_key) between 3 and 254),
  password_hash text not null check (password_hash like '$argon2id$%'),
  status text not null default 'active' check (status in ('active', 'blocked')),
  created_at timestamptz not null
);

create table staff_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  staff_id text not null references staff (id) on delete cascade,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);
create index staff_sessions_by_expiry on staff_sessions (expires_at);
