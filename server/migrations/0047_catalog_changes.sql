-- Which products have changed in what lists filter and count by, so that every process that counts in memory reads again what has changed
-- and nothing else. A note is written by the transaction of the change, by any path, and swept after a quarter of an hour.
-- See docs/decisions/0090-count-facets-in-memory.md.
create table catalog_changes (
  id bigint not null generated always as identity,
  changed_by xid8 not null default pg_current_xact_id(),
  -- Null: too many to name. All are read again.
  product_ids text[] check (cardinality(product_ids) > 0)
);
create index catalog_changes_by_transaction on catalog_changes (changed_by);

-- At a moment, the transaction before which all had ended: notes of those before it can be swept once it is old enough.
create table catalog_change_marks (
  at timestamptz primary key,
  before xid8 not null
);
-- Before which transaction notes may have been swept: a process that has not read them all reads the catalog again.
alter table listing_epoch add column changes_swept_before xid8 not null default '0';

create function note_catalog_changes(changed text[]) returns void language sql as $$
  insert into catalog_changes (product_ids)
  select case when cardinality(changed) <= 10000 then changed end where cardinality(changed) > 0
$$;

create function note_listings() returns trigger language plpgsql as $$
begin
  perform note_catalog_changes(array(select distinct product_id from changed));
  return null;
end
$$;
create trigger listings_added after insert on listings
  referencing new table as changed for each statement execute function note_listings();
create trigger listings_superseded after update on listings
  referencing new table as changed for each statement execute function note_listings();

-- Superseded rows are swept, which changes nothing.
create function note_removed_listings() returns trigger language plpgsql as $$
begin
  perform note_catalog_changes(array(select distinct product_id from removed where superseded_by is null));
  return null;
end
$$;
create trigger listings_removed after delete on listings
  referencing old table as removed for each statement execute function note_removed_listings();

-- Stock changes with each checkout, so only a change of what can be bought is noted, and a condition that is no function call decides that.
create function note_added_stock() returns trigger language plpgsql as $$
begin
  perform note_catalog_changes(array(select distinct product_id from added where offered and (not counted or on_hand > held)));
  return null;
end
$$;
create trigger stock_added after insert on stock_levels
  referencing new table as added for each statement execute function note_added_stock();

create function note_stock() returns trigger language plpgsql as $$
begin
  perform note_catalog_changes(array[old.product_id]);
  return null;
end
$$;
create trigger stock_changed after update on stock_levels for each row
  when ((old.offered and (not old.counted or old.on_hand > old.held))
    is distinct from (new.offered and (not new.counted or new.on_hand > new.held)))
  execute function note_stock();
create trigger stock_removed after delete on stock_levels for each row
  when (old.offered and (not old.counted or old.on_hand > old.held))
  execute function note_stock();
