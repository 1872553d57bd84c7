-- What is sold: categories, products, SKUs and prices as they are written, and listings and search documents as they are
-- read. A written row is changed in place. A listing or document is never changed: a new one supersedes it, and the old
-- one is kept for an hour, so that a reader who walks through pages sees the list as it stood on the first page.
-- See docs/decisions/0006-stable-listing-walks.md.

create extension if not exists pg_trgm;

create table categories (
  id text primary key,
  -- Null is a category of the whole marketplace.
  store_id text references stores (id),
  parent_id text references categories (id),
  -- Slugs from the root down to this one.
  path text[] not null check (cardinality(path) between 1 and 6),
  slug text not null generated always as (path[cardinality(path)]) stored,
  -- Ids from the root down to this one.
  lineage text[] not null,
  position integer not null default 0 check (position >= 0),
  names jsonb not null check (jsonb_typeof(names) = 'object'),
  descriptions jsonb check (jsonb_typeof(descriptions) = 'object'),
  image jsonb,
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique nulls not distinct (store_id, path),
  check (cardinality(lineage) = cardinality(path) and lineage[cardinality(lineage)] = id),
  check ((parent_id is null) = (cardinality(path) = 1))
);
create index categories_by_slug on categories (slug);

create table products (
  id text primary key,
  store_id text not null references stores (id),
  -- The store's own id.
  external_id text not null check (length(external_id) between 1 and 120),
  -- Unique over all stores, because /catalog/products/{slug} names no store.
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  status text not null check (status in ('published', 'draft', 'archived')),
  brand text,
  published_at timestamptz not null,
  rating_average numeric(3, 2) check (rating_average between 0 and 5),
  rating_count integer check (rating_count >= 0),
  -- Its own categories in its own order; the lineage holds those above them as well.
  category_ids text[] not null default '{}',
  lineage text[] not null default '{}',
  options jsonb not null default '[]' check (jsonb_typeof(options) = 'array'),
  attributes jsonb not null default '[]' check (jsonb_typeof(attributes) = 'array'),
  images jsonb not null default '[]' check (jsonb_typeof(images) = 'array'),
  seo jsonb,
  -- SHA-256 of what was written, so that writing the same again changes nothing.
  content_hash bytea check (octet_length(content_hash) = 32),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (store_id, external_id),
  check (category_ids <@ lineage),
  check ((rating_average is null) = (rating_count is null))
);

create table product_texts (
  product_id text not null references products (id) on delete cascade,
  locale text not null,
  name text not null check (length(name) between 1 and 500),
  subtitle text,
  description_format text check (description_format in ('plain', 'markdown')),
  description text,
  primary key (product_id, locale),
  check ((description is null) = (description_format is null))
);

create table skus (
  id text primary key,
  product_id text not null references products (id) on delete cascade,
  -- The SKU code of the manufacturer or the shop. Real catalogs repeat codes, so it is not unique.
  code text not null check (length(code) between 1 and 250),
  -- `colour=blue/size=m`: distinguishes the SKUs of a product. Empty without options.
  option_key text not null,
  option_values jsonb not null default '{}' check (jsonb_typeof(option_values) = 'object'),
  -- Withdrawn: no longer offered, but still referenced by carts and orders.
  status text not null default 'offered' check (status in ('offered', 'withdrawn')),
  position integer not null check (position >= 0),
  weight_grams integer check (weight_grams >= 0),
  tax_category text not null default 'standard',
  min_quantity integer not null default 1 check (min_quantity between 1 and 999),
  max_quantity integer not null default 999 check (max_quantity between 1 and 999),
  step integer not null default 1 check (step between 1 and 999),
  image jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (product_id, option_key),
  check (max_quantity >= min_quantity)
);

create table prices (
  sku_id text not null references skus (id) on delete cascade,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- Minor units, within what JSON can carry exactly.
  amount bigint not null check (amount between 0 and 9007199254740991),
  compare_at bigint check (compare_at > amount and compare_at <= 9007199254740991),
  primary key (sku_id, currency)
);

-- One row for what a reader of one locale and currency sees of a product in a list: only what a list sorts, filters and
-- counts by. A row is current while nothing supersedes it.
create table listings (
  product_id text not null references products (id) on delete cascade,
  store_id text not null,
  currency text not null,
  locale text not null,
  price_min bigint not null,
  price_max bigint not null check (price_max >= price_min),
  published_at timestamptz not null,
  -- The name folded to lower case without accents: compared by bytes, it sorts alike everywhere.
  name_key text not null,
  brand text,
  lineage text[] not null,
  -- `colour=blue` for each value that an offered SKU with a price in the currency has.
  option_values text[] not null,
  listed_by xid8 not null default pg_current_xact_id(),
  superseded_by xid8,
  superseded_at timestamptz,
  primary key (product_id, currency, locale, listed_by),
  check ((superseded_by is null) = (superseded_at is null))
);
create unique index listings_current on listings (product_id, currency, locale) where superseded_by is null;
create index listings_by_price on listings (currency, price_min, product_id);
create index listings_by_age on listings (currency, published_at, product_id);
create index listings_by_name on listings (currency, name_key, product_id);
create index listings_by_store on listings (store_id);
create index listings_by_category on listings using gin (lineage);
create index listings_superseded on listings (superseded_at) where superseded_by is not null;

-- The words of a product in one locale: name (A), brand, codes and categories (B), attributes (C), description (D).
create table search_documents (
  product_id text not null references products (id) on delete cascade,
  store_id text not null,
  locale text not null,
  document tsvector not null,
  listed_by xid8 not null default pg_current_xact_id(),
  superseded_by xid8,
  superseded_at timestamptz,
  primary key (product_id, locale, listed_by),
  check ((superseded_by is null) = (superseded_at is null))
);
create unique index search_documents_current on search_documents (product_id, locale) where superseded_by is null;
create index search_documents_by_word on search_documents using gin (document) with (fastupdate = off);
create index search_documents_superseded on search_documents (superseded_at) where superseded_by is not null;

-- The words of names, brands and categories, for correcting a misspelt query. Kept for each store, so that a correction
-- never tells what a gated store sells.
create table search_words (
  store_id text not null references stores (id),
  word text not null,
  products integer not null check (products > 0),
  primary key (store_id, word)
);
-- GiST, because it answers "the nearest": two swapped letters of a short word leave few trigrams in common.
create index search_words_by_trigram on search_words using gist (word gist_trgm_ops);

-- The transactions whose superseded rows have been swept: a walk that did not see one of them yet cannot go on. Each is
-- named, not only the newest, because a first page may be kept as bytes for long, and its cursor must stay good as long.
create table swept_transactions (
  id xid8 primary key
);

-- Incremented when the database is copied into another cluster, which numbers its transactions from the start: cursors from
-- before are invalid.
create table listing_epoch (
  only_row boolean primary key default true check (only_row),
  epoch integer not null check (epoch > 0)
);
insert into listing_epoch (epoch) values (1);
