-- Tables of any shape are imported by a mapping of their columns, refused rows can be downloaded as they were, and an import can be
-- undone.

alter table catalog_imports add column mapping jsonb check (jsonb_typeof(mapping) = 'object');
-- The names of the columns of a table.
alter table catalog_imports add column header text[];
alter table catalog_imports add column undo_requested_at timestamptz;
alter table catalog_imports add column undone_at timestamptz;
alter table catalog_imports add constraint catalog_imports_undo_check
  check (undo_requested_at is null or finished_at is not null);
alter table catalog_imports add constraint catalog_imports_undone_check
  check (undone_at is null or undo_requested_at is not null);

-- The cells of the refused rows.
alter table catalog_import_refusals add column source jsonb check (jsonb_typeof(source) = 'array');

-- The last mapping of a table with this header, by the hash of its names.
create table catalog_import_mappings (
  store_slug text not null,
  header bytea not null check (length(header) = 32),
  mapping jsonb not null check (jsonb_typeof(mapping) = 'object'),
  used_at timestamptz not null,
  primary key (store_slug, header)
);

-- What an import has written, so that it can be undone. Without a reference: a product may be removed.
create table catalog_import_products (
  import_id text not null references catalog_imports (id) on delete cascade,
  product_id text not null check (product_id ~ '^prod_'),
  -- The version that the import left. Another one: the product was changed since.
  version integer not null check (version > 0),
  -- The line and the stock before. Null: the import created it.
  before jsonb check (jsonb_typeof(before) = 'object'),
  outcome text check (outcome in ('archived', 'removed', 'restored', 'changed_since', 'gone')),
  written_at timestamptz not null,
  primary key (import_id, product_id)
);
create index catalog_import_products_by_age on catalog_import_products (written_at);

-- Products that an import created can be removed: what refers to them has to be found.
create index after_sales_lines_by_exchange on after_sales_lines (exchange_sku_id) where exchange_sku_id is not null;
create index stock_sold_beyond_by_sku on stock_sold_beyond (sku_id);
