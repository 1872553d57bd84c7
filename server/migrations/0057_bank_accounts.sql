-- Accounts to pay to by bank transfer. A row is never changed: the newest of a store and currency counts, and the older ones say
-- which account an earlier shopper was given.
create table bank_accounts (
  id bigint generated always as identity primary key,
  environment text not null check (environment in ('test', 'live')),
  -- Null: the marketplace, for stores without an account of their own.
  store_id text references stores (id),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- All null: the account was removed.
  holder text check (length(holder) between 1 and 70),
  iban text check (iban ~ '^[A-Z]{2}[0-9]{2}[A-Z0-9]{11,30}$'),
  bic text check (bic ~ '^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$'),
  -- For accounts without an IBAN: routing number, account number, name of the bank.
  details text check (length(details) between 1 and 500),
  named_at timestamptz not null,
  check ((holder is null) = (iban is null and details is null)),
  check (bic is null or iban is not null)
);
create index bank_accounts_newest on bank_accounts (environment, currency, store_id, id desc);

create function refuse_change_of_bank_accounts() returns trigger language plpgsql as $$
begin
  raise exception 'an account is replaced by a new row' using errcode = 'restrict_violation';
end $$;
create trigger bank_accounts_are_kept before update or delete on bank_accounts
  for each statement execute function refuse_change_of_bank_accounts();
