-- Gift cards, downloads and license keys are delivered without a parcel. SKUs with license keys are mailed already.
alter table skus add column requires_shipping boolean not null default true;
update skus set requires_shipping = false where id in (select sku_id from licence_pools);
