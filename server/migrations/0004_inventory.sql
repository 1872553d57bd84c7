-- Stock, for each environment by itself, so that a test sale never takes live stock. That nothing is sold twice rests on
-- the constraints here and not on the code that counts.

create table stock_levels (
  sku_id text not null references skus (id) on delete cascade,
  environment text not null check (environment in ('test', 'live')),
  -- The SKU's product, and whether the SKU is offered: a list asks for products in stock without reading SKUs.
  product_id text not null,
  offered boolean not null default true,
  -- False: the stock is not counted, and the SKU is always in stock.
  counted boolean not null,
  on_hand integer not null default 0,
  held integer not null default 0 check (held >= 0),
  available integer not null generated always as (on_hand - held) stored,
  -- What selling beyond the stock is.
  when_out text not null default 'deny' check (when_out in ('deny', 'backorder', 'preorder')),
  -- The number of the last import. Importing the same number again does not reset the count after sales.
  declared integer,
  updated_at timestamptz not null,
  primary key (sku_id, environment),
  check (on_hand >= held)
);
create index stock_levels_sellable on stock_levels (environment, product_id)
  where offered and (not counted or on_hand > held);
