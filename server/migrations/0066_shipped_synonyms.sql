-- Synonyms that ship with the service and that an operator has switched off. A group is named by its first word, which no other group
-- of its language begins with: it stays off when a later version adds words to it.
create table search_shipped_off (
  language text not null check (language ~ '^[a-z]{2,3}$'),
  word text not null check (length(word) between 1 and 100),
  switched_at timestamptz not null,
  primary key (language, word)
);
