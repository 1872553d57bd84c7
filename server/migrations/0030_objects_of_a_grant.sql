-- An access token that the staff of one store granted reaches what is of that store alone, and the webhooks and hosted logins
-- that its own grant created, which end with the grant.

alter table webhook_endpoints add column grant_id text references oauth_grants (id) on delete cascade;
create index webhook_endpoints_by_grant on webhook_endpoints (grant_id) where grant_id is not null;
alter table hosted_logins add column grant_id text references oauth_grants (id) on delete cascade;
create index hosted_logins_by_grant on hosted_logins (grant_id) where grant_id is not null;
alter table customer_tokens add column grant_id text references oauth_grants (id) on delete cascade;
create index customer_tokens_by_grant on customer_tokens (grant_id) where grant_id is not null;

-- Whichever statement revokes a grant ends what it owns: an endpoint that outlives its grant keeps sending.
create function end_objects_of_grant() returns trigger language plpgsql as $$
begin
  delete from webhook_endpoints where grant_id = new.id;
  delete from hosted_logins where grant_id = new.id;
  delete from customer_tokens where grant_id = new.id;
  return null;
end
$$;
create trigger oauth_grants_revoked after update of revoked_at on oauth_grants
  for each row when (old.revoked_at is null and new.revoked_at is not null) execute function end_objects_of_grant();

-- `store_id` of a session and of an order is from now on the one store of all its lines. Null: several.
update orders set store_id = single.store_id
  from (select order_id, min(store_id) as store_id from order_lines group by order_id having count(distinct store_id) = 1) as single
  where orders.id = single.order_id and orders.store_id is null;
update checkout_sessions set store_id = orders.store_id
  from orders where orders.id = checkout_sessions.order_id and checkout_sessions.store_id is null and orders.store_id is not null;

-- The orders of one store of a marketplace, the newest first.
create index orders_of_store on orders (installation_id, environment, store_id, placed_at desc, id desc)
  where store_id is not null;
