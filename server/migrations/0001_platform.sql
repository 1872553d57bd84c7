-- Shared by all features: revisions, secrets, idempotency, proofs, rate limits, events and jobs.
-- All nodes share these tables and nothing else, so there is no second store to keep in step with this one.

-- A revision grows in the transaction of the change that it announces. Cached answers carry the revision they show.
create table revisions (
  subject text primary key,
  revision bigint not null check (revision > 0)
);

-- Random secrets that all nodes must agree on: cursor MAC, DPoP nonce, quote signature. Created once, by the first node.
create table server_secrets (
  purpose text primary key,
  secret bytea not null check (octet_length(secret) = 32)
);

-- A key, the change it names and the change's events are written by one transaction. There is no "in progress" row:
-- a request that is still running holds an advisory lock, which a crash releases.
create table idempotency_keys (
  environment text not null check (environment in ('test', 'live')),
  installation_id text not null,
  key text not null check (length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  status smallint not null check (status = 200),
  answer bytea not null,
  created_at timestamptz not null,
  primary key (environment, installation_id, key)
);
-- Rows are written in the order of their age and deleted by it, so a summary of each block range is index enough, and
-- costs a write next to nothing.
create index idempotency_keys_by_age on idempotency_keys using brin (created_at);

-- A DPoP proof is taken once, on whichever node it arrives. RFC 9449 §11.1.
create table dpop_proofs (
  proof bytea primary key check (octet_length(proof) = 32),
  expires_at timestamptz not null
);
create index dpop_proofs_by_expiry on dpop_proofs using brin (expires_at);

-- What a write begins with, as one statement: takes its proof, tries the lock of its key, and looks for a first answer
-- after the lock is had, so that it sees what the last holder committed. Each statement of a volatile function has a
-- snapshot of its own.
create function claim_request(
  asked_proof bytea, proof_expires_at timestamptz, lock bigint, asked_environment text, asked_installation_id text, asked_key text,
  out proof_taken boolean, out locked boolean, out kept_fingerprint bytea, out kept_answer bytea
) language plpgsql volatile as $$
begin
  insert into dpop_proofs (proof, expires_at) values (asked_proof, proof_expires_at) on conflict do nothing;
  proof_taken := found;
  locked := pg_try_advisory_xact_lock(lock);
  select fingerprint, answer into kept_fingerprint, kept_answer from idempotency_keys
    where environment = asked_environment and installation_id = asked_installation_id and key = asked_key;
end
$$;

-- The theoretical arrival time of the generic cell rate algorithm, in microseconds since 1970. Unlogged: a crash of
-- PostgreSQL may forget how much of a minute was used, and an ordinary take waits for no disk.
create unlogged table rate_limits (
  bucket text primary key,
  tat_us bigint not null,
  granted integer not null check (granted >= 0)
);

-- What happened, written by the transaction that made it happen.
create table events (
  id text primary key,
  kind text not null check (kind ~ '^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$'),
  environment text not null check (environment in ('test', 'live')),
  installation_id text,
  store_id text,
  subject_id text not null,
  sequence bigint not null check (sequence > 0),
  data jsonb not null,
  created_at timestamptz not null,
  unique (subject_id, kind, sequence)
);
create index events_by_age on events using brin (created_at);

-- Work that answers to clocks. A worker holds a job by a lease, and proves by its fence that it still does.
create table jobs (
  id text primary key,
  kind text not null,
  -- At most one waiting or running job of a kind and subject.
  subject text not null,
  payload jsonb not null default '{}',
  run_at timestamptz not null,
  attempts integer not null default 0 check (attempts >= 0),
  attempts_max integer not null check (attempts_max > 0),
  lease_until timestamptz,
  fence bigint not null default 0,
  last_error text,
  dead_at timestamptz,
  unique (kind, subject)
);
create index jobs_waiting on jobs (run_at) where dead_at is null;
