-- Lines of bank statements that were booked on a payment by bank transfer. A line is booked once: its fingerprint is unique. What
-- payers wrote is not stored, and neither are lines that belong to no payment (docs/decisions/0105).
create table bank_statement_lines (
  id bigint generated always as identity primary key,
  environment text not null check (environment in ('test', 'live')),
  fingerprint text not null check (fingerprint ~ '^[0-9a-f]{64}$'),
  charge_id text not null references payment_intents (id),
  -- Of the shop, as the statement names it.
  account text check (length(account) between 1 and 50),
  booked_on date not null,
  amount bigint not null check (amount > 0),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  booked_at timestamptz not null,
  unique (environment, fingerprint)
);
create index bank_statement_lines_of_charge on bank_statement_lines (charge_id);

-- Money that was paid back because it came late, twice or was too much.
create table transfer_returns (
  id bigint generated always as identity primary key,
  charge_id text not null references payment_intents (id),
  amount bigint not null check (amount > 0),
  returned_at timestamptz not null
);
create index transfer_returns_of_charge on transfer_returns (charge_id);

create index payment_intents_transfers on payment_intents (environment, id) where provider = 'manual' and kind = 'charge';
