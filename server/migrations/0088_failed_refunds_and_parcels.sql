-- The refunds that operators have to retry or to pay another way. Few of all refunds fail.
create index order_adjustments_failed on order_adjustments (order_id) where state = 'failed';

-- Parcels in transit of orders that earlier versions imported have no intent, so that their delivery could not be recorded. An intent
-- has one store: a parcel of several is listed with the store of its first line. Part 1 is what is left to ship.
create temporary table parcels_in_transit on commit drop as
select parcel.*, orders.environment, line.store_id,
  coalesce((select max(part) from fulfilment_intents intent
    where intent.order_id = orders.id and intent.store_id = line.store_id and intent.method = 'manual'), 1)
    + row_number() over (partition by orders.id, line.store_id order by parcel.position) as part
from order_parcels parcel join orders on orders.id = parcel.order_id
  join order_parcel_lines packed on packed.parcel_id = parcel.id and packed.position = 1
  join order_lines line on line.id = packed.line_id
where parcel.status = 'dispatched' and not exists (select from fulfilment_intents where id = parcel.id);

insert into fulfilment_intents (id, order_id, store_id, environment, method, part, status, reference, carrier, tracking_number,
  tracking_url, dispatched_at, version, created_at, updated_at)
select id, order_id, store_id, environment, 'manual', part, 'dispatched', id, carrier, tracking_number,
  tracking_url, dispatched_at, 2, dispatched_at, dispatched_at
from parcels_in_transit;

insert into fulfilment_units (intent_id, order_line_id, quantity)
select parcel.id, line.id, packed.quantity
from parcels_in_transit parcel join order_parcel_lines packed on packed.parcel_id = parcel.id
  join order_lines line on line.id = packed.line_id and line.store_id = parcel.store_id;
