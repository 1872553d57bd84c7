-- The application may have a role that does not own the tables (docs/decisions/0162). A day of answers is created and dropped while
-- it runs, which takes the owner: these two do it in the owner's name, and only that.
do $$
begin
  execute format('alter function create_answers_partition(date) security definer set search_path = %I, pg_temp', current_schema());
  execute format('alter function drop_answers_before(timestamptz) security definer set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function create_answers_partition(date), drop_answers_before(timestamptz) from public;
