-- Units that were sold beyond the stock were never in stock. Canceling such a sale restocks none of them and restocks all the
-- others; this row tells them apart. Most sales have none.
create table stock_sold_beyond (
  -- The holder, such as a checkout session.
  holder text not null,
  sku_id text not null references skus (id) on delete cascade,
  -- Less those that were canceled since: they are the first that are.
  units integer not null check (units >= 0),
  primary key (holder, sku_id)
);
