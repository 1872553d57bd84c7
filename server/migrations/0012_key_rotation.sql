-- A rotated key knows its successor: it is rotated once, and the end that rotation gave it is told from one that was wished.

alter table api_keys
  add column replaced_by text unique references api_keys (id) check (replaced_by <> id),
  add constraint api_keys_replaced_end check (replaced_by is null or expires_at is not null);
