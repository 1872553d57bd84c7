-- What a search ranks by. With the words of a document also their number in each of its fields, because a word says more in a
-- short text; null in documents of an earlier version, which rank as if they had the usual number. `accessories` are the words
-- of the name that tell an accessory, such as `case`: a laptop case is no laptop.
alter table search_documents
  add column name_length smallint check (name_length >= 0),
  add column kind_length smallint check (kind_length >= 0),
  add column facts_length smallint check (facts_length >= 0),
  add column description_length smallint check (description_length >= 0),
  add column accessories text[];

-- The collection as a whole, for each locale: how many documents there are and how long their fields are on average. Counted by
-- a job, so that every node ranks alike and a write costs nothing. `counted_at` is the transaction that counted: what is listed
-- by later ones is not in it.
create table search_statistics (
  locale text primary key,
  documents integer not null check (documents > 0),
  name_length real not null check (name_length >= 0),
  kind_length real not null check (kind_length >= 0),
  facts_length real not null check (facts_length >= 0),
  description_length real not null check (description_length >= 0),
  counted_at xid8 not null
);

-- In how many documents of a locale a word is, if in more than one: the rarer a word, the more it tells.
create table search_terms (
  locale text not null,
  term text not null,
  documents integer not null check (documents > 1),
  primary key (locale, term)
);
