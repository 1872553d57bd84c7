-- An import outlives the request that uploaded it: the file is kept here until a worker, of any node, has read it.

-- `uploading` and `waiting` come before `running`; `canceled` is an end.
alter table catalog_imports drop constraint catalog_imports_status_check;
alter table catalog_imports add constraint catalog_imports_status_check
  check (status in ('uploading', 'waiting', 'running', 'completed', 'failed', 'canceled'));
alter table catalog_imports alter column status set default 'uploading';
alter table catalog_imports drop constraint catalog_imports_check;
alter table catalog_imports add constraint catalog_imports_finished_check
  check ((finished_at is null) = (status in ('uploading', 'waiting', 'running')));
-- A canceled import has a reason unless an operator has canceled it.
alter table catalog_imports drop constraint catalog_imports_check1;
alter table catalog_imports add constraint catalog_imports_failure_check
  check (case status when 'failed' then failure is not null when 'canceled' then true else failure is null end);

-- Imports run in the order of their uploads. The same file again replaces an import that has not ended.
alter table catalog_imports add column uploaded_at timestamptz;
alter table catalog_imports add column sha256 bytea check (length(sha256) = 32);
create index catalog_imports_unfinished on catalog_imports (uploaded_at, id) where status in ('waiting', 'running');

-- The uploaded file, deleted when the import ends.
create table catalog_import_chunks (
  import_id text not null references catalog_imports (id) on delete cascade,
  number integer not null check (number >= 0),
  bytes bytea not null,
  primary key (import_id, number)
);

-- Refused lines, numbered in order. Rows, because the next ones are added while it runs.
create table catalog_import_refusals (
  import_id text not null references catalog_imports (id) on delete cascade,
  number integer not null check (number >= 1),
  line integer not null check (line >= 1),
  reason text not null,
  primary key (import_id, number)
);
insert into catalog_import_refusals (import_id, number, line, reason)
select catalog_imports.id, refusal.number, (refusal.value ->> 'line')::integer, refusal.value ->> 'reason'
from catalog_imports, jsonb_array_elements(catalog_imports.refusals) with ordinality as refusal (value, number);
alter table catalog_imports drop column refusals;
