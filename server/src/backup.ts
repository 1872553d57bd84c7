import { rebaseListings } from './features/catalog/index.ts'
import { type Restored, type RestoreOptions, restoreInto as restoreRows } from './platform/backup/restore.ts'

/** Restores a backup into an empty database and rebases the listings of the catalog. @see restoreRows for errors */
export function restoreInto(
  url: string,
  source: AsyncIterable<Buffer>,
  options: Omit<RestoreOptions, 'settle'> = {},
): Promise<Restored> {
  return restoreRows(url, source, { ...options, settle: rebaseListings })
}
