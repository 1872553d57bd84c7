-- The list of open disputes, the nearest deadline first.
create index payment_disputes_open on payment_disputes (respond_by) where status = 'open';
