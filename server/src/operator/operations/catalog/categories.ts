import { CATEGORIES_MAX, type OperatorCategory, type operatorOperations } from '@vitrine/contract/operator'
import {
  type CategoryRecord,
  categoryLineOf,
  findCategory,
  findCategoryAt,
  listAllCategories,
  lockCategory,
  lockStore,
  moveCategory as move,
  resolveCategoryPath,
  saveCategory,
} from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/categories */
const listCategories: OperatorHandler<Rows['listCategories']> = async ({ query }, { reader }) => {
  const { store: storeSlug = null, status, q, limit = CATEGORIES_MAX } = query
  const isArchived = status === undefined ? null : status === 'archived'
  const search = { storeSlug, isArchived, like: likeOf(q), id: q?.trim() ?? null, limit: limit + 1 }
  const found = await listAllCategories(reader, search)
  return { items: found.slice(0, limit).map(presentCategory), hasMore: found.length > limit }
}

/** POST /operator/v1/categories */
const createCategory: OperatorHandler<Rows['createCategory']> = async ({ body }, { tx, ids, now, audit }) => {
  const { slug, parentId = null, store: storeSlug = null, ...fields } = body
  // The store is locked before the categories, as by an import.
  if (storeSlug !== null && !(await lockStore(tx, storeSlug))) refuse('not_found')
  const { path } = await resolveCategoryPath(tx, { parentId, slug, storeSlug })

  const owner = storeSlug === null ? {} : { owner: 'store' as const, store: storeSlug }
  await saveCategory(tx, { type: 'category', path: [...path], ...owner, ...fields }, { ids, now })

  const created = present(await findCategoryAt(tx, storeSlug, path), 'just created')
  audit({ subject: { type: 'category', id: created.id }, before: null, after: { path, store: storeSlug, ...fields } })
  return presentCategory(created)
}

/** PATCH /operator/v1/categories/{categoryId} */
const updateCategory: OperatorHandler<Rows['updateCategory']> = async ({ params, body }, { tx, ids, now, audit }) => {
  const current = (await lockCategory(tx, params.categoryId)) ?? refuse('not_found')
  const { expectedVersion, ...change } = body
  refuseStale(current.version, expectedVersion)

  await refuseBelowArchived(tx, current, change.status)
  const { image, descriptions = {}, ...line } = { ...categoryLineOf(current), ...change }
  const described = Object.keys(descriptions).length > 0 && { descriptions }
  await saveCategory(tx, { ...line, ...described, ...(image && { image }) }, { ids, now })

  audit({ subject: { type: 'category', id: current.id }, ...changedFields(presentCategory(current), change) })
  return presentCategory(present(await findCategory(tx, current.id), 'just changed'))
}

/** POST /operator/v1/categories/{categoryId}/move */
const moveCategory: OperatorHandler<Rows['moveCategory']> = async ({ params, body }, { tx, ids, now, audit }) => {
  const current = (await lockCategory(tx, params.categoryId)) ?? refuse('not_found')
  refuseStale(current.version, body.expectedVersion)
  const slug = body.slug ?? present(current.path.at(-1), 'every category has its slug')

  await move(tx, current, { parentId: body.parentId, slug }, { ids, now })

  const moved = present(await findCategory(tx, current.id), 'just moved')
  audit({ subject: { type: 'category', id: current.id }, before: { path: current.path }, after: { path: moved.path } })
  return presentCategory(moved)
}

export const categoryOperations = { listCategories, createCategory, updateCategory, moveCategory }

/** A category cannot be shown while the one above it is not. */
async function refuseBelowArchived(reader: Reader, { parent_id }: CategoryRecord, status: string | undefined) {
  const parent = parent_id === null || status !== 'active' ? undefined : await findCategory(reader, parent_id)
  if (!parent?.archived_at) return
  const message = 'The category above it is archived: restore that one.'
  refuse('state_conflict', { faults: [{ field: 'status', code: 'not_possible', message }] })
}

function presentCategory(category: CategoryRecord): OperatorCategory {
  return {
    id: category.id,
    parentId: category.parent_id,
    store: category.store_slug,
    path: [...category.path],
    names: { ...category.names },
    descriptions: { ...category.descriptions },
    position: category.position,
    image: category.image && (category.image as NonNullable<OperatorCategory['image']>),
    status: category.archived_at === null ? 'active' : 'archived',
    productCount: category.products,
    version: category.version,
    createdAt: category.created_at.toISOString(),
    updatedAt: category.updated_at.toISOString(),
  }
}
