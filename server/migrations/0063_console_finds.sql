-- What an operator types into the console's search is the beginning of a number, an address, a name or a code, or a part of a
-- product name. Each is found in an index: without one, every key typed would read the tables of all orders and products.
-- Beginnings are compared by bytes ("C"), so that `>=` and `<` use the index under any collation and in a cached plan.
create index orders_by_number_beginning on orders ((number collate "C"));
create index orders_by_email_beginning on orders ((lower(email) collate "C"));
create index orders_by_recipient_beginning on orders ((lower(shipping_address ->> 'recipientName') collate "C"))
  where shipping_address is not null;
create index customers_by_email_beginning on customers ((email_key collate "C"));
create index customers_by_first_name_beginning on customers ((lower(first_name || ' ' || last_name) collate "C"))
  where first_name is not null and last_name is not null;
create index customers_by_last_name_beginning on customers ((lower(last_name) collate "C")) where last_name is not null;
create index skus_by_code_beginning on skus ((lower(code) collate "C"));
create index product_texts_by_name on product_texts using gin (lower(name) gin_trgm_ops);

-- Stock that runs out. A sale changes these columns anyway; the index holds the few that are low.
create index stock_levels_low on stock_levels (environment, sku_id)
  where offered and counted and when_out = 'deny' and on_hand - held <= 5;

-- Checkouts of a period, for the conversion rate.
create index checkout_sessions_by_age on checkout_sessions (created_at);
