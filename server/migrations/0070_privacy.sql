-- What is known about a person can be exported and erased (docs/decisions/0123). What was changed about a shopper's objects leaves the
-- audit log, which is never changed, for a table that an erasure may delete from. Who did what, when and to which id stays.
create table audit_values (
  audit_id text primary key references audit_log (id),
  subject_id text not null,
  before jsonb check (jsonb_typeof(before) = 'object'),
  after jsonb check (jsonb_typeof(after) = 'object')
);
create index audit_values_by_subject on audit_values (subject_id);
create function refuse_change_of_audit_values() returns trigger language plpgsql as $$
begin
  raise exception 'the values of an audit entry are erased, and never changed';
end
$$;
create trigger audit_values_stand before update or truncate on audit_values
  for each statement execute function refuse_change_of_audit_values();

insert into audit_values (audit_id, subject_id, before, after)
  select id, subject_id, before, after from audit_log
  where subject_type in ('order', 'after_sales', 'cancellation', 'fulfilment', 'payment', 'customer')
    and (before is not null or after is not null);
alter table audit_log disable trigger audit_log_stands;
update audit_log set before = case when before is not null then '{}'::jsonb end,
    after = case when after is not null then '{}'::jsonb end
  where id in (select audit_id from audit_values);
alter table audit_log enable trigger audit_log_stands;

-- Invoices, their files and the proofs of VAT numbers are kept for as long as the law requires. Then the buyer is erased from them, and
-- nothing else: numbers, lines and totals stay.
alter table orders add column erased_at timestamptz;
create index orders_to_erase on orders (placed_at) where erased_at is null;
alter table invoices add column erased_at timestamptz;
create index invoices_to_erase on invoices (issued_at) where erased_at is null;

create function only_erased() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and tg_table_name = 'invoices' then
    if old.erased_at is null and new.erased_at is not null
      -- The number is generated from the others, and only after this.
      and to_jsonb(new) - array['facts', 'erased_at', 'number'] = to_jsonb(old) - array['facts', 'erased_at', 'number']
    then return new; end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'invoice_files' then
    if exists (select from invoices where id = old.invoice_id and erased_at is not null) then return old; end if;
  elsif tg_op = 'DELETE' and tg_table_name = 'order_vat_checks' then
    if exists (select from orders where id = old.order_id and erased_at is not null) then return old; end if;
  end if;
  raise exception 'what was published is never changed: %', tg_table_name using errcode = 'restrict_violation';
end
$$;
drop trigger invoices_stand on invoices;
create trigger invoices_stand before update or delete on invoices for each row execute function only_erased();
drop trigger invoice_files_stand on invoice_files;
create trigger invoice_files_stand before update or delete on invoice_files for each row execute function only_erased();
drop trigger order_vat_checks_stand on order_vat_checks;
create trigger order_vat_checks_stand before update or delete on order_vat_checks
  for each row execute function only_erased();

-- How long data is kept. Null: until someone erases it.
create table retention_settings (
  only_row boolean primary key default true check (only_row),
  order_years integer check (order_years between 1 and 30),
  closed_account_days integer check (closed_account_days between 1 and 3650),
  ended_cart_days integer not null check (ended_cart_days between 1 and 365),
  mail_days integer not null check (mail_days between 1 and 365),
  search_days integer not null check (search_days between 1 and 730),
  version integer not null check (version > 0),
  updated_at timestamptz not null
);

alter table customer_consents drop constraint customer_consents_source_check,
  add constraint customer_consents_source_check check (source in ('registration', 'account', 'operator'));
