-- What staff write on orders: notes with their author, and tags to find orders by. Shoppers and installations never see either.
-- Both hang on the order, so that what erases its person finds them.
create table order_notes (
  id text primary key,
  order_id text not null references orders (id) on delete cascade,
  text text not null check (length(text) between 1 and 2000),
  -- As in the audit log.
  author text not null check (length(author) between 1 and 254),
  at timestamptz not null
);
create index order_notes_of_order on order_notes (order_id, at, id);

create table order_tags (
  tag text not null check (length(tag) between 1 and 40 and tag = btrim(tag)),
  order_id text not null references orders (id) on delete cascade,
  -- The list of one tag, and all tags without reading each row.
  primary key (tag, order_id)
);
create index order_tags_of_order on order_tags (order_id, tag);

-- Where goods are sent back to: of a store's policy, and of a request as it was approved.
alter table order_policies add column return_address text check (length(return_address) between 1 and 500);
alter table after_sales add column return_address text check (length(return_address) between 1 and 500);

-- The last column of the board of returns: what has ended, the last one first.
create index after_sales_ended on after_sales (updated_at desc, id desc)
  where status in ('completed', 'declined', 'withdrawn', 'expired');
