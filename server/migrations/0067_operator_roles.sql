-- What an operator may do, and how they come in without a password that someone else has seen. Those of before were all-powerful.
alter table operators add column role text not null default 'owner'
  check (role in ('owner', 'manager', 'support', 'finance', 'catalog', 'read_only'));
-- The language of the emails to them: that of their browser.
alter table operators add column language text not null default 'en' check (language ~ '^[a-z]{2}$');
-- Null as long as an invited operator has chosen none.
alter table operators alter column password_hash drop not null;

-- Links to choose a password. An operator has one at a time.
create table operator_links (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  operator_id text not null unique references operators (id) on delete cascade,
  purpose text not null check (purpose in ('invitation', 'reset')),
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at)
);

-- For the operator who looks where they are signed in.
alter table operator_sessions add column address text check (length(address) <= 64);
alter table operator_sessions add column device text check (length(device) <= 300);
