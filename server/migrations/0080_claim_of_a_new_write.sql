-- What a write begins with, now that what it loads is sent along: an error, which skips the rest of the batch, where the request is
-- not known to be new. A repetition so waits for no lock of the first request. See docs/decisions/0145-load-with-the-claim.md.
--
-- claim_write stays: it tells what is there, for repetitions and for previous versions.
create function claim_new_write(
  asked_proof bytea, proof_expires_at timestamptz, asked_hash bigint, asked_environment text, asked_installation_id text,
  asked_key text, asked_at timestamptz, out has_partition boolean
) language plpgsql volatile as $$
declare
  day text := to_char(asked_at at time zone 'UTC', 'YYYYMMDD');
begin
  insert into dpop_proofs (proof, expires_at) values (asked_proof, proof_expires_at) on conflict do nothing;
  if not found or not pg_try_advisory_xact_lock(asked_hash) then raise 'not a new request' using errcode = 'VT001'; end if;
  has_partition := to_regclass('idempotency_answers_' || day) is not null;
  -- A session that meets a day for the first time waits until it has been created: see 0069.
  if has_partition and current_setting('vitrine.answers_day', true) is distinct from day then
    perform pg_advisory_lock_shared(hashtext('idempotency_answers'), 0),
      pg_advisory_unlock_shared(hashtext('idempotency_answers'), 0), set_config('vitrine.answers_day', day, false);
  end if;
  if exists (select from idempotency_keys
    where environment = asked_environment and installation_id = asked_installation_id and key = asked_key)
  then raise 'not a new request' using errcode = 'VT001'; end if;
end
$$;
