-- The refunds that operators have to retry or to pay another way. Few of all refunds fail.
create index order_adjustments_failed on order_adjustments (order_id) where state = 'failed';
