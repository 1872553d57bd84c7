-- A rotated key names its successor: it is rotated once, and an expiry set by the rotation differs from a requested one.

alter table api_keys
  add column replaced_by text unique references api_keys (id) check (replaced_by <> id),
  add constraint api_keys_replaced_end check (replaced_by is null or expires_at is not null);
