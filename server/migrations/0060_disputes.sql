-- Payments that their payers dispute with their bank: what the provider's books say of them, looked up after its notification
-- (docs/decisions/0104). Only the provider's answer changes a row.

create table payment_disputes (
  provider text not null,
  -- The provider's name of the dispute.
  reference text not null check (length(reference) between 1 and 200),
  charge_id text not null references payment_intents (id),
  -- Minor units.
  amount bigint not null check (amount between 1 and 9007199254740991),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In the provider's words, such as fraudulent.
  reason text not null check (length(reason) between 1 and 100),
  status text not null check (status in ('open', 'under_review', 'won', 'lost')),
  respond_by timestamptz,
  -- The provider's page where the shop responds.
  url text check (length(url) between 1 and 2048),
  opened_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (provider, reference),
  check (respond_by is null or status = 'open')
);
create index payment_disputes_by_charge on payment_disputes (charge_id, opened_at);

-- What the bank may take back or has taken back: disputes that are not won.
alter table orders
  add column disputed bigint not null default 0 check (disputed between 0 and charged);

-- Notifications about disputes name the payment as the provider does.
create index payment_intents_by_reference on payment_intents (provider_reference) where kind = 'charge';
