-- The time zone of a seller decides the day and the year of its invoices and the periods of its reports: at 00:30 on 1 January in
-- Berlin it is still last year in UTC. Existing sellers keep UTC until they name another.
alter table seller_records add column time_zone text not null default 'UTC'
  -- An unknown name is an error.
  check (timestamptz '2026-01-01T00:00:00Z' at time zone time_zone is not null);

-- The day of issue where the seller is, as its document says. Rewrites the table, which is locked meanwhile: a second for 100,000
-- documents. The previous release copies no time zone: its documents are those of UTC.
alter table invoices add column issued_on date not null
  generated always as ((issued_at at time zone coalesce(seller->>'timeZone', 'UTC'))::date) stored;
alter table invoices drop constraint invoices_check2;
alter table invoices add constraint invoices_year check (year = extract(year from issued_on));

-- As before, with the new column.
create or replace function only_erased() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'invoices' then
    if old.erased_at is null and new.erased_at is not null
      -- The number and the day are generated from the others, and only after this.
      and to_jsonb(new) - array['facts', 'erased_at', 'number', 'issued_on']
        = to_jsonb(old) - array['facts', 'erased_at', 'number', 'issued_on']
    then return new; end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'invoice_files' then
    if exists (select from invoices where id = old.invoice_id and erased_at is not null) then return old; end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'order_vat_checks' then
    if exists (select from orders where id = old.order_id and erased_at is not null) then return old; end if;
  end if;
  raise exception 'what was published is never changed: %', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- The documents of a period, for the export and the tax report.
drop index invoices_of_period;
create index invoices_of_period on invoices (issued_on, id);
