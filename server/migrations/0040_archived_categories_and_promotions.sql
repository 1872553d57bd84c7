-- What an operator can no longer delete, because orders name it, can be archived: gone from every public read and from new
-- carts, kept, and restorable. Products have had the status from the start.

-- With a category everything below it is archived, at the same time, so that restoring it restores what it took along.
alter table categories add column archived_at timestamptz;
create index categories_archived on categories (id) where archived_at is not null;

alter table promotions
  drop constraint promotions_status_check,
  add constraint promotions_status_check check (status in ('active', 'paused', 'archived'));
-- The code of an archived promotion is free.
drop index promotions_by_code;
create unique index promotions_by_code on promotions (upper(code), store_id) nulls not distinct
  where code is not null and status <> 'archived';

-- GTIN, UPC, EAN or ISBN, or what else a scanner reads.
alter table skus add column barcode text check (barcode ~ '^[!-~]{1,64}$');

-- A filter by a rare brand would otherwise read every listing of its currency.
create index listings_by_brand on listings (currency, brand, product_id);

-- Deliveries count their changes, as every other object does.
alter table webhook_deliveries add column version integer not null default 1 check (version > 0);
