-- Search documents have `17"` as 17 inches and `USB 3.0` as `usb 3`: products of an earlier version are indexed again by a job, in
-- batches. Until then they are found by their other words, as before.
insert into jobs (id, kind, subject, payload, run_at, attempts_max)
select 'job_00000000000000000000000083', 'catalog.category_renamed', '/', '{"categoryId": null, "after": ""}', 'epoch', 8
where exists (select from products)
on conflict (kind, subject) do nothing;
