-- A second factor for operators: one-time codes by time (RFC 6238), with codes for the day the phone is lost.
alter table operators add column totp_key_id text;
alter table operators add column totp_secret bytea;
-- Null while the operator has not entered a first code: it does not count yet.
alter table operators add column totp_confirmed_at timestamptz;
-- The step of the last code that was taken: a code is taken once.
alter table operators add column totp_step bigint not null default 0 check (totp_step >= 0);
-- Hashes of the recovery codes that are left.
alter table operators add column recovery_hashes bytea[] not null default '{}';
alter table operators add constraint operators_totp_whole
  check ((totp_key_id is null) = (totp_secret is null) and (totp_confirmed_at is null or totp_secret is not null));

-- What the marketplace demands of its operators. One row.
create table operator_policy (
  is_only boolean primary key default true check (is_only),
  requires_second_factor boolean not null default false
);
insert into operator_policy default values;
