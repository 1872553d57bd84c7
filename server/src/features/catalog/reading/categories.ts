import { CATEGORY_TREE_MAX, type Category } from '@vitrine/contract'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type LocalizedText, localeOfText, presentPicture, type StoredImage, textIn } from '../stored-json.ts'
import { sortKey } from '../text-normalization.ts'
import type { Market } from './market-context.ts'
import { storeReference } from './store-view.ts'

interface CategoryRow {
  readonly id: string
  readonly store_id: string | null
  readonly parent_id: string | null
  readonly path: readonly string[]
  readonly slug: string
  readonly position: number
  readonly names: LocalizedText
  readonly descriptions: LocalizedText | null
  readonly image: StoredImage | null
  readonly products: number
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

/** The categories of the marketplace and of these stores, without archived ones, with the number of their published products. */
// By lineage first: 67 ms instead of 104 for 19,406 products.
const readCategories = statement<CategoryRow>(
  'catalog.read_categories',
  `select category.id, category.store_id, category.parent_id, category.path, category.slug, category.position,
     category.names, category.descriptions, category.image, category.version, category.created_at, category.updated_at,
     coalesce(counted.products, 0)::integer as products
   from categories category
   left join (
     select above as category_id, sum(products) as products
     from (
       select lineage, count(*) as products from products
       where store_id = any($1::text[]) and status = 'published' group by lineage
     ) as grouped, unnest(lineage) as above
     group by above
   ) counted on counted.category_id = category.id
   where (category.store_id is null or category.store_id = any($1::text[])) and category.archived_at is null`,
)

/** Leaves out the last categories of the lowest levels if the tree is too large for one answer. Parents stay before their children. */
export function upperLevels(categories: readonly Category[]): Category[] {
  if (categories.length <= CATEGORY_TREE_MAX) return [...categories]
  const byLevel = categories.toSorted((a, b) => a.path.length - b.path.length)
  const shown = new Set(byLevel.slice(0, CATEGORY_TREE_MAX))
  return categories.filter((category) => shown.has(category))
}

/** The category tree of a market, parents before children. */
export async function listCategories(reader: Reader, market: Market): Promise<Category[]> {
  return inTreeOrder(await reader.rows(readCategories, [storeIdsOf(market)]), market).map((row) =>
    presentCategory(row, market),
  )
}

/** The category tree without marketplace categories that have no products in this market. */
export async function listCategoriesInUse(reader: Reader, market: Market): Promise<Category[]> {
  const rows = await reader.rows(readCategories, [storeIdsOf(market)])
  const inUse = rows.filter((row) => row.products > 0 || row.store_id !== null)
  return inTreeOrder(inUse, market).map((row) => presentCategory(row, market))
}

function storeIdsOf(market: Market): readonly string[] {
  return [...market.storesById.keys()]
}

/** Parents before children; siblings by position, then by name. */
function inTreeOrder(rows: readonly CategoryRow[], market: Market): readonly CategoryRow[] {
  const known = new Set(rows.map((row) => row.id))
  const keys = new Map(rows.map((row) => [row.id, sortKey(nameOf(row, market))]))
  const before = (a: CategoryRow, b: CategoryRow) =>
    a.position - b.position || compareText(keys.get(a.id)!, keys.get(b.id)!) || compareText(a.id, b.id)
  const children = Map.groupBy(rows.toSorted(before), (row) =>
    row.parent_id !== null && known.has(row.parent_id) ? row.parent_id : '',
  )
  const withDescendants = (row: CategoryRow): CategoryRow[] => [
    row,
    ...(children.get(row.id) ?? []).flatMap(withDescendants),
  ]
  return (children.get('') ?? []).flatMap(withDescendants)
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function nameOf(row: CategoryRow, market: Market): string {
  return textIn(row.names, market.locale, market.defaultLocale) ?? row.slug
}

function presentCategory(row: CategoryRow, market: Market): Category {
  const text = (texts: LocalizedText | null | undefined) => textIn(texts, market.locale, market.defaultLocale)
  const name = nameOf(row, market)
  const description = text(row.descriptions)
  const image = presentPicture(row.image, text, name)
  const store = row.store_id === null ? undefined : market.storesById.get(row.store_id)
  return {
    id: row.id,
    slug: row.slug,
    name,
    locale: localeOfText(row.names, market.locale, market.defaultLocale) ?? market.locale,
    ...(description ? { description } : {}),
    ...(row.parent_id ? { parentId: row.parent_id } : {}),
    path: [...row.path],
    position: row.position,
    productCount: row.products,
    ...(image ? { image } : {}),
    ...(store ? { store: storeReference(store, text) } : {}),
    version: row.version,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  }
}

/** `$3` are the last slugs of the names: of the slugs and the paths, by which the index finds them. */
const findCategories = statement<{ id: string }>(
  'catalog.find_categories',
  `select id from categories
   where (id = any((select $1::text[])::text[]) or slug = any((select $3::text[])::text[]))
     and (store_id is null or store_id = any($2::text[])) and archived_at is null
     and (id = any($1::text[]) or slug = any($1::text[]) or array_to_string(path, '/') = any($1::text[]))`,
)

/** The ids of categories given by id, slug or path. A slug may match several. */
export async function findCategoryIds(
  reader: Reader,
  names: readonly string[],
  market: Market,
): Promise<readonly string[]> {
  const slugs = names.map((name) => name.split('/').at(-1)!)
  return (await reader.rows(findCategories, [names, storeIdsOf(market), slugs])).map((row) => row.id)
}

/** The names of a category. */
export interface CategoryNames {
  readonly id: string
  readonly slug: string
  readonly names: LocalizedText
}

const readNames = statement<CategoryNames>(
  'catalog.read_category_names',
  'select id, names, slug from categories where id = any((select $1::text[])::text[])',
)

/** Category names in the language of the market, by id: from `known`, or read if it is absent. */
export async function categoryLabels(
  reader: Reader,
  ids: readonly string[],
  { locale, defaultLocale }: Pick<Market, 'locale' | 'defaultLocale'>,
  known?: readonly CategoryNames[],
): Promise<ReadonlyMap<string, string>> {
  const wanted = new Set(ids)
  const rows = known?.filter(({ id }) => wanted.has(id)) ?? (await reader.rows(readNames, [ids]))
  return new Map(rows.map((row) => [row.id, textIn(row.names, locale, defaultLocale) ?? row.slug]))
}
