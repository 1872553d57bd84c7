-- Store access: passwords, the purposes that require a grant, and challenges. Grants are not stored: they are sealed, and
-- depend on the store's settings at the time they were issued (docs/decisions/0030).

alter table stores
  -- argon2id of the store's password.
  add column access_password text check (access_password like '$argon2id$%'),
  -- Grows when the way in changes: every grant that was given before ends.
  add column access_version integer not null default 1 check (access_version > 0),
  -- The purposes that require a grant even if the store is open.
  add column grant_purposes text[] not null default '{}' check (grant_purposes <@ array['register', 'password_reset']);

create table access_challenges (
  id text primary key,
  store_id text not null references stores (id) on delete cascade,
  kind text not null check (kind in ('password', 'proof_of_work')),
  purpose text not null check (purpose in ('store_access', 'register', 'password_reset')),
  -- The work to do, signed.
  work jsonb check (jsonb_typeof(work) = 'object'),
  attempts integer not null default 0 check (attempts between 0 and 5),
  issued_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > issued_at),
  -- When a grant was given for it: once, by a try that counts.
  consumed_at timestamptz check (consumed_at < expires_at),
  check ((work is not null) = (kind = 'proof_of_work')),
  check (consumed_at is null or attempts > 0)
);
create index access_challenges_by_expiry on access_challenges (expires_at);
