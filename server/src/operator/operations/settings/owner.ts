import { findStore } from '../../../features/catalog/index.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'

/** The owner of mails or documents: the id of a store, or `null` for the marketplace. Refusals: `not_found`. */
export async function ownerOf(reader: Reader, storeSlug: string | undefined): Promise<string | null> {
  if (storeSlug === undefined) return null
  return ((await findStore(reader, storeSlug)) ?? refuse('not_found')).id
}
