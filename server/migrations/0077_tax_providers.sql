-- A store may have its taxes calculated by a provider that is asked per cart, outside of every transaction (docs/decisions/0133). Its
-- answers are shared by all processes, so that reading a cart does not ask again; they are about amounts and rates, not people.
alter table stores
  -- 'tables', or the name of a provider in the configuration.
  add column tax_source text not null default 'tables' check (tax_source ~ '^[a-z][a-z0-9_]{0,30}$');

create table tax_answers (
  -- Of everything that was asked: addresses and VAT numbers are only in the digest.
  fingerprint text primary key check (length(fingerprint) = 43),
  reply jsonb not null check (jsonb_typeof(reply) = 'object'),
  asked_at timestamptz not null
);
create index tax_answers_asked_at on tax_answers (asked_at);

-- The last failure of a store's provider, for its operators.
create table tax_failures (
  store_id text primary key references stores (id),
  reason text not null check (length(reason) between 1 and 500),
  failed_at timestamptz not null
);
