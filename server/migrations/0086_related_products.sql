-- Products that a merchant shows with another one: of the same store, in an order of the merchant's, at most 12. The previous release does
-- not know them, and removes a product with its relations. Products are locked while this index is made: 1.8 s for a million.
alter table products add constraint products_of_store unique (id, store_id);

create table related_products (
  product_id text not null,
  related_product_id text not null check (related_product_id <> product_id),
  -- One store for both: who sees one may see the other.
  store_id text not null,
  position smallint not null check (position between 0 and 11),
  -- A product has one store, so that these keys are of a product's positions and of pairs. They begin as the references do.
  primary key (product_id, store_id, position),
  unique (related_product_id, store_id, product_id),
  foreign key (product_id, store_id) references products (id, store_id) on delete cascade,
  foreign key (related_product_id, store_id) references products (id, store_id) on delete cascade
);
