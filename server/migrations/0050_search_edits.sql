-- What operators set for searches of the marketplace: products at the top of a query or left out of it, a page to send shoppers
-- to, and words that mean the same. No environment and no store: like products and prices, a search is the same for everyone.
create table search_rules (
  id text primary key,
  query text not null check (length(query) between 1 and 200),
  -- The folded words of the query.
  words text not null check (words <> ''),
  -- Null: every language.
  language text check (language ~ '^[a-z]{2,3}$'),
  -- Products in order, not foreign keys: one that is gone is left out.
  pins text[] not null check (cardinality(pins) <= 50),
  hidden text[] not null check (cardinality(hidden) <= 200),
  redirect text check (length(redirect) <= 2048 and redirect ~ '^(https://|/([^/\\]|$))'),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (not pins && hidden),
  check (cardinality(pins) + cardinality(hidden) > 0 or redirect is not null)
);
create unique index search_rules_by_words on search_rules (words, language) nulls not distinct;

create table search_synonyms (
  id text primary key,
  language text check (language ~ '^[a-z]{2,3}$'),
  -- One way: who searches for this word finds the others too, not the other way round. Null: all mean the same.
  source text check (length(source) between 1 and 100),
  words text[] not null check (cardinality(words) between 1 and 20),
  version integer not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  check (source is not null or cardinality(words) > 1)
);
