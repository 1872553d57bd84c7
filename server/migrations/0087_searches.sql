-- Counts what an import has written, for PostgreSQL's plans: PostgreSQL itself does it up to a minute later, and until then a search
-- takes several times as long.
create function analyze_catalog(changed bigint) returns void language plpgsql as $$
declare
  name text;
begin
  -- The share of changes that autovacuum waits for.
  if changed < (select 0.1 * reltuples from pg_class where oid = 'products'::regclass) then return; end if;
  foreach name in array array['categories', 'products', 'product_texts', 'skus', 'prices', 'stock_levels', 'listings',
    'search_documents', 'search_words'] loop
    execute format('analyze %I', name);
  end loop;
end
$$;

do $$
begin
  -- In the name of the owner, who alone may.
  execute format('alter function analyze_catalog(bigint) security definer set search_path = %I, pg_temp', current_schema());
end
$$;
revoke execute on function analyze_catalog(bigint) from public;

-- Misspelled words are looked up by their first letters, or by all but the first one. In the order of their trigrams it took three times as
-- long and more.
create index search_words_by_rest on search_words (substr(word, 2));
create index search_terms_by_beginning on search_terms (locale, term collate "C") include (documents);
create index search_terms_by_rest on search_terms (locale, substr(term, 2));
drop index search_terms_by_trigram;
drop index search_words_by_trigram;
