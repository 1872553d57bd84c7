import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText, StoredImage } from '../stored-json.ts'
import type { CategoryLine } from '../writing/line-schema.ts'
import { productLinesOf } from '../writing/product-records.ts'
import { findStore, type StoreRecord, storeLineOf } from '../writing/store-records.ts'

interface CategoryRow {
  readonly path: readonly string[]
  readonly owned: boolean
  readonly names: LocalizedText
  readonly descriptions: LocalizedText | null
  readonly position: number
  readonly image: StoredImage | null
  readonly archived: boolean
}
/** The store's own categories and those of the marketplace that its products are in, ancestors first. */
const readCategories = statement<CategoryRow>(
  'catalog.read_category_lines',
  `select path, store_id is not null as owned, names, descriptions, position, image,
     archived_at is not null as archived from categories category
   where store_id = $1 or id in (select unnest(lineage) from products where store_id = $1)
   order by cardinality(path), path`,
)

/**
 * Exports the catalog of a store as lines: the store, its categories, and all products, published or not. Importing the lines
 * changes nothing. Keeps one page of products in memory. `null` if the store does not exist.
 *
 * @see docs/reference/catalog-lines.md
 */
export async function exportCatalog(reader: Reader, storeSlug: string): Promise<AsyncIterable<string> | null> {
  const store = await findStore(reader, storeSlug)
  return store ? linesOf(reader, store) : null
}

async function* linesOf(reader: Reader, store: StoreRecord): AsyncGenerator<string> {
  yield serialize(storeLineOf(store))
  for (const row of await reader.rows(readCategories, [store.id])) yield serialize(categoryLine(row, store.slug))
  for await (const line of productLinesOf(reader, store.id)) yield serialize(line)
}

function serialize(line: object): string {
  return `${JSON.stringify(line)}\n`
}

function categoryLine(row: CategoryRow, store: string): CategoryLine {
  const { path, owned, names, descriptions, position, image, archived } = row
  return {
    type: 'category',
    path: [...path],
    ...(owned && { owner: 'store' as const, store }),
    names,
    ...(descriptions && { descriptions }),
    position,
    ...(image && { image: image as NonNullable<CategoryLine['image']> }),
    ...(archived && { status: 'archived' as const }),
  }
}
