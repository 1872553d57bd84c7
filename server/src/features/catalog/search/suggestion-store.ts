import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Kept, keptByRevision } from '../../../platform/revisions/kept-by-revision.ts'
import type { CategoryNames } from '../reading/categories.ts'
import type { StoredImage } from '../stored-json.ts'
import { MARKETPLACE_CATEGORIES } from '../subjects.ts'
import { foldedWords } from '../text-normalization.ts'

/** Known words that begin with `$2`, the most frequent first. `$3` is the first text after all of them. */
const readCompletions = statement<{ word: string; products: bigint }>(
  'catalog.read_completions',
  `select word, sum(products)::bigint as products from search_words
   where store_id = any((select $1::text[])::text[]) and word collate "C" >= (select $2::text) and word collate "C" < (select $3::text)
   group by word order by products desc, word limit $4`,
)
/** A word that is this many times rarer than the first one is left out: a shopper rarely means it. */
const RARE = 100n

/** The known words with this beginning, in these stores. */
export async function completionsOf(
  reader: Reader,
  beginning: string,
  storeIds: readonly string[],
  most: number,
): Promise<readonly string[]> {
  const rows = await reader.rows(readCompletions, [storeIds, beginning, `${beginning}\u{10ffff}`, most])
  return rows.filter(({ products }) => products * RARE >= rows[0]!.products).map(({ word }) => word)
}

export interface FoundRow {
  /** The index of the tsquery that found it. */
  readonly place: number
  readonly product_id: string
  readonly name: string
}

/** The first few products that each tsquery finds: things before accessories, and short names before long ones. */
// Planned once, because the planner cannot see its arrays: with their lengths it planned each time, which took 0.5 of 1.6 ms. Each tsquery
// is made once: as a part of the condition it would be made again for each product. Documents of an earlier version have no name and no
// currencies until a job has written them again.
const readNamed = statement<FoundRow>(
  'catalog.read_named_products',
  `with said as materialized (
     select place, most, to_tsquery($5::text::regconfig, words) as query
     from unnest((select $1::integer[]), (select $3::text[]), (select $4::integer[])) as said (place, words, most))
   select said.place, found.product_id, coalesce(found.product_name,
       (select name from product_texts where product_id = found.product_id and locale = $2),
       (select min(name) from product_texts where product_id = found.product_id)) as name
   from said
   cross join lateral (
     select first.*, first.accessories is not null as is_accessory
     from (
       select document.product_id, document.product_name, document.currencies, document.name_length, document.accessories
       from search_documents document
       where document.document @@ said.query and document.locale = $2
         and document.store_id = any($6::text[]) and document.superseded_by is null
       limit 4 * said.most) as first
     order by is_accessory, first.name_length limit said.most) as found
   where $7 = any(coalesce(found.currencies, array(
     select currency from listings where product_id = found.product_id and locale = $2 and superseded_by is null)))
   order by said.place, found.is_accessory, found.name_length, found.product_id`,
)

interface SuggestionSearch {
  readonly locale: string
  readonly configuration: string
  readonly currency: string
  readonly storeIds: readonly string[]
  /** The tsqueries, each with its maximum number of products. */
  readonly queries: readonly { readonly words: string; readonly most: number }[]
}

/** The listed products that have the words, a few for each query. */
export function namedProducts(reader: Reader, search: SuggestionSearch): Promise<FoundRow[]> {
  const { locale, configuration, currency, storeIds, queries } = search
  return reader.rows(readNamed, [
    queries.map((_, index) => index),
    locale,
    queries.map(({ words }) => words),
    queries.map(({ most }) => most),
    configuration,
    storeIds,
    currency,
  ])
}

/** A product as a suggestion shows it. */
export interface ShownRow {
  readonly id: string
  readonly slug: string
  readonly image: StoredImage | null
  readonly store_id: string
  readonly price_min: bigint
  readonly price_max: bigint
}

// A product is listed in each language with the same prices.
const readShown = statement<ShownRow>(
  'catalog.read_suggested_products',
  `select product.id, product.slug, product.images -> 0 as image, listing.*
   from products product cross join lateral (
     select store_id, price_min, price_max from listings
     where product_id = product.id and currency = $2 and superseded_by is null limit 1) as listing
   where product.id = any((select $1::text[])::text[])`,
)

/** The listed products as suggestions show them, by id. */
export async function shownOf(
  reader: Reader,
  ids: readonly string[],
  currency: string,
): Promise<ReadonlyMap<string, ShownRow>> {
  if (ids.length === 0) return new Map()
  return new Map((await reader.rows(readShown, [ids, currency])).map((row) => [row.id, row]))
}

/** A category with the words of its names. */
export interface NamedCategory extends CategoryNames {
  /** The folded words of each of its names. */
  readonly words: readonly (readonly string[])[]
}

// The shortest names first, which is their order in suggestions.
const readCategoryNames = statement<CategoryNames>(
  'catalog.read_all_category_names',
  'select id, slug, names from categories where archived_at is null order by length(names::text), id',
)

/** Keeps the names of all categories in memory until one changes. There are thousands at most. */
export function cachedCategoryNames(primary: Reader): Kept<readonly NamedCategory[]> {
  return keptByRevision([MARKETPLACE_CATEGORIES], () => categoryNames(primary))
}

export async function categoryNames(reader: Reader): Promise<readonly NamedCategory[]> {
  const rows = await reader.rows(readCategoryNames)
  return rows.map((row) => ({ ...row, words: Object.values(row.names).map(foldedWords) }))
}

const readSuggestedCategories = statement<CategoryNames>(
  'catalog.read_suggested_categories',
  `select category.id, category.slug, category.names from categories category
   where category.id = any((select $2::text[])::text[]) and category.archived_at is null
     and (category.store_id is null or category.store_id = any($1::text[]))
     and exists (select from listings listing where listing.lineage @> array[category.id] and listing.currency = $3
       and listing.store_id = any($1::text[]) and listing.superseded_by is null)`,
)

/** The given categories that have products in the currency, in the given order. */
export async function suggestedCategories(
  reader: Reader,
  ids: readonly string[],
  { storeIds, currency }: { readonly storeIds: readonly string[]; readonly currency: string },
): Promise<readonly CategoryNames[]> {
  if (ids.length === 0) return []
  const rows = await reader.rows(readSuggestedCategories, [storeIds, ids, currency])
  return rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
}
