-- The answers that repeated requests get are most of what a write leaves. They are kept by day, and dropped with their day: deleting
-- them row by row took longer the more was kept. The keys stay in one table, so that each is unique over its whole retention.
-- See docs/decisions/0077-answers-by-day.md.

-- An answer belongs to the key of the same time and hash. Its key holds the lock of the same hash while it is written.
create table idempotency_answers (
  created_at timestamptz not null,
  key_hash bigint not null,
  -- Of compressed bytes, the dictionary that they need. Null: stored as they were sent.
  dictionary bigint,
  answer bytea not null,
  primary key (created_at, key_hash)
) partition by range (created_at);

-- What answers are compressed with, so that a later version, which has others, still reads them. By 64 bits of its hash.
create table answer_dictionaries (
  id bigint primary key,
  dictionary bytea not null
);

-- Answers of previous versions stay where they are until their keys expire.
alter table idempotency_keys alter column answer drop not null;

-- Attached, and not created as a partition, which would wait for all writes in progress.
create function create_answers_partition(day date) returns void language plpgsql as $$
declare
  name text := 'idempotency_answers_' || to_char(day, 'YYYYMMDD');
begin
  if to_regclass(name) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('idempotency_answers'), 0);
  -- Asked of the table: to_regclass remembers that there was none.
  if exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) then return; end if;
  execute format('create table %I (like idempotency_answers including all)', name);
  execute format('alter table idempotency_answers attach partition %I for values from (%L) to (%L)', name,
    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end
$$;

-- Drops the days that ended before the given time, once no key needs them. Writes wait for a drop, and a drop for them: it gives up
-- soon, and is tried again. It first waits for what reads the day itself, such as a backup, while no write waits for it.
create function drop_answers_before(asked timestamptz) returns void language plpgsql as $$
declare
  name text;
  ends_at timestamptz;
begin
  perform set_config('lock_timeout', '200ms', true);
  for name in select inhrelid::regclass::text from pg_inherits where inhparent = 'idempotency_answers'::regclass order by 1 loop
    ends_at := (to_date(right(name, 8), 'YYYYMMDD') + 1)::timestamp at time zone 'UTC';
    if ends_at <= asked and not exists (select from idempotency_keys where created_at < ends_at) then
      execute format('lock table %I in access exclusive mode', name);
      execute format('drop table %I', name);
    end if;
  end loop;
end
$$;

-- As claim_request, which previous versions call: what a write begins with. The answer is looked for only where its key is there, so
-- that a first request touches no partition.
create function claim_write(
  asked_proof bytea, proof_expires_at timestamptz, asked_hash bigint, asked_environment text, asked_installation_id text,
  asked_key text, asked_at timestamptz,
  out proof_taken boolean, out locked boolean, out has_partition boolean,
  out kept_fingerprint bytea, out kept_answer bytea, out kept_dictionary bigint
) language plpgsql volatile as $$
declare
  kept_at timestamptz;
begin
  insert into dpop_proofs (proof, expires_at) values (asked_proof, proof_expires_at) on conflict do nothing;
  proof_taken := found;
  locked := pg_try_advisory_xact_lock(asked_hash);
  has_partition := to_regclass('idempotency_answers_' || to_char(asked_at at time zone 'UTC', 'YYYYMMDD')) is not null;
  select fingerprint, answer, created_at into kept_fingerprint, kept_answer, kept_at from idempotency_keys
    where environment = asked_environment and installation_id = asked_installation_id and key = asked_key;
  if found and kept_answer is null then
    select answer, dictionary into kept_answer, kept_dictionary from idempotency_answers
      where created_at = kept_at and key_hash = asked_hash;
    -- The day was dropped, and the key just before.
    if not found then kept_fingerprint := null; end if;
  end if;
end
$$;
