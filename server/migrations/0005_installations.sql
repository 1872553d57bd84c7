-- API clients: installations, their API keys, and the readiness proofs that unblock live keys.

create table installations (
  id text primary key,
  name text not null check (length(name) between 1 and 120),
  -- The one store that the installation belongs to; null is the whole marketplace.
  store_id text references stores (id),
  environment text not null check (environment in ('test', 'live')),
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- Origins whose scripts may call with this installation's credentials.
  origins text[] not null default '{}',
  return_urls text[] not null default '{}',
  version bigint not null default 1 check (version > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  unique (id, environment)
);
create index installations_by_origin on installations using gin (origins);

create table api_keys (
  id text primary key,
  installation_id text not null references installations (id),
  -- SHA-256 of the key: the key itself is shown once and never stored.
  key_hash bytea not null unique check (octet_length(key_hash) = 32),
  display text not null,
  scopes text[] not null check (scopes <@ array['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write']),
  -- RFC 7638 thumbprint of the public key that the key is bound to; null is an unbound key, which reads only.
  jkt text check (length(jkt) = 43),
  created_at timestamptz not null,
  expires_at timestamptz,
  revoked_at timestamptz,
  last_used_at timestamptz
);
create index api_keys_by_installation on api_keys (installation_id);

-- Evidence, recorded by the operator, that the outside of this service is ready for real money.
create table readiness_proofs (
  code text primary key,
  note text not null check (length(note) between 1 and 500),
  recorded_at timestamptz not null
);
