-- Invoices and credit notes: one invoice for each seller of a paid order, and one credit note for each refund and seller. What was
-- issued is never changed. Numbers have no gaps and no doubles: the counter's row is locked from the number to the COMMIT, and a
-- rollback takes the number back with the document (docs/decisions/0099).

create table invoice_counters (
  seller_id text not null references seller_records (seller_id),
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('invoice', 'credit_note')),
  -- Of the date of issue, in UTC.
  year integer not null check (year between 2000 and 9999),
  last integer not null check (last > 0),
  primary key (seller_id, environment, kind, year)
);

create table invoices (
  id text primary key,
  seller_id text not null references seller_records (seller_id),
  environment text not null check (environment in ('test', 'live')),
  kind text not null check (kind in ('invoice', 'credit_note')),
  year integer not null,
  sequence integer not null check (sequence > 0),
  -- 2026-00001, T-2026-00001 in the test environment; credit notes begin with C.
  number text not null generated always as (
    case environment when 'test' then 'T-' else '' end || case kind when 'credit_note' then 'C' else '' end
      || year::text || '-' || case when sequence < 100000 then lpad(sequence::text, 5, '0') else sequence::text end) stored,
  order_id text not null references orders (id),
  -- Of a credit note: the refund, and the invoice that it corrects.
  reference text check (length(reference) between 1 and 64),
  corrects text references invoices (id),
  -- Copies of what was in force, so that the document can be made again as it was.
  seller jsonb not null check (jsonb_typeof(seller) = 'object'),
  facts jsonb not null check (jsonb_typeof(facts) = 'object'),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  -- Minor units.
  currency currency_code not null,
  total bigint not null check (total between 1 and 9007199254740991),
  issued_at timestamptz not null,
  unique (seller_id, environment, kind, year, sequence),
  unique nulls not distinct (order_id, seller_id, reference),
  check ((kind = 'credit_note') = (reference is not null)),
  check ((kind = 'credit_note') = (corrects is not null)),
  check (year = extract(year from issued_at at time zone 'UTC'))
);
create index invoices_of_period on invoices ((issued_at at time zone 'UTC'), id);

-- The PDF as it was first made.
create table invoice_files (
  invoice_id text primary key references invoices (id),
  pdf bytea not null,
  sha256 bytea not null check (sha256 = sha256(pdf)),
  created_at timestamptz not null
);

create trigger invoices_stand before update or delete on invoices for each row execute function published_stands();
create trigger invoice_files_stand before update or delete on invoice_files for each row execute function published_stands();
create trigger invoices_are_kept before truncate on invoices for each statement execute function published_stands();

-- A number is never given back, but by the rollback of its document.
create function invoice_counter_grows() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' or new.last <> old.last + 1 then
    raise exception 'an invoice counter only grows by one' using errcode = 'restrict_violation';
  end if;
  return new;
end
$$;
create trigger invoice_counters_grow before update or delete on invoice_counters
  for each row execute function invoice_counter_grows();
