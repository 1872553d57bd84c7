-- Two more ways in for operators: passkeys, and the identity provider of the company.

-- What a browser or a provider was asked to sign. It counts once, and for minutes.
create table operator_challenges (
  challenge_hash bytea primary key check (octet_length(challenge_hash) = 32),
  purpose text not null check (purpose in ('passkey_new', 'passkey_sign_in', 'passkey_proof', 'provider')),
  -- Null before sign-in, when no one is known yet.
  operator_id text references operators (id) on delete cascade,
  expires_at timestamptz not null,
  check ((operator_id is null) = (purpose in ('passkey_sign_in', 'provider')))
);
create index operator_challenges_by_expiry on operator_challenges (expires_at);
create index operator_challenges_by_operator on operator_challenges (operator_id) where operator_id is not null;

-- Public keys of WebAuthn credentials.
create table operator_passkeys (
  id text primary key,
  operator_id text not null references operators (id) on delete cascade,
  credential_id bytea not null unique check (octet_length(credential_id) between 1 and 1023),
  public_key bytea not null,
  -- Of the authenticator. It never goes back; 0: it does not count.
  counter bigint not null check (counter >= 0),
  -- The host name of the console that it was made for. It works for no other.
  rp_id text not null,
  name text not null check (length(name) between 1 and 80),
  transports text[] not null,
  -- Whether a password manager copies it to other devices.
  is_synced boolean not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index operator_passkeys_by_operator on operator_passkeys (operator_id, id);

-- The account at a provider that an operator signs in with. Found by email once, and by these from then on.
create table operator_identities (
  issuer text not null check (length(issuer) <= 2048),
  subject text not null check (length(subject) between 1 and 255),
  operator_id text not null references operators (id) on delete cascade,
  bound_at timestamptz not null,
  last_used_at timestamptz not null,
  primary key (issuer, subject),
  unique (operator_id, issuer)
);

-- `own`: signing in asked for the second factor of the operator, if they have one; `provider`: the provider has asked for one;
-- `owed`: the provider asked for one factor alone.
alter table operator_sessions add column second_factor text not null default 'own'
  check (second_factor in ('own', 'provider', 'owed'));
