-- The secrets of the server in versions, sealed by a key outside the database. server_secrets has them in the clear: what is there is
-- copied by the first start, stays for processes of the version before, and is deleted a week later, or when an operator says so.
create table server_secret_versions (
  purpose text not null,
  version integer not null check (version > 0),
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  -- AES-256-GCM: nonce of 12 bytes, 32 bytes sealed, tag of 16.
  sealed bytea not null check (octet_length(sealed) = 60),
  created_at timestamptz not null,
  -- Later than created_at, so that every node knows a version before one signs with it.
  signs_from timestamptz not null check (signs_from >= created_at),
  -- Null while no newer version has replaced it.
  accepted_until timestamptz check (accepted_until >= signs_from),
  primary key (purpose, version)
);
create unique index server_secret_versions_newest on server_secret_versions (purpose) where accepted_until is null;
create index server_secret_versions_by_end on server_secret_versions (accepted_until) where accepted_until is not null;
