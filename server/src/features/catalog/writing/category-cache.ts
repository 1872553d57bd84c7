import { isDeepStrictEqual } from 'node:util'
import type { IdSource } from '../../../kernel/ids.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision, loadRevision } from '../../../platform/revisions/revisions.ts'
import type { LocalizedText } from '../stored-json.ts'
import { MARKETPLACE_CATEGORIES } from '../subjects.ts'
import type { CategoryLine } from './line-schema.ts'
import { type CategoryPath, nameOfSlug } from './product-draft.ts'
import { type CategoryRef, countsOf, type WriteCounts, type WriteOutcome } from './product-write-context.ts'
import { enqueueReindex } from './reindex-job.ts'

interface CategoryRow {
  readonly id: string
  readonly store_id: string | null
  readonly path: readonly string[]
  readonly lineage: readonly string[]
  readonly names: LocalizedText
  readonly archived_at: Date | null
}

const readCategories = statement<CategoryRow>(
  'catalog.read_category_book',
  'select id, store_id, path, lineage, names, archived_at from categories where store_id is null or store_id = $1',
)
/** Serializes concurrent creation of the same category. */
const lockCategories = statement(
  'catalog.lock_categories',
  `select pg_advisory_xact_lock(hashtextextended('categories', 0))`,
)
const addCategory = statement(
  'catalog.add_category',
  `insert into categories (id, store_id, parent_id, path, lineage, names, archived_at, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)`,
)
const updateCategory = statement(
  'catalog.describe_category',
  `update categories set names = $2, descriptions = $3, position = $4, image = $5, version = version + $7, updated_at = $6
   where id = $1 and (names, descriptions, position, image) is distinct from ($2::jsonb, $3::jsonb, $4::integer, $5::jsonb)`,
)

// Categories that were archived before keep their time, and stay archived when this one is restored.
const archive = statement(
  'catalog.archive_category',
  `update categories set archived_at = $2, version = version + 1, updated_at = $2
   where $1 = any(lineage) and archived_at is null`,
)
const restore = statement(
  'catalog.restore_category',
  `update categories set archived_at = null, version = version + 1, updated_at = $2
   where $1 = any(lineage) and archived_at = $3`,
)

/** The categories available to products of a store: the marketplace's and the store's own, by path. */
export class CategoryCache {
  readonly #byPath: Map<string, CategoryRow>
  readonly #storeId: string | null
  /** The revision of the categories when they were read, or an earlier one. */
  readonly revision: bigint

  private constructor(storeId: string | null, revision: bigint, rows: readonly CategoryRow[]) {
    this.#storeId = storeId
    this.revision = revision
    this.#byPath = new Map(rows.map((row) => [keyOf(row.store_id, row.path), row]))
  }

  static async read(reader: Reader, storeId: string | null): Promise<CategoryCache> {
    const [revision, rows] = await Promise.all([
      loadRevision(reader, MARKETPLACE_CATEGORIES),
      reader.rows(readCategories, [storeId]),
    ])
    return new CategoryCache(storeId, revision, rows)
  }

  /** The category at a path. The store's own takes precedence over the marketplace's. */
  find(path: readonly string[]): CategoryRef | undefined {
    const row = this.#byPath.get(keyOf(this.#storeId, path)) ?? this.#byPath.get(keyOf(null, path))
    if (row === undefined) return undefined
    const names = path.map((_, depth) => {
      const above = path.slice(0, depth + 1)
      return (this.#byPath.get(keyOf(row.store_id, above)) ?? row).names
    })
    return { id: row.id, lineage: row.lineage, names }
  }

  /** Creates the missing marketplace categories of these paths. */
  async add(tx: Transaction, paths: readonly CategoryPath[], writing: CategoryWriting): Promise<void> {
    await this.#refresh(tx)
    for (const path of paths) {
      if (this.find(path.slugs) === undefined) this.#findOrInsert(tx, null, path, writing)
    }
    bumpRevision(tx, MARKETPLACE_CATEGORIES)
  }

  /** Creates or updates the categories of lines with distinct paths. */
  async save(tx: Transaction, lines: readonly CategoryLine[], writing: CategoryWriting): Promise<WriteCounts> {
    await this.#refresh(tx)
    const outcomes = await Promise.all(lines.map((line) => this.#saveLine(tx, line, writing)))
    const counts = countsOf(outcomes)
    if (counts.created + counts.updated > 0) bumpRevision(tx, MARKETPLACE_CATEGORIES)
    return counts
  }

  async #saveLine(tx: Transaction, line: CategoryLine, writing: CategoryWriting): Promise<WriteOutcome> {
    const owner = line.owner === 'store' ? this.#storeId : null
    const key = keyOf(owner, line.path)
    const existed = this.#byPath.has(key)
    const row = this.#findOrInsert(tx, owner, { slugs: line.path, names: line.path.map(nameOfSlug) }, writing)
    this.#byPath.set(key, { ...row, names: line.names })
    const isSet = this.#setStatus(tx, row, line, writing)
    const values = [line.names, line.descriptions ?? null, line.position ?? 0, line.image ?? null].map((value) =>
      typeof value === 'object' && value !== null ? JSON.stringify(value) : value,
    )
    const changed = await tx.change(updateCategory, [row.id, ...values, writing.now, isSet ? 0 : 1])
    if (existed && !isDeepStrictEqual(row.names, line.names)) enqueueReindex(tx, row.id, writing)
    if (!existed) return 'created'
    return changed > 0 || isSet ? 'updated' : 'unchanged'
  }

  /** Archives or restores a category with everything below it. @returns whether it changed */
  #setStatus(tx: Transaction, row: CategoryRow, { status, path }: CategoryLine, { now }: CategoryWriting): boolean {
    const { id, store_id: owner, archived_at: archivedAt } = row
    if (status === undefined || status === (archivedAt === null ? 'active' : 'archived')) return false
    const parent = this.#byPath.get(keyOf(owner, path.slice(0, -1)))
    if (archivedAt === null) tx.write(archive, [id, now])
    else if (parent?.archived_at) throw new InvalidLine('/status: the category above it is archived.')
    else tx.write(restore, [id, now, archivedAt])
    for (const [key, each] of this.#byPath) {
      const isTaken = each.archived_at?.getTime() === archivedAt?.getTime()
      if (each.lineage.includes(id) && isTaken) this.#byPath.set(key, { ...each, archived_at: archivedAt ? null : now })
    }
    return true
  }

  /** Locks the categories, and reads them again if they have changed. */
  async #refresh(tx: Transaction): Promise<void> {
    const [, revision] = await Promise.all([tx.rows(lockCategories), loadRevision(tx, MARKETPLACE_CATEGORIES)])
    if (revision === this.revision) return
    // A moved category is no longer at its path.
    this.#byPath.clear()
    for (const row of await tx.rows(readCategories, [this.#storeId])) {
      this.#byPath.set(keyOf(row.store_id, row.path), row)
    }
  }

  /** The category at a path, created with its missing ancestors. */
  #findOrInsert(tx: Transaction, owner: string | null, path: CategoryPath, writing: CategoryWriting): CategoryRow {
    let parent: CategoryRow | null = null
    for (const [depth, name] of path.names.entries()) {
      const slugs = path.slugs.slice(0, depth + 1)
      const key = keyOf(owner, slugs)
      const known: CategoryRow | undefined = this.#byPath.get(key)
      parent = known ?? this.#insert(tx, { owner, path: slugs, name, parent }, writing)
      this.#byPath.set(key, parent)
    }
    return parent!
  }

  #insert(
    tx: Transaction,
    { owner, path, name, parent }: NewCategory,
    { ids, now, locale }: CategoryWriting,
  ): CategoryRow {
    const id = ids.next('cat')
    const lineage = [...(parent?.lineage ?? []), id]
    const names = { [locale]: name }
    const archivedAt = parent?.archived_at ?? null
    tx.write(addCategory, [id, owner, parent?.id ?? null, path, lineage, JSON.stringify(names), archivedAt, now])
    return { id, store_id: owner, path, lineage, names, archived_at: archivedAt }
  }
}

interface NewCategory {
  readonly owner: string | null
  readonly path: readonly string[]
  readonly name: string
  readonly parent: CategoryRow | null
}

interface CategoryWriting {
  readonly ids: IdSource
  readonly now: Date
  /** The locale of names derived from a path. */
  readonly locale: string
}

function keyOf(storeId: string | null, path: readonly string[]): string {
  return `${storeId ?? ''}:${path.join('/')}`
}
