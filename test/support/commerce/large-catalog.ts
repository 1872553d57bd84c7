import { connectDirectly, type DirectClient } from '../../../server/src/platform/postgres/direct-client.ts'

/** The stores of a generated catalog, with their share of the products. The last one is gated. */
const STORES = [
  {
    id: 'store_00000000000000000000000000',
    slug: 'large',
    currencies: ['EUR'],
    locales: ['en'],
    from: 0,
    mode: 'open',
  },
  {
    id: 'store_00000000000000000000000001',
    slug: 'bilingual',
    currencies: ['EUR', 'USD'],
    locales: ['en', 'de'],
    from: 0.7,
    mode: 'open',
  },
  {
    id: 'store_00000000000000000000000002',
    slug: 'german',
    currencies: ['EUR'],
    locales: ['de'],
    from: 0.85,
    mode: 'open',
  },
  {
    id: 'store_00000000000000000000000003',
    slug: 'gated',
    currencies: ['EUR'],
    locales: ['en'],
    from: 0.97,
    mode: 'password',
  },
] as const

/** Products per transaction. */
const BATCH = 50_000

/** Root categories, branches per root, leaves per branch. */
const [ROOTS, BRANCHES, LEAVES] = [20, 10, 8]

const FILLED = ['products', 'product_texts', 'skus', 'prices', 'stock_levels', 'listings', 'search_documents']

// A pseudorandom number in [0, 1) for a product: the same for the same product, in any batch.
const FUNCTIONS = `
  create function pg_temp.u(n bigint, salt text) returns float8 immutable parallel safe language sql return
    (hashint8extended(n, hashtext(salt)) & 1073741823) / 1073741824.0;
  create function pg_temp.category(root bigint, branch bigint, leaf bigint) returns text immutable language sql return
    'cat_' || lpad(root || '', 10, '0') || lpad(coalesce(branch, 99) || '', 8, '0') || lpad(coalesce(leaf, 99) || '', 8, '0');`

const CATEGORIES = `
  insert into categories (id, parent_id, path, lineage, names, created_at, updated_at)
  select pg_temp.category(root, branch, leaf),
    case when branch is null then null when leaf is null then pg_temp.category(root, null, null)
      else pg_temp.category(root, branch, null) end,
    array_remove(array['root-' || root, 'branch-' || root || '-' || branch, 'leaf-' || root || '-' || branch || '-' || leaf], null),
    array_remove(array[pg_temp.category(root, null, null),
      case when branch is not null then pg_temp.category(root, branch, null) end,
      case when leaf is not null then pg_temp.category(root, branch, leaf) end], null),
    jsonb_build_object('en', concat_ws(' ', 'Category', root, branch, leaf)), now(), now()
  from generate_series(0, ${ROOTS - 1}) as root
  cross join lateral (select null::integer as branch union all select generate_series(0, ${BRANCHES - 1})) as branches
  cross join lateral (select null::integer as leaf
    union all select generate_series(0, ${LEAVES - 1}) where branch is not null) as leaves
  order by root, branch nulls first, leaf nulls first`

/**
 * The facts of a batch, from which all tables are filled. Few brands and categories have most of the products; a third of the products
 * has colors and sizes, a fifth a capacity; a tenth of the SKUs is sold out.
 */
const FACTS = `
  create temporary table facts on commit drop as
  select n, 'prod_01' || lpad(to_hex(n), 24, '0') as id, 'thing-' || n as slug,
    store.id as store_id, store.currencies, store.locales,
    case when pg_temp.u(n, 'branded') < 0.95 then 'Brand ' || floor(power(pg_temp.u(n, 'brand'), 3) * 2000) end as brand,
    timestamptz '2020-01-01' + pg_temp.u(n, 'published') * interval '5 years' as published_at,
    array[pg_temp.category(root, null, null), pg_temp.category(root, branch, null), pg_temp.category(root, branch, leaf)]
      || case when pg_temp.u(n, 'more') < 0.1 then array[pg_temp.category(other, null, null)] end as lineage,
    array[pg_temp.category(root, branch, leaf)]
      || case when pg_temp.u(n, 'more') < 0.1 then array[pg_temp.category(other, null, null)] end as category_ids,
    (100 * exp(pg_temp.u(n, 'price') * 7) / 10)::bigint * 10 + 99 as price,
    case when pg_temp.u(n, 'kind') < 0.35 then 'wear' when pg_temp.u(n, 'kind') < 0.55 then 'storage' else 'plain' end as kind,
    initcap((array['plain','useful','small','heavy','bright','quiet','folding','steel'])[1 + (pg_temp.u(n, 'adjective') * 8)::integer % 8]
      || ' ' || (array['lamp','chair','shirt','cable','bottle','keyboard','printer','bag','drill','mug'])[1 + (pg_temp.u(n, 'noun') * 10)::integer % 10])
      || ' ' || n as name
  from generate_series($1::bigint, $2::bigint) as n
  cross join lateral (select floor(power(pg_temp.u(n, 'root'), 2) * ${ROOTS})::bigint as root,
    floor(pg_temp.u(n, 'branch') * ${BRANCHES})::bigint as branch, floor(power(pg_temp.u(n, 'leaf'), 2) * ${LEAVES})::bigint as leaf) as at
  cross join lateral (select (root + 1 + floor(pg_temp.u(n, 'other') * ${ROOTS - 1})::bigint) % ${ROOTS} as other) as also
  join lateral (select * from stores where id = case ${[...STORES]
    .reverse()
    .map(({ id, from }) => `when pg_temp.u(n, 'store') >= ${from} then '${id}'`)
    .join(' ')} end) as store on true`

const SKU_FACTS = `
  create temporary table sku_facts on commit drop as
  select fact.n, fact.id as product_id, nth, 'sku_01' || lpad(to_hex(fact.n * 8 + nth), 24, '0') as id, currencies,
    fact.price + nth * 500 as price,
    case kind
      when 'wear' then jsonb_build_object('color', color, 'size', size)
      when 'storage' then jsonb_build_object('capacity', (array['64', '128', '256', '512', '1024'])[1 + (n + nth) % 5])
      else '{}' end as option_values,
    case kind
      when 'wear' then array['color=' || color, 'size=' || size]
      when 'storage' then array['capacity=' || (array['64', '128', '256', '512', '1024'])[1 + (n + nth) % 5]]
      else '{}' end as said
  from facts fact
  cross join generate_series(0, 3) as nth
  cross join lateral (select
    (array['black','white','blue','red','green','grey','navy','pink','beige','brown','yellow','purple'])[
      1 + floor(power(pg_temp.u(n + nth / 2, 'color'), 2) * 12)::integer] as color,
    (array['xs','s','m','l','xl','xxl'])[1 + (floor(pg_temp.u(n, 'size') * 6)::integer + nth) % 6] as size) as worn
  where nth < case kind when 'plain' then 1 when 'storage' then 2 else 1 + floor(pg_temp.u(n, 'skus') * 4) end`

const DECLARED_OPTIONS = `case kind
  when 'wear' then '[{"name": "color", "values": [{"value": "black", "labels": {"en": "Black"}}]}, {"name": "size", "values": [{"value": "m"}]}]'
  when 'storage' then '[{"name": "capacity", "labels": {"en": "Capacity", "de": "Speicher"}, "values": [{"value": "64"}]}]'
  else '[]' end::jsonb`

const ROWS = [
  `insert into products (id, store_id, external_id, slug, status, brand, published_at, category_ids, lineage, options, created_at, updated_at)
   select id, store_id, n::text, slug, 'published', brand, published_at, category_ids, lineage, ${DECLARED_OPTIONS}, published_at, published_at from facts`,
  `insert into product_texts (product_id, locale, name) select id, unnest(locales), name from facts`,
  `insert into skus (id, product_id, code, option_key, option_values, position, created_at, updated_at)
   select id, product_id, 'C' || n, array_to_string(said, '/'), option_values, nth, now(), now() from sku_facts`,
  `insert into prices (sku_id, currency, amount) select id, unnest(currencies), price from sku_facts`,
  `insert into stock_levels (sku_id, environment, product_id, counted, on_hand, updated_at)
   select id, environment, product_id, true, case when pg_temp.u(n * 8 + nth, 'out') < 0.1 then 0 else 1000 end, now()
   from sku_facts cross join unnest(array['live', 'test']) as environment`,
  `insert into listings (product_id, store_id, currency, locale, price_min, price_max, published_at, name_key, brand, lineage, option_values)
   select fact.id, store_id, currency, locale, cheapest, dearest, published_at, lower(name), brand, lineage, coalesce(said, '{}')
   from facts fact
   join (select product_id, min(price) as cheapest, max(price) as dearest from sku_facts group by product_id) as priced
     on priced.product_id = fact.id
   left join (select product_id, array_agg(distinct value order by value) as said from sku_facts, unnest(said) as value group by product_id) as sold
     on sold.product_id = fact.id
   cross join unnest(currencies) as currency cross join unnest(locales) as locale`,
  `insert into search_documents (product_id, store_id, locale, document, name_length, kind_length, facts_length, description_length,
     product_name, currencies)
   select id, store_id, locale, setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', coalesce(brand, '')), 'B'),
     3, 2, 0, 0, name, currencies from facts cross join unnest(locales) as locale`,
]

const VOCABULARY = `
  insert into search_words (store_id, word, products)
  select store_id, word, count(*) from (
    select distinct store_id, product_id, unnest(tsvector_to_array(document)) as word from search_documents) as said
  where word ~ '[a-z]' group by store_id, word`

export interface LargeCatalog {
  readonly products: number
}

/**
 * Fills an empty, migrated database with a catalog of a thousand to some million products, with SQL instead of an import: a million take
 * minutes. The catalog is the same each time. The user must be a superuser, because triggers and foreign keys are turned off.
 */
export async function writeLargeCatalog(url: string, { products }: LargeCatalog): Promise<void> {
  const client = await connectDirectly(url, 'vitrine large catalog')
  try {
    await client.query(`set session_replication_role = replica; set maintenance_work_mem = '256MB'; ${FUNCTIONS}`)
    await writeStores(client)
    await client.query(CATEGORIES)
    await withoutIndexes(client, FILLED, async () => {
      for (let first = 1; first <= products; first += BATCH) {
        const last = Math.min(products, first + BATCH - 1)
        await client.query('begin')
        await client.query(`${FACTS.replace('$1', String(first)).replace('$2', String(last))}; analyze facts`)
        await client.query(`${SKU_FACTS}; analyze sku_facts`)
        for (const rows of ROWS) await client.query(rows)
        await client.query('commit')
      }
    })
    await client.query(VOCABULARY)
    for (const table of [...FILLED, 'search_words']) await client.query(`vacuum analyze ${table}`)
  } finally {
    await client.end()
  }
}

export async function writeStores(client: DirectClient): Promise<void> {
  for (const { id, slug, currencies, locales, mode } of STORES) {
    await client.query(
      `insert into stores (id, slug, access_mode, currencies, locales, countries, prices_include_tax, names, created_at, updated_at)
       values ($1, $2, $3, $4, $5, '{DE}', true, $6, now(), now())`,
      [id, slug, mode, currencies, locales, JSON.stringify({ en: slug })],
    )
    await client.query('insert into revisions (subject, revision) values ($1, 1)', [`catalog/${id}`])
  }
}

/** Drops the indexes of tables while they are filled, which is several times faster. Indexes of constraints stay. */
export async function withoutIndexes(
  client: DirectClient,
  tables: readonly string[],
  fill: () => Promise<void>,
): Promise<void> {
  const { rows } = await client.query<{ name: string; created: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as created from pg_index
     where indrelid = any($1::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)`,
    [tables],
  )
  for (const { name } of rows) await client.query(`drop index ${name}`)
  await fill()
  for (const { created } of rows) await client.query(created)
}
