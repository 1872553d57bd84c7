-- Words are indexed without soft hyphens and other invisible characters. A job has the products of an earlier version indexed again once
-- that version no longer runs; until then they are found as before. It also writes again the documents of products to which that version
-- has given a price in another currency.
insert into jobs (id, kind, subject, payload, run_at, attempts_max)
select 'job_00000000000000000000000093', 'catalog.reindex_all', '', '{}', 'epoch', 8
where exists (select from products)
on conflict (kind, subject) do nothing;
