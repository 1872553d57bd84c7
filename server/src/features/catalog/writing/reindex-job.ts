import type { IdSource } from '../../../kernel/ids.ts'
import { wake } from '../../../platform/jobs/index.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'

/** The job that reindexes the products of a renamed or moved category, a batch at a time. */
export const REINDEX_JOB = 'catalog.category_renamed'

/** The job by which a migration has all products indexed again, later: an earlier version would index them as before. */
export const REINDEX_ALL_JOB = 'catalog.reindex_all'

export interface ReindexBatch {
  /** `null` for all products, after a change of what is indexed. */
  readonly categoryId: string | null
  /** Products up to this id are done; empty for the first batch. */
  readonly after: string
}

/** Enqueues reindexing the products of a renamed or moved category, after a product id. */
export function enqueueReindex(
  tx: Transaction,
  categoryId: string | null,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
  after = '',
): void {
  const batch: ReindexBatch = { categoryId, after }
  // `wake`, because a running job for the same batch may have read the old name or place.
  wake(tx, { kind: REINDEX_JOB, subject: `${categoryId ?? ''}/${after}`, payload: batch, runAt: now }, ids)
}
