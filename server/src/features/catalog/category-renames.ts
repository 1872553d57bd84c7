import type { IdSource } from '../../kernel/ids.ts'
import { wake } from '../../platform/jobs/index.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'

/** The job that writes the search words of a renamed category's products, a batch at a time. */
export const RENAMED_JOB = 'catalog.category_renamed'

export interface RenamedPart {
  readonly categoryId: string
  /** Products up to this id are done; empty at the beginning. */
  readonly after: string
}

/** Leaves word that a category is called otherwise, or that its products behind an id are still to be written. */
export function tellRenamed(
  tx: Transaction,
  categoryId: string,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
  after = '',
): void {
  const part: RenamedPart = { categoryId, after }
  // Woken, not enqueued: whoever holds the same part may have read the name of before.
  wake(tx, { kind: RENAMED_JOB, subject: `${categoryId}/${after}`, payload: part, runAt: now }, ids)
}
