-- How often each query was searched on a day, written every minute from what each process has counted. No account, address or
-- session is kept. A text that looks like an email address or a number of someone is counted under the empty query, and operators see a query
-- only once it was searched several times. A name that someone types is a query like any other.
create table search_counts (
  day date not null,
  locale text not null,
  -- Folded words.
  query text not null check (length(query) <= 80),
  searches integer not null check (searches > 0),
  found_nothing integer not null check (found_nothing between 0 and searches),
  corrected integer not null check (corrected between 0 and searches),
  -- Searches that showed what an operator has set.
  edited integer not null check (edited between 0 and searches),
  corrected_to text,
  primary key (day, locale, query)
);
