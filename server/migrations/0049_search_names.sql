-- Search documents have the whole name of a product and its categories as terms: products of an earlier version are indexed again
-- by a job, in batches. Until then they are found by their words, as before.
insert into jobs (id, kind, subject, payload, run_at, attempts_max)
select 'job_00000000000000000000000049', 'catalog.category_renamed', '/', '{"categoryId": null, "after": ""}', 'epoch', 8
where exists (select from products)
on conflict (kind, subject) do nothing;
-- The nearest words of all texts, for misspelled ones that no name has.
create index search_terms_by_trigram on search_terms using gist (term gist_trgm_ops);
