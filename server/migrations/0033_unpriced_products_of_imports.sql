-- Products of an import that have no price in any currency of their store, so they cannot be bought there.
alter table catalog_imports add column unpriced integer not null default 0 check (unpriced >= 0);
