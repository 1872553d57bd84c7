import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { CategoryLine } from './catalogue-line.ts'
import type { LocalisedText } from './locale.ts'
import { productLinesOf } from './product-lines.ts'
import { findStore, type StoreRecord, storeLineOf } from './store-records.ts'
import type { StoredImage } from './stored.ts'

interface CategoryRow {
  readonly path: readonly string[]
  readonly owned: boolean
  readonly names: LocalisedText
  readonly descriptions: LocalisedText | null
  readonly position: number
  readonly image: StoredImage | null
}
/** The store's own and those of the marketplace that its products stand in, ancestors before those below them. */
const readCategories = statement<CategoryRow>(
  'catalog.read_category_lines',
  `select path, store_id is not null as owned, names, descriptions, position, image from categories category
   where store_id = $1 or id in (select unnest(lineage) from products where store_id = $1)
   order by cardinality(path), path`,
)

/**
 * The catalogue of a store as lines of our own form: the store, its categories, its products, each as it is published or
 * not. Importing them again changes nothing. One page of products is in memory at a time. `null`: there is no such store.
 *
 * @see docs/reference/catalogue-lines.md
 */
export async function exportCatalogue(reader: Reader, storeSlug: string): Promise<AsyncIterable<string> | null> {
  const store = await findStore(reader, storeSlug)
  return store ? linesOf(reader, store) : null
}

async function* linesOf(reader: Reader, store: StoreRecord): AsyncGenerator<string> {
  yield written(storeLineOf(store))
  for (const row of await reader.rows(readCategories, [store.id])) yield written(categoryLine(row, store.slug))
  for await (const line of productLinesOf(reader, store.id)) yield written(line)
}

function written(line: object): string {
  return `${JSON.stringify(line)}\n`
}

function categoryLine({ path, owned, names, descriptions, position, image }: CategoryRow, store: string): CategoryLine {
  return {
    type: 'category',
    path: [...path],
    ...(owned && { owner: 'store' as const, store }),
    names,
    ...(descriptions && { descriptions }),
    position,
    ...(image && { image: image as NonNullable<CategoryLine['image']> }),
  }
}
