-- What an intent waits for was told with the ids of SKUs, `keys: 2 of sku_…`. It is told with their codes now, `2 × NOVEL`.
update fulfilment_intents set waiting_for = (
  select left(string_agg(part[1] || ' × ' || coalesce(code, part[2]), ', ' order by place), 500)
  from regexp_matches(waiting_for, '(\d+) of (\w+)', 'g') with ordinality as missing (part, place)
    left join skus on skus.id = part[2])
where waiting_for like 'keys: %';
