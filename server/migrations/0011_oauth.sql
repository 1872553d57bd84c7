-- OAuth: clients, grants and the tokens issued for them. Codes and tokens are stored as hashes.

create table oauth_clients (
  id text primary key,
  installation_id text not null references installations (id),
  auth_method text not null check (auth_method in ('none', 'private_key_jwt')),
  -- The public keys that sign its assertions, RFC 7517; a public client has none.
  jwks jsonb,
  -- Compared character by character.
  redirect_uris text[] not null check (cardinality(redirect_uris) between 1 and 20),
  created_at timestamptz not null,
  check ((auth_method = 'private_key_jwt') = (jwks is not null))
);
create index oauth_clients_by_installation on oauth_clients (installation_id);

-- One approval. Its tokens are a family: they end with it, all at once.
create table oauth_grants (
  id text primary key,
  client_id text not null references oauth_clients (id),
  -- The store that the tokens see; null is the whole marketplace, which only an operator grants.
  store_id text references stores (id),
  scopes text[] not null check (
    cardinality(scopes) > 0 and scopes <@ array['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write']
  ),
  -- A member of staff, or `operator`.
  approved_by text not null,
  created_at timestamptz not null,
  ends_at timestamptz not null check (ends_at > created_at),
  revoked_at timestamptz,
  revoked_because text check (revoked_because in ('code_reused', 'refresh_reused', 'revoked')),
  check ((revoked_at is null) = (revoked_because is null))
);
create index oauth_grants_by_end on oauth_grants (ends_at);

create table oauth_codes (
  code_hash bytea primary key check (octet_length(code_hash) = 32),
  -- A grant has one code.
  grant_id text not null unique references oauth_grants (id) on delete cascade,
  redirect_uri text not null,
  -- RFC 7636 §4.2, S256: 32 bytes in base64url.
  code_challenge text not null check (length(code_challenge) = 43),
  -- RFC 9449 §10: the key that the code is bound to.
  dpop_jkt text check (length(dpop_jkt) = 43),
  expires_at timestamptz not null,
  used_at timestamptz
);

create table oauth_access_tokens (
  id text primary key,
  token_hash bytea not null unique check (octet_length(token_hash) = 32),
  grant_id text not null references oauth_grants (id) on delete cascade,
  -- RFC 7638 thumbprint of the key that it is bound to: there is no unbound token.
  jkt text not null check (length(jkt) = 43),
  scopes text[] not null,
  created_at timestamptz not null,
  expires_at timestamptz not null check (expires_at > created_at),
  revoked_at timestamptz
);
create index oauth_access_tokens_by_grant on oauth_access_tokens (grant_id);
create index oauth_access_tokens_by_expiry on oauth_access_tokens (expires_at);

create table oauth_refresh_tokens (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  grant_id text not null references oauth_grants (id) on delete cascade,
  jkt text not null check (length(jkt) = 43),
  expires_at timestamptz not null,
  -- When a successor took its place. The successor is derived from this token, so it is not stored.
  rotated_at timestamptz
);
create index oauth_refresh_tokens_by_grant on oauth_refresh_tokens (grant_id);
-- A family has one token that is not yet rotated.
create unique index oauth_refresh_tokens_current on oauth_refresh_tokens (grant_id) where rotated_at is null;
