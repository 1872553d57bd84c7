import { rebaseListings } from './features/catalog/index.ts'
import { type Restored, type RestoreOptions, restoreInto as restoreRows } from './platform/backup/restore.ts'

/** Fills an empty database from a backup, and makes its features at home there. @see restoreRows for what can go wrong */
export function restoreInto(
  url: string,
  source: AsyncIterable<Buffer>,
  options: Omit<RestoreOptions, 'settle'> = {},
): Promise<Restored> {
  return restoreRows(url, source, { ...options, settle: rebaseListings })
}
