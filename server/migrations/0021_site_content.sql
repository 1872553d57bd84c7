-- The content of a site, apart from what it sells: its name and markets, legal documents, contact channels and decoration.
-- Shoppers have read and accepted what was published, so triggers refuse every change to it.

create table site_settings (
  -- One row at most.
  only_row boolean primary key default true check (only_row),
  name text not null check (length(name) between 1 and 200),
  logo jsonb check (jsonb_typeof(logo) = 'object'),
  -- The first of each is the default. Null: what the open stores offer.
  locales text[] check (cardinality(locales) between 1 and 50),
  currencies text[] check (cardinality(currencies) between 1 and 200),
  countries text[] check (cardinality(countries) between 1 and 250),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create function published_stands() returns trigger language plpgsql as $$
begin
  raise exception 'what was published is never changed: %', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- A version of a document, in as many languages as it was published in.
create table legal_documents (
  id text primary key,
  -- Null: the marketplace's own.
  store_id text references stores (id),
  type text not null
    check (type in ('terms_of_use', 'privacy_policy', 'return_policy', 'shipping_policy', 'cookie_policy', 'imprint')),
  version text not null check (length(version) between 1 and 40),
  effective_at timestamptz not null,
  published_at timestamptz not null,
  unique nulls not distinct (store_id, type, version)
);
create index legal_documents_in_force on legal_documents (store_id, type, effective_at desc);

create table legal_texts (
  document_id text not null references legal_documents (id),
  locale text not null check (length(locale) between 2 and 50),
  title text not null check (length(title) between 1 and 200),
  format text not null check (format in ('plain', 'markdown')),
  body text not null check (length(body) between 1 and 200000),
  sha256 bytea not null check (sha256 = sha256(convert_to(body, 'UTF8'))),
  published_at timestamptz not null,
  primary key (document_id, locale)
);

create trigger legal_documents_stand before update or delete on legal_documents
  for each row execute function published_stands();
create trigger legal_texts_stand before update or delete on legal_texts
  for each row execute function published_stands();

-- The ways to reach the people behind the site, in the order in which they are offered; a list for each language.
create table contact_channels (
  locale text primary key check (length(locale) between 2 and 50),
  channels jsonb not null check (jsonb_typeof(channels) = 'array'),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

-- An operator's draft, which is not shown to shoppers.
create table decoration_drafts (
  store_id text primary key references stores (id),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);

create table decorations (
  store_id text not null references stores (id),
  version integer not null check (version > 0),
  content jsonb not null check (jsonb_typeof(content) = 'object'),
  -- Of the canonical JSON of all of it, in all languages.
  content_sha256 bytea not null check (octet_length(content_sha256) = 32),
  published_at timestamptz not null,
  primary key (store_id, version)
);
create trigger decorations_stand before update or delete on decorations
  for each row execute function published_stands();
