-- Operators who see one store alone. Null: the whole marketplace, as all of them before. The previous release ignores it: narrow
-- operators once it no longer runs.
alter table operators add column store_id text references stores (id);
create index operators_by_store on operators (store_id) where store_id is not null;
alter table operators add constraint operators_owner_sees_all check (role <> 'owner' or store_id is null);
-- The lists of such an operator.
create index orders_by_store on orders (store_id, ((placed_at at time zone 'UTC')) desc, id desc) where store_id is not null;
