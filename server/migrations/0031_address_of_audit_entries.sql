-- An audit entry says where the request came from, and a failed sign-in is an entry: who reads the log after an intrusion asks
-- for both first.
alter table audit_log add column address text check (length(address) <= 64);
