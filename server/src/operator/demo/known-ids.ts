import { readDemoLines } from '../../../demo/index.ts'
import type { CategoryLine, StoreLine } from '../../features/catalog/index.ts'
import { present } from '../../kernel/assert.ts'
import { type Reader, statement } from '../../platform/postgres/index.ts'

type Ids = ReadonlyMap<string, string>

/** The ids of the slugs in the demo data. */
export interface KnownIds {
  readonly stores: Ids
  readonly products: Ids
  readonly categories: Ids
}

interface Named {
  readonly slug: string
  readonly id: string
}

const storesBySlug = statement<Named>('demo.stores', 'select slug, id from stores where slug = any($1)')
const productsOfStores = statement<Named>('demo.products', 'select slug, id from products where store_id = any($1)')
const categoriesBySlug = statement<Named>(
  'demo.categories',
  'select slug, id from categories where store_id is null and slug = any($1)',
)

export function demoStores(): string[] {
  return readDemoLines('stores.jsonl').map((line) => (JSON.parse(line) as StoreLine).slug)
}

export async function findKnownIds(reader: Reader): Promise<KnownIds> {
  const slugs = readDemoLines('categories.jsonl').map((line) => (JSON.parse(line) as CategoryLine).path.at(-1))
  const stores = await reader.rows(storesBySlug, [demoStores()])
  const [products, categories] = await Promise.all([
    reader.rows(productsOfStores, [stores.map(({ id }) => id)]),
    reader.rows(categoriesBySlug, [slugs]),
  ])
  return { stores: idsBySlug(stores), products: idsBySlug(products), categories: idsBySlug(categories) }
}

function idsBySlug(rows: readonly Named[]): Ids {
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** Parses data of the demo, with ids in place of the slugs of stores, products and categories. */
export function parseWithIds<Data>(json: string, { stores, products, categories }: KnownIds): Data {
  const idsOf = (known: Ids, slugs: unknown) => (slugs as string[]).map((slug) => present(known.get(slug), slug))
  return JSON.parse(json, (key, value: unknown) => {
    if (key === 'storeId') return idsOf(stores, [value])[0]
    if (key === 'storeIds') return idsOf(stores, value)
    if (key === 'productIds') return idsOf(products, value)
    if (key === 'categoryIds') return idsOf(categories, value)
    return value
  }) as Data
}
