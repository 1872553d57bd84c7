-- Who sells in the sense of the law: what invoices, order mails and tax rules need to know of a store's owner. A store without a
-- record sells in the name of the marketplace. Invoices keep a copy, so a change concerns only later ones.
create table seller_records (
  -- The store's id, or 'marketplace'.
  seller_id text primary key,
  store_id text unique references stores (id),
  legal_name text not null check (length(legal_name) between 1 and 200),
  -- line1, line2, postalCode, city and region; in the country of establishment.
  address jsonb not null check (jsonb_typeof(address) = 'object'),
  country text not null check (country ~ '^[A-Z]{2}$'),
  -- {country, id}, at most one per country.
  vat_ids jsonb not null default '[]' check (jsonb_typeof(vat_ids) = 'array'),
  tax_number text check (length(tax_number) between 1 and 50),
  registration text check (length(registration) between 1 and 200),
  representative text check (length(representative) between 1 and 200),
  email text not null check (length(email) between 3 and 254),
  phone text check (length(phone) between 1 and 16),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (seller_id = coalesce(store_id, 'marketplace'))
);
