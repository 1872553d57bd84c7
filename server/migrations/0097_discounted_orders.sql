-- The orders that a promotion discounted are counted for promotions without a limit, and when a limit is set. Without these indexes,
-- that read the lines of every order since the promotion was created (docs/decisions/0180). Lines without a discount are in no index.
create index order_lines_discounted on order_lines using gin (discount_allocations jsonb_path_ops)
  where discount_allocations <> '[]';
create index order_shipping_discounted on order_shipping using gin (discount_allocations jsonb_path_ops)
  where discount_allocations <> '[]';
