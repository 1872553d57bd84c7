-- A person may be on the staff of several stores. A unique address told an operator of one store who is on the staff of another.
-- The earlier version finds staff by `email_key`, which therefore stays unique: only the first store of an address has the address there.
alter table staff add column comparable_email text check (length(comparable_email) between 3 and 254);
create unique index staff_once_in_store on staff (store_id, coalesce(comparable_email, email_key));
create index staff_by_email on staff (coalesce(comparable_email, email_key));
