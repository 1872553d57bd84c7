-- A hosted login or customer token outlived a new password if it was issued while the password was changed, because the times of the two
-- requests were compared; and a token from before a block was accepted again after it. The number of the credentials is compared instead.
alter table customers add column credential_version integer not null default 0;
alter table hosted_logins add column credential_version integer not null default 0;
alter table customer_tokens add column credential_version integer not null default 0;

-- Whichever statement or release changes the password or blocks the customer: it is counted.
create function count_credentials() returns trigger language plpgsql as $$
begin
  new.credential_version := old.credential_version + 1;
  return new;
end
$$;
create trigger customers_credentials before update of password_hash, status on customers
  for each row when (old.password_hash is distinct from new.password_hash or old.status <> new.status)
  execute function count_credentials();

-- What has ended already stays so.
update hosted_logins set credential_version = -1
  from customers where customers.id = customer_id and (customers.status <> 'active' or password_changed_at > returned_at);
update customer_tokens set credential_version = -1
  from customers where customers.id = customer_id and (customers.status <> 'active' or password_changed_at > customer_tokens.created_at);
