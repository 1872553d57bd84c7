import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText, StoredImage } from '../stored-json.ts'

/** Known words that begin with `$2`, the most frequent first. `$3` is the first text after all of them. */
const readCompletions = statement<{ word: string; products: bigint }>(
  'catalog.read_completions',
  `select word, sum(products)::bigint as products from search_words
   where store_id = any($1::text[]) and word collate "C" >= $2 and word collate "C" < $3
   group by word order by products desc, word limit $4`,
)
/** Of a word that is a hundred times rarer than the first one, a shopper has rarely thought. */
const RARE = 100n

/** The known words that begin so, in these stores. */
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
  readonly store_id: string
  readonly name: string
  readonly price_min: bigint
  readonly price_max: bigint
}

/** Of the first few that a tsquery finds: a thing before its accessories, and a short name before a long one. */
const readNamed = statement<FoundRow>(
  'catalog.read_named_products',
  `select said.place, found.product_id, listing.store_id, listing.price_min, listing.price_max,
     (select name from product_texts where product_id = found.product_id
      order by locale = $2 desc, locale = $6 desc, locale limit 1) as name
   from unnest($1::integer[], $3::text[], $4::integer[]) as said (place, words, most)
   cross join lateral (
     select first.product_id, first.name_length, first.accessories is not null as is_accessory
     from (
       select document.product_id, document.name_length, document.accessories from search_documents document
       where document.document @@ to_tsquery($5::text::regconfig, said.words) and document.locale = $2
         and document.store_id = any($7::text[]) and document.superseded_by is null
       limit 4 * said.most) as first
     order by is_accessory, first.name_length limit said.most) as found
   join listings listing on listing.product_id = found.product_id and listing.currency = $8 and listing.locale = $2
     and listing.superseded_by is null
   order by said.place, found.is_accessory, found.name_length, found.product_id`,
)

export interface SuggestionSearch {
  readonly locale: string
  readonly defaultLocale: string
  readonly configuration: string
  readonly currency: string
  readonly storeIds: readonly string[]
  /** As tsqueries, with how many products each may give. */
  readonly queries: readonly { readonly words: string; readonly most: number }[]
}

/** The listed products that have the words, a few for each query. */
export function namedProducts(reader: Reader, search: SuggestionSearch): Promise<FoundRow[]> {
  const { locale, defaultLocale, configuration, currency, storeIds, queries } = search
  return reader.rows(readNamed, [
    queries.map((_, index) => index),
    locale,
    queries.map(({ words }) => words),
    queries.map(({ most }) => most),
    configuration,
    defaultLocale,
    storeIds,
    currency,
  ])
}

const readShown = statement<{ id: string; slug: string; image: StoredImage | null }>(
  'catalog.read_suggested_products',
  'select id, slug, images -> 0 as image from products where id = any($1::text[])',
)

/** What a suggestion shows of products, by id. */
export async function shownOf(reader: Reader, ids: readonly string[]) {
  if (ids.length === 0) return new Map<string, never>()
  return new Map((await reader.rows(readShown, [ids])).map((row) => [row.id, row]))
}

export interface SuggestedCategoryRow {
  readonly slug: string
  readonly names: LocalizedText
}

/** Folded about as `fold` does: what it finds is compared again. */
const readSuggestedCategories = statement<SuggestedCategoryRow>(
  'catalog.read_suggested_categories',
  `select category.slug, category.names from categories category
   where category.archived_at is null and (category.store_id is null or category.store_id = any($1::text[]))
     and exists (select from jsonb_each_text(category.names) as said (locale, name)
       where strpos(replace(lower(regexp_replace(normalize(name, NFKD), '[\u0300-\u036f]', '', 'g')), 'ß', 'ss'), $2) > 0)
     and exists (select from listings listing where listing.lineage @> array[category.id] and listing.currency = $3
       and listing.store_id = any($1::text[]) and listing.superseded_by is null)
   order by length(category.names::text), category.id limit $4`,
)

/** Categories with a word that contains this one, if they have products in the currency. */
export function suggestedCategories(
  reader: Reader,
  part: string,
  { storeIds, currency }: { readonly storeIds: readonly string[]; readonly currency: string },
  most: number,
): Promise<SuggestedCategoryRow[]> {
  return reader.rows(readSuggestedCategories, [storeIds, part, currency, most])
}
