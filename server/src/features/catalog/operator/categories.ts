import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import type { LocalizedText, StoredImage } from '../stored-json.ts'
import { MARKETPLACE_CATEGORIES } from '../subjects.ts'
import type { CategoryLine } from '../writing/line-schema.ts'
import { enqueueReindex } from '../writing/reindex-job.ts'

/** A category with all its content. */
export interface CategoryRecord {
  readonly id: string
  /** `null`: owned by the marketplace. */
  readonly store_slug: string | null
  readonly parent_id: string | null
  readonly path: readonly string[]
  readonly lineage: readonly string[]
  readonly names: LocalizedText
  readonly descriptions: LocalizedText | null
  readonly image: StoredImage | null
  readonly position: number
  /** The number of products in it or below it, published or not. */
  readonly products: number
  readonly archived_at: Date | null
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const categoryWith = (
  counted: string,
) => `select category.id, store.slug as store_slug, category.parent_id, category.path, category.lineage,
     category.names, category.descriptions, category.image, category.position, category.archived_at,
     category.version, category.created_at, category.updated_at,
     coalesce(counted.products, 0)::integer as products
   from categories category left join stores store on store.id = category.store_id left join ${counted}`
// By lineage first: 45 ms instead of 100 for 30,000 products.
const COUNTED_ALL = `(select above, sum(products) as products
     from (select lineage, count(*) as products from products group by lineage) as grouped, unnest(lineage) as above
     group by above) counted on counted.above = category.id`
const COUNTED_ONE =
  'lateral (select count(*) as products from products where lineage @> array[category.id]) counted on true'
const readAll = statement<CategoryRecord>(
  'catalog.read_all_categories',
  `${categoryWith(COUNTED_ALL)} where ($1::text is null or category.store_id is null or store.slug = $1)
     and ($2::boolean is null or $2 = (category.archived_at is not null))
     and ($4::text is null or category.id = $5 or array_to_string(category.path, '/') ilike $4
       or exists (select from jsonb_each_text(category.names) name where name.value ilike $4))
   order by category.position, category.path limit $3`,
)
const readPaths = statement<Pick<CategoryRecord, 'path'>>(
  'catalog.read_category_paths',
  `select path from categories
   where store_id is null or store_id = (select id from stores where slug = $1)`,
)
const readOne = statement<CategoryRecord>(
  'catalog.read_category',
  `${categoryWith(COUNTED_ONE)} where category.id = $1`,
)
const readAt = statement<{ id: string }>(
  'catalog.read_category_at',
  `select category.id from categories category left join stores store on store.id = category.store_id
   where category.path = $2::text[] and store.slug is not distinct from $1::text`,
)
const lockAll = statement(
  'catalog.lock_all_categories',
  `select pg_advisory_xact_lock(hashtextextended('categories', 0))`,
)

/** Filters of categories. `null` is no filter. */
interface CategorySearch {
  readonly storeSlug: string | null
  readonly isArchived: boolean | null
  /** A part of a name or of the path, as a pattern. */
  readonly like: string | null
  /** Also found: the category with this id. */
  readonly id: string | null
  readonly limit: number
}

/** Categories of the marketplace and of one or all stores. */
export function listAllCategories(
  reader: Reader,
  { storeSlug, isArchived, like, id, limit }: CategorySearch,
): Promise<CategoryRecord[]> {
  return reader.rows(readAll, [storeSlug, isArchived, limit, like, id])
}

/** The paths that products of a store can name: its own and those of the marketplace, each joined with slashes. */
export async function readCategoryPaths(reader: Reader, storeSlug: string): Promise<ReadonlySet<string>> {
  const rows = await reader.rows(readPaths, [storeSlug])
  return new Set(rows.map(({ path }) => path.join('/')))
}

export function findCategory(reader: Reader, id: string): Promise<CategoryRecord | undefined> {
  return reader.row(readOne, [id])
}

/** A category, locked until the transaction ends. The lock covers all categories. */
export async function lockCategory(tx: Transaction, id: string): Promise<CategoryRecord | undefined> {
  const [, category] = await Promise.all([tx.rows(lockAll), findCategory(tx, id)])
  return category
}

/** The category of a store, or of the marketplace (`null`), at a path. */
export async function findCategoryAt(
  reader: Reader,
  storeSlug: string | null,
  path: readonly string[],
): Promise<CategoryRecord | undefined> {
  const found = await reader.row(readAt, [storeSlug, path])
  return found && findCategory(reader, found.id)
}

/** The line of a category. */
export function categoryLineOf(category: CategoryRecord): CategoryLine {
  const { path, store_slug, names, descriptions, position, image, archived_at } = category
  return {
    type: 'category',
    path: [...path],
    ...(store_slug !== null && { owner: 'store' as const, store: store_slug }),
    names,
    ...(descriptions && { descriptions }),
    position,
    ...(image && { image: image as NonNullable<CategoryLine['image']> }),
    status: archived_at === null ? 'active' : 'archived',
  }
}

const DEPTH_MAX = 6
const deepest = statement<{ depth: number }>(
  'catalog.deepest_below',
  'select max(cardinality(path)) as depth from categories where $1 = any(lineage)',
)
const move = statement(
  'catalog.move_category',
  `update categories set path = $2::text[] || path[$4 + 1:], lineage = $3::text[] || lineage[$4 + 1:],
     parent_id = case when id = $1 then $5 else parent_id end, version = version + 1, updated_at = $6
   where $1 = any(lineage)`,
)

/**
 * The path of a category below a parent, or as a root. Locks all categories. Pass `moved` to check a move.
 *
 * Refusals: `not_found` for the parent, `state_conflict` if the category cannot be there, `name_taken` if the slug is taken.
 */
export async function resolveCategoryPath(
  tx: Transaction,
  place: { readonly parentId: string | null; readonly slug: string; readonly storeSlug: string | null },
  moved: CategoryRecord | null = null,
): Promise<{ readonly path: readonly string[]; readonly parent: CategoryRecord | null }> {
  const { parentId, slug, storeSlug } = place
  await tx.rows(lockAll)
  const parent = parentId === null ? null : ((await findCategory(tx, parentId)) ?? refuse('not_found'))
  if (parent && parent.store_slug !== storeSlug) {
    // A store is not told of the categories of others.
    if (parent.store_slug !== null && storeSlug !== null) refuse('not_found')
    refuseParent('The parent has a different owner.')
  }
  if (parent?.archived_at && !moved?.archived_at) refuseParent('The parent is archived.')
  if (parent && moved && parent.lineage.includes(moved.id)) refuseParent('A category cannot be moved into itself.')
  const path = [...(parent?.path ?? []), slug]
  const below = moved === null ? 0 : present(await tx.row(deepest, [moved.id]), 'itself').depth - moved.path.length
  if (path.length + below > DEPTH_MAX) refuseParent(`Categories can be at most ${DEPTH_MAX} deep.`)
  const existing = await findCategoryAt(tx, storeSlug, path)
  if (existing && existing.id !== moved?.id) refuse('name_taken')
  return { path, parent }
}

function refuseParent(message: string): never {
  refuse('state_conflict', { faults: [{ field: 'parentId', code: 'not_possible', message }] })
}

/**
 * Moves a category with everything below it. A job lists its products in the new place.
 *
 * Refusals: those of `resolveCategoryPath`.
 */
export async function moveCategory(
  tx: Transaction,
  category: CategoryRecord,
  { parentId, slug }: { readonly parentId: string | null; readonly slug: string },
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<void> {
  const { path, parent } = await resolveCategoryPath(tx, { parentId, slug, storeSlug: category.store_slug }, category)
  if (path.join('/') === category.path.join('/')) return
  const lineage = [...(parent?.lineage ?? []), category.id]
  tx.write(move, [category.id, path, lineage, category.path.length, parent?.id ?? null, now])
  bumpRevision(tx, MARKETPLACE_CATEGORIES)
  enqueueReindex(tx, category.id, { ids, now })
}
