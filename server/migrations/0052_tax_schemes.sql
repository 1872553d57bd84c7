-- Where a store is established and how it taxes: what decides about reverse charge, and about whose rates consumers of other
-- member states pay. A store without a row uses the rates of the destination.
create table tax_schemes (
  store_id text primary key references stores (id),
  country text not null check (country ~ '^[A-Z]{2}$'),
  kind text not null check (kind in ('destination', 'origin', 'exempt'))
);

-- A rate may hold for a range of postal codes, such as the Canary Islands or a part of a US state. Empty is everywhere.
alter table tax_rates
  add column postal_from text not null default '' check (postal_from ~ '^[A-Z0-9]{0,20}$'),
  add column postal_to text not null default '' check (postal_to ~ '^[A-Z0-9]{0,20}$'),
  add check (length(postal_from) = length(postal_to) and postal_from <= postal_to),
  drop constraint tax_rates_pkey,
  add primary key (store_id, country, region, category, code, postal_from);
