-- When the operator of a session last showed who they are. Null for sessions of the previous release: they are asked.
alter table operator_sessions add column proved_at timestamptz;
-- Refunds above this amount, in units of the order's currency, ask who it is.
alter table operator_policy add column proof_for_refunds_over integer not null default 250
  check (proof_for_refunds_over between 0 and 1000000000);
