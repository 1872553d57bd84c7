-- Operators and the audit log. The operator API is private, and every change through it is recorded.

create table operators (
  id text primary key,
  email text not null check (length(email) <= 254),
  -- The address as it is compared.
  email_key text not null unique,
  password_hash text not null,
  created_at timestamptz not null,
  disabled_at timestamptz
);

create table operator_sessions (
  token_hash bytea primary key check (octet_length(token_hash) = 32),
  operator_id text not null references operators (id) on delete cascade,
  created_at timestamptz not null,
  used_at timestamptz not null check (used_at >= created_at),
  expires_at timestamptz not null check (expires_at > created_at)
);
create index operator_sessions_by_operator on operator_sessions (operator_id);

-- Only ever added to.
create table audit_log (
  id text primary key,
  at timestamptz not null,
  -- Null is the token of the command line.
  operator_id text,
  operator_email text not null,
  via text not null check (via in ('session', 'token', 'setup')),
  operation text not null check (length(operation) between 1 and 100),
  subject_type text not null check (length(subject_type) between 1 and 64),
  subject_id text not null check (length(subject_id) between 1 and 200),
  before jsonb check (jsonb_typeof(before) = 'object'),
  after jsonb check (jsonb_typeof(after) = 'object'),
  request_id text not null
);
create index audit_log_by_age on audit_log (at desc, id desc);
create index audit_log_by_subject on audit_log (subject_id, at desc, id desc);
create function refuse_change_of_audit_log() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end
$$;
create trigger audit_log_stands before update or delete or truncate on audit_log
  for each statement execute function refuse_change_of_audit_log();
