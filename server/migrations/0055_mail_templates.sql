-- Operators write the words of mails: for the marketplace or a store, in a language. Each save is a version, so that an
-- earlier one can be restored and the words of an old mail can be explained. The last one is in force; without words it
-- takes the edit back.
create table mail_templates (
  -- null: the marketplace, and stores without words of their own
  store_id text references stores (id),
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  language text not null check (language ~ '^[a-z]{2,3}$'),
  version integer not null check (version > 0),
  subject text check (length(subject) between 1 and 150),
  heading text check (length(heading) between 1 and 150),
  introduction text check (length(introduction) between 1 and 2000),
  closing text check (length(closing) <= 2000),
  created_at timestamptz not null,
  check (num_nonnulls(subject, heading, introduction, closing) in (0, 4)),
  -- Also the order in which a mail looks for its words.
  unique nulls not distinct (store_id, kind, language, version)
);
