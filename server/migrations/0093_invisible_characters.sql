-- Words are indexed without soft hyphens and other invisible characters. A job indexes the products of an earlier version again, in
-- batches; until then they are found as before. It begins in an hour, when the earlier version no longer runs: it also writes again the
-- documents of products to which that version has given a price in another currency. The words for corrections are counted after it.
insert into jobs (id, kind, subject, payload, run_at, attempts_max)
select id, kind, subject, payload::jsonb, now() + pause::interval, 8
from (values
  ('job_00000000000000000000000093', 'catalog.category_renamed', '/', '{"categoryId": null, "after": ""}', '1 hour'),
  ('job_00000000000000000000000094', 'catalog.vocabulary', '', '{}', '3 hours')) as later (id, kind, subject, payload, pause)
where exists (select from products)
on conflict (kind, subject) do nothing;
