-- The last form that a browser has submitted, with its answer: a second click on the button gets the same answer instead of a second
-- effect (docs/decisions/0179). Unlogged: after a crash of the database, a click of a few seconds ago counts as a new one.
create unlogged table form_submissions (
  -- SHA-256 of the form token, which only the browser has.
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  -- A MAC of the address and the fields, with the form token as its key.
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  -- The redirect with its cookies, encrypted with a key derived from the form token.
  answer bytea not null,
  created_at timestamptz not null
);
create index form_submissions_by_time on form_submissions (created_at);
