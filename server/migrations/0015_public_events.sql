-- Events for webhooks: a public event stores the bytes of its body when it is committed, so that every attempt, retry and
-- replay sends the same bytes.

alter table events
  -- Null is an event for ourselves alone.
  add column body bytea check (octet_length(body) <= 20480);

-- The last number that a public event of each object was given. Its row is locked until the transaction ends, so that the
-- numbers have no gap and no double, also where one is undone.
create table event_sequences (
  subject_id text primary key,
  last bigint not null check (last > 0)
) with (fillfactor = 70);
