-- Catalog imports through the operator door: their progress and refused lines, stored so that any node can read them while
-- another one imports.

create table catalog_imports (
  id text primary key,
  -- Which store the lines are for that name none.
  store_slug text,
  file_name text check (length(file_name) between 1 and 255),
  format text not null check (format in ('jsonl', 'jsonl.gz', 'csv', 'csv.gz')),
  status text not null default 'running' check (status in ('running', 'completed', 'failed')),
  -- Why it has failed, in a sentence.
  failure text,
  bytes_total bigint check (bytes_total >= 0),
  bytes_read bigint not null default 0 check (bytes_read >= 0),
  lines_read integer not null default 0 check (lines_read >= 0),
  created integer not null default 0 check (created >= 0),
  updated integer not null default 0 check (updated >= 0),
  unchanged integer not null default 0 check (unchanged >= 0),
  refused integer not null default 0 check (refused >= 0),
  -- The first thousand refused lines, each with its reason; the others are counted.
  refusals jsonb not null default '[]' check (jsonb_typeof(refusals) = 'array' and jsonb_array_length(refusals) <= 1000),
  started_at timestamptz not null,
  updated_at timestamptz not null,
  finished_at timestamptz,
  check ((finished_at is null) = (status = 'running')),
  check ((failure is not null) = (status = 'failed'))
);
create index catalog_imports_by_store on catalog_imports (store_slug, id);
