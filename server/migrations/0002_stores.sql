-- Stores are the sellers. Installations, catalogs, carts and orders all reference one, so this table comes first.

create table stores (
  id text primary key,
  slug text not null unique check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(slug) <= 120),
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- Unless open, the catalog is shown only to shoppers who have passed the challenge.
  access_mode text not null default 'open' check (access_mode in ('open', 'password', 'challenge')),
  -- The first of each is the default.
  currencies text[] not null check (cardinality(currencies) > 0),
  locales text[] not null check (cardinality(locales) > 0),
  countries text[] not null check (cardinality(countries) > 0),
  prices_include_tax boolean not null,
  -- Texts are objects from locale to text.
  names jsonb not null check (jsonb_typeof(names) = 'object'),
  descriptions jsonb check (jsonb_typeof(descriptions) = 'object'),
  logo jsonb,
  contact jsonb not null default '{}' check (jsonb_typeof(contact) = 'object'),
  policies jsonb not null default '[]' check (jsonb_typeof(policies) = 'array'),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null
);
