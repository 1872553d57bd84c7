-- Indexes by which a row finds what belongs to it. Who deletes one looks for what points to it, and without an index reads the whole
-- table for each: a sweep of carts deletes their quotes, and read every checkout session for every quote. Who lists what belongs to one
-- owner reads what belongs to all.

-- Swept with carts, by way of their quotes.
create index checkout_sessions_by_quote on checkout_sessions (quote_id);
-- Of an app, the newest first; and how many of them work.
create index oauth_grants_by_client on oauth_grants (client_id, id);
-- Whoever works for a store no more is signed out.
create index staff_by_store on staff (store_id);
create index staff_sessions_by_staff on staff_sessions (staff_id);
-- Read when the rules of a store have changed, and replaced whole.
create index shipping_zones_by_store on shipping_zones (store_id);
create index shipping_zone_places_by_zone on shipping_zone_places (zone_id, store_id);
-- Of a store, the newest first.
create index promotions_by_store on promotions (store_id, id);
