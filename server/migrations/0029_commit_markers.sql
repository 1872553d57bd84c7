-- A transaction leaves a marker, so that a COMMIT whose answer was lost is resolved by a fact. Its id would not do:
-- PostgreSQL gives the ids of transactions that a crash has lost out again.
-- A void marker is written by who looks for it in vain, and makes a COMMIT that comes later fail.
-- Kept for an hour, so that it is small enough to be swept without an index.
create table commit_markers (
  id uuid primary key,
  is_void boolean not null default false,
  created_at timestamptz not null
);
