-- The claim at the start of a write returns the id of its transaction, which resolves a lost COMMIT: reading it with a
-- separate statement took 0.05 ms of each write.
drop function claim_request(bytea, timestamptz, bigint, text, text, text);
create function claim_request(
  asked_proof bytea, proof_expires_at timestamptz, lock bigint, asked_environment text, asked_installation_id text, asked_key text,
  out transaction_id text, out proof_taken boolean, out locked boolean, out kept_fingerprint bytea, out kept_answer bytea
) language plpgsql volatile as $$
begin
  insert into dpop_proofs (proof, expires_at) values (asked_proof, proof_expires_at) on conflict do nothing;
  proof_taken := found;
  locked := pg_try_advisory_xact_lock(lock);
  select fingerprint, answer into kept_fingerprint, kept_answer from idempotency_keys
    where environment = asked_environment and installation_id = asked_installation_id and key = asked_key;
  transaction_id := pg_current_xact_id()::text;
end
$$;
