-- What grows with each write is found by its age, in a tree. A summary of block ranges (BRIN) narrows nothing once the space of
-- deleted rows is used again: after two months each thousand rows to delete read the whole table.
-- Ages rise, so a new entry goes to the last page of its index.
drop index idempotency_keys_by_age;
create index idempotency_keys_by_age on idempotency_keys (created_at);
drop index dpop_proofs_by_expiry;
create index dpop_proofs_by_expiry on dpop_proofs (expires_at);
drop index events_by_age;
create index events_by_age on events (created_at);
drop index webhook_deliveries_by_age;
create index webhook_deliveries_by_age on webhook_deliveries (created_at);
