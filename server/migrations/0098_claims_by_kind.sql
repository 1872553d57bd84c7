-- Each runner claims some kinds only. By `run_at` alone it read all due jobs of the other kinds with each claim: behind 100,000 mails
-- that a silent mail server held up, 0.4 s, once a second and for each of the six runners.
create index jobs_due on jobs (kind, run_at) where dead_at is null;
-- Jobs whose worker may have died during their last attempt, looked for with each claim.
create index jobs_last_attempt on jobs (lease_until) where dead_at is null and attempts >= attempts_max;
