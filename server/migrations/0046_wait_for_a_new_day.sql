-- Answers of a new day were sometimes refused, because there was no partition for them: to_regclass sees a partition as soon as its
-- transaction has committed, which is a moment before other sessions learn that the table has one more. Its lock is released after that.
create or replace function create_answers_partition(day date) returns void language plpgsql as $$
declare
  name text := 'idempotency_answers_' || to_char(day, 'YYYYMMDD');
begin
  perform pg_advisory_xact_lock(hashtext('idempotency_answers'), 0);
  -- Asked of the table: to_regclass remembers that there was none.
  if exists (select from pg_class where relname = name and relnamespace = current_schema()::regnamespace) then return; end if;
  execute format('create table %I (like idempotency_answers including all)', name);
  execute format('alter table idempotency_answers attach partition %I for values from (%L) to (%L)', name,
    day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
end
$$;
