-- Indexes on foreign keys. Deleting a row searches for the rows that reference it, and without an index reads their whole table
-- each time: a sweep of carts deletes their quotes, and read every checkout session for every quote. Without an index, listing
-- the rows of one owner reads the rows of all.

-- Swept with carts, by way of their quotes.
create index checkout_sessions_by_quote on checkout_sessions (quote_id);
-- Of an app, the newest first; and how many of them work.
create index oauth_grants_by_client on oauth_grants (client_id, id);
-- Staff who no longer work for a store are signed out.
create index staff_by_store on staff (store_id);
create index staff_sessions_by_staff on staff_sessions (staff_id);
-- Read when the rules of a store have changed, and replaced whole.
create index shipping_zones_by_store on shipping_zones (store_id);
create index shipping_zone_places_by_zone on shipping_zone_places (zone_id, store_id);
-- Of a store, the newest first.
create index promotions_by_store on promotions (store_id, id);
