-- Products of an earlier version are indexed again by a job, in batches: with the lengths of their fields, with codes as a whole, and
-- without what follows `for` in a name. Until then they are found by their words, as before.
insert into jobs (id, kind, subject, payload, run_at, attempts_max)
select 'job_00000000000000000000000044', 'catalog.category_renamed', '/', '{"categoryId": null, "after": ""}', 'epoch', 8
where exists (select from products)
on conflict (kind, subject) do nothing;
