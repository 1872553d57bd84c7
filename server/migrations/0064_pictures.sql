-- Uploaded pictures. The files are on disk or in an object store; a row says that all files of a picture are there. It is written
-- before the first file, so that what a killed process leaves is found and removed.
create table pictures (
  -- The beginning of the SHA-256 of what was uploaded: the same file again is the same picture.
  id text primary key check (id ~ '^[0-9a-f]{32}$'),
  -- The folder of its files.
  address text not null unique check (address ~ '^[0-9a-f]{32}-[1-9][0-9]{0,3}$' and starts_with(address, id)),
  -- The file that every client can show, and its size.
  file text not null check (file ~ '^[1-9][0-9]{0,3}[.](jpg|png)$'),
  width integer not null check (width between 1 and 20000),
  height integer not null check (height between 1 and 20000),
  created_at timestamptz not null,
  -- Since when all files are there.
  made_at timestamptz,
  -- When it was first found on no product, category, store, design or order. Null: it is used, or was not looked for.
  unused_since timestamptz
);
-- The oldest first, whether one is used is looked up.
create index pictures_by_age on pictures (created_at);
