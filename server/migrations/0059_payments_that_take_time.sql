-- Payments that settle in days, and authorizations that the shop captures (docs/decisions/0103). The previous version leaves such
-- intents alone: it neither polls nor ends them.

alter table payment_intents
  -- Whether an authorization waits for the shop to capture it, as decided when the charge began.
  add column captures_later boolean not null default false,
  -- What is captured of the amount; null: all of it.
  add column capture_amount bigint,
  -- Until when the provider keeps an authorization, or a delayed payment is waited for.
  add column expires_at timestamptz,
  drop constraint payment_intents_status_check,
  drop constraint payment_intents_refunds,
  add constraint payment_intents_status_check check (status in ('created', 'submitted', 'requires_action', 'pending', 'authorized',
    'succeeded', 'failed', 'canceled', 'unknown', 'reconciling')),
  add constraint payment_intents_refunds check (
    refund_asked between 0 and case kind when 'charge' then coalesce(capture_amount, amount) else 0 end),
  add constraint payment_intents_capture check (
    capture_amount is null or (capture_amount between 1 and amount and captures_later)),
  add constraint payment_intents_later check (kind = 'charge' or not captures_later),
  add constraint payment_intents_delayed check (
    status not in ('pending', 'authorized') or (kind = 'charge' and step = 'authorize' and expires_at is not null)),
  add constraint payment_intents_reserved check (status <> 'authorized' or captures_later);

-- What of an authorization was not captured lowers what is owed.
alter table order_adjustments
  drop constraint order_adjustments_kind_check,
  add constraint order_adjustments_kind_check check (kind in ('cancellation', 'refund', 'return', 'correction', 'release'));
