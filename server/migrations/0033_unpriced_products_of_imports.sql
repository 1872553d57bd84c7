-- Products of an import that have no price in any currency of their store. Neither read nor written any more: an import adds the
-- currencies of its prices to the store. The column stays while nodes of both versions may run.
alter table catalog_imports add column unpriced integer not null default 0 check (unpriced >= 0);
