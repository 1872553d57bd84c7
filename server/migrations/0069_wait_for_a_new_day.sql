-- Answers of a new day were still refused now and then: a claim that already saw the partition of another write went past the lock
-- of 0046. A session that meets a day for the first time waits until it has been created, once; taking and releasing the lock in one
-- statement leaves nothing to hold, and so no deadlock.
create or replace function claim_write(
  asked_proof bytea, proof_expires_at timestamptz, asked_hash bigint, asked_environment text, asked_installation_id text,
  asked_key text, asked_at timestamptz,
  out proof_taken boolean, out locked boolean, out has_partition boolean,
  out kept_fingerprint bytea, out kept_answer bytea, out kept_dictionary bigint
) language plpgsql volatile as $$
declare
  day text := to_char(asked_at at time zone 'UTC', 'YYYYMMDD');
  kept_at timestamptz;
begin
  insert into dpop_proofs (proof, expires_at) values (asked_proof, proof_expires_at) on conflict do nothing;
  proof_taken := found;
  locked := pg_try_advisory_xact_lock(asked_hash);
  has_partition := to_regclass('idempotency_answers_' || day) is not null;
  if has_partition and current_setting('vitrine.answers_day', true) is distinct from day then
    perform pg_advisory_lock_shared(hashtext('idempotency_answers'), 0),
      pg_advisory_unlock_shared(hashtext('idempotency_answers'), 0), set_config('vitrine.answers_day', day, false);
  end if;
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
