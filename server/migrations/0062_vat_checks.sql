-- What a registry such as VIES says about VAT numbers: asked when an address is set, outside of every transaction, and kept by number
-- (docs/decisions/0106). The answer that was in force when an order was placed stays with the order: a seller proves with it why no tax
-- was charged.
create table vat_checks (
  vat_id text primary key check (length(vat_id) between 4 and 30),
  outcome text not null check (outcome in ('valid', 'invalid', 'unanswered')),
  -- As registered, where the member state tells.
  name text check (length(name) <= 500),
  address text check (length(address) <= 1000),
  -- Proves that the registry was asked. Given for requests in the name of a registered business.
  consultation_number text check (length(consultation_number) <= 100),
  checked_at timestamptz not null,
  check (outcome = 'valid' or (name is null and address is null))
);
create index vat_checks_checked_at on vat_checks (checked_at);

create table order_vat_checks (
  order_id text primary key references orders (id),
  vat_id text not null,
  outcome text not null check (outcome in ('valid', 'invalid', 'unanswered')),
  name text,
  address text,
  consultation_number text,
  checked_at timestamptz not null
);
create trigger order_vat_checks_stand before update or delete on order_vat_checks
  for each row execute function published_stands();
