-- What can be requested after an order was placed: policies of stores, cancellations and after-sales requests. The unique
-- indexes allow one open cancellation per order and one open request per line: they still refuse a repeated request long
-- after its idempotency key has expired.

-- What a store offers. Saved whole as a new version; a version never changes, so that a request is judged
-- by it. A store without a row has version 0, which is our default.
create table order_policies (
  store_id text not null references stores (id) on delete cascade,
  version integer not null check (version > 0),
  -- null: as long as nothing has shipped.
  cancellation_window_minutes integer check (cancellation_window_minutes between 1 and 5256000),
  cancels_automatically boolean not null,
  restocks_canceled boolean not null,
  refunds_canceled_shipping boolean not null,
  delivered_after_days integer not null check (delivered_after_days between 0 and 3650),
  return_within_days integer not null check (return_within_days between 1 and 3650),
  decide_within_days integer not null check (decide_within_days between 1 and 3650),
  instructions text check (length(instructions) between 1 and 2000),
  restocks_returned boolean not null,
  refunds_returned_shipping boolean not null,
  final_sale_sku_ids text[] not null,
  final_sale_product_ids text[] not null,
  final_sale_category_ids text[] not null,
  -- The operator who saved it.
  saved_by text not null check (length(saved_by) between 1 and 200),
  saved_at timestamptz not null,
  primary key (store_id, version)
);

create table order_policy_kinds (
  store_id text not null,
  version integer not null,
  kind text not null check (kind in ('refund_only', 'return', 'exchange', 'repair')),
  offered boolean not null,
  window_days integer not null check (window_days between 0 and 3650),
  automatic boolean not null,
  primary key (store_id, version, kind),
  foreign key (store_id, version) references order_policies (store_id, version) on delete cascade
);

create table cancellations (
  id text primary key,
  order_id text not null references orders (id) on delete cascade,
  status text not null check (status in ('requested', 'approved', 'declined', 'completed')),
  version integer not null check (version > 0),
  scope text not null check (scope in ('full', 'partial')),
  reason text not null check (reason in ('customer_request', 'duplicate', 'address_wrong', 'payment_problem', 'other')),
  note text check (length(note) between 1 and 1000),
  -- The estimated refund; from the approval on, the requested one. Minor units of the order's currency.
  refund_amount bigint not null check (refund_amount between 0 and 9007199254740991),
  -- From store to version: by which it is judged, whatever is saved later.
  policy_versions jsonb not null check (jsonb_typeof(policy_versions) = 'object'),
  decline_reason text check (length(decline_reason) between 1 and 500),
  decided_at timestamptz,
  completed_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null check (updated_at >= created_at),
  -- Each state has its own facts and no others.
  check ((decided_at is null) = (status = 'requested')),
  check ((decline_reason is not null) = (status = 'declined')),
  check ((completed_at is not null) = (status = 'completed'))
) with (fillfactor = 80);
-- One open cancellation of an order.
create unique index cancellations_open on cancellations (order_id) where status in ('requested', 'approved');
create index cancellations_of_order on cancellations (order_id, created_at, id);
-- What an operator has to decide, the oldest first.
create index cancellations_to_decide on cancellations (created_at, id) where status = 'requested';

create table cancellation_lines (
  cancellation_id text not null references cancellations (id) on delete cascade,
  line_id text not null references order_lines (id) on delete cascade,
  position integer not null check (position between 1 and 100),
  quantity integer not null check (quantity between 1 and 999),
  primary key (cancellation_id, line_id),
  unique (cancellation_id, position)
);
create index cancellation_lines_by_line on cancellation_lines (line_id);

create table after_sales (
  id text primary key,
  order_id text not null references orders (id) on delete cascade,
  status text not null check (status in ('requested', 'under_review', 'approved', 'declined', 'awaiting_return', 'in_transit',
                                         'received', 'inspecting', 'resolving', 'completed', 'withdrawn', 'expired')),
  version integer not null check (version > 0),
  kind text not null check (kind in ('refund_only', 'return', 'exchange', 'repair')),
  reason_code text not null check (reason_code in ('defective', 'damaged_in_transit', 'wrong_item', 'missing_item',
                                                   'not_as_described', 'size_or_fit', 'unwanted', 'late_delivery', 'other')),
  description text check (length(description) between 1 and 1000),
  evidence jsonb not null check (jsonb_typeof(evidence) = 'array' and jsonb_array_length(evidence) <= 10),
  -- Minor units of the order's currency.
  refund_estimate bigint not null check (refund_estimate between 0 and 9007199254740991),
  policy_versions jsonb not null check (jsonb_typeof(policy_versions) = 'object'),
  decide_by timestamptz not null,
  approved boolean not null,
  instructions text check (length(instructions) between 1 and 2000),
  return_by timestamptz,
  inspection_accepted boolean,
  inspection_restocks boolean,
  -- What is given back, once that is decided. Minor units.
  refund_amount bigint check (refund_amount between 0 and 9007199254740991),
  decline_reason text check (length(decline_reason) between 1 and 500),
  timeline jsonb not null check (jsonb_typeof(timeline) = 'array' and jsonb_array_length(timeline) between 1 and 200),
  created_at timestamptz not null,
  updated_at timestamptz not null check (updated_at >= created_at),
  -- A refund alone waits for no goods.
  check (kind <> 'refund_only' or status not in ('awaiting_return', 'in_transit', 'received', 'inspecting', 'expired')),
  -- Each state has its own facts and no others.
  check (approved or status in ('requested', 'under_review', 'declined', 'withdrawn')),
  check (not approved or status not in ('requested', 'under_review')),
  check (approved or (instructions is null and return_by is null)),
  check (not approved or (return_by is null) = (kind = 'refund_only')),
  check ((inspection_accepted is null) = (inspection_restocks is null)),
  check (inspection_accepted is null or (kind <> 'refund_only' and status in ('inspecting', 'resolving', 'completed', 'declined'))),
  check (inspection_accepted is not false or status = 'declined'),
  check ((refund_amount is not null) = (status in ('resolving', 'completed'))),
  check ((decline_reason is not null) = (status = 'declined'))
) with (fillfactor = 80);
create index after_sales_of_order on after_sales (order_id, created_at, id);
-- What waits for an operator, the oldest first, and what waits for goods until a time.
create index after_sales_open on after_sales (created_at, id)
  where status not in ('completed', 'declined', 'withdrawn', 'expired');
create index after_sales_awaited on after_sales (return_by) where status = 'awaiting_return';

create table after_sales_lines (
  after_sales_id text not null references after_sales (id) on delete cascade,
  line_id text not null references order_lines (id) on delete cascade,
  position integer not null check (position between 1 and 100),
  quantity integer not null check (quantity between 1 and 999),
  condition text check (condition in ('unopened', 'opened', 'used', 'damaged')),
  exchange_sku_id text references skus (id),
  -- Whether its request is under way. Written together with its state.
  is_open boolean not null,
  primary key (after_sales_id, line_id),
  unique (after_sales_id, position)
);
-- One request under way for a line.
create unique index after_sales_lines_open on after_sales_lines (line_id) where is_open;
create index after_sales_lines_by_line on after_sales_lines (line_id);

-- Whose refund it is that a provider has answered to.
create index order_adjustments_by_reference on order_adjustments (reference);
