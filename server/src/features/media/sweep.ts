import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { type JobHandler, renewLease } from '../../platform/jobs/index.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { filesOf } from './address.ts'
import type { MediaStore } from './media-store.ts'
import type { Picture } from './store.ts'

/** The kind of the job that removes unused pictures. */
export const MEDIA_SWEEP_JOB = 'media.sweep'

const SWEEP_EVERY_MS = 86_400_000
/** Long enough to write a product over a weekend, or to revert a change by hand. */
const KEPT_DAYS = 7
/** A picture is received in minutes and made within one. Older work files were left by a killed process. */
const WORK_MS_MAX = 3_600_000

/**
 * Marks the pictures that nothing shows. One pass over each table: an index for a daily job would cost every write. Orders and old designs
 * count, because a shopper may open an order of last year, and so do products as they were before an import that can be undone. Only
 * pictures whose mark changes are locked, which a change that shows one waits for. $1: only pictures that were uploaded before this
 * time are checked.
 */
const markUnused = statement(
  'media.mark_unused',
  `with shown as (
     select distinct found.address[1] as address from (
       select images::text as text from products union all
       select image::text from skus where image is not null union all
       select image::text from categories where image is not null union all
       select logo::text from stores where logo is not null union all
       select logo::text from site_settings where logo is not null union all
       select image::text from order_lines where image is not null union all
       select content::text from decorations union all
       select content::text from decoration_drafts union all
       select before::text from catalog_import_products where before is not null) as place,
     regexp_matches(place.text, '/media/([0-9a-f]{32}-[1-9][0-9]{0,3})/', 'g') as found (address)
   )
   update pictures set unused_since = case when address in (select address from shown) then null
     else coalesce(unused_since, $2) end
   where created_at < $1 and (address in (select address from shown)) = (unused_since is not null)`,
)

/** From now on they are incomplete, so that an upload of the same file makes it again. */
const takeUnused = statement<Picture>(
  'media.take_unused',
  `update pictures set made_at = null where unused_since < $1 and id = any (array (
     select id from pictures where unused_since < $1 order by created_at limit 200))
   returning id, address, file, width, height`,
)

const deletePicture = statement('media.delete_picture', 'delete from pictures where id = $1 and unused_since < $2')

interface SweepDeps {
  readonly store: MediaStore
  readonly workDirectory: string
  readonly clock: Clock
}

/**
 * Removes pictures that were unused in every check of a week, and the files that killed processes of this node have left in the work
 * directory: they include the upload itself, with the location of a photo. A picture whose files cannot be removed delays no other.
 */
export function sweepPictures({ store, workDirectory, clock }: SweepDeps): JobHandler {
  return async (job, { database, now, log, isStopping }) => {
    await sweepWork(workDirectory, new Date(now.getTime() - WORK_MS_MAX))
    const before = new Date(now.getTime() - KEPT_DAYS * SWEEP_EVERY_MS)
    await database.transaction(async (tx) => tx.change(markUnused, [before, now]))
    const unused = await database.transaction((tx) => tx.rows(takeUnused, [before]))
    let failure: unknown = null
    for (const picture of unused) {
      if (isStopping()) return now
      if (!(await database.transaction((tx) => renewLease(tx, job, clock.now())))) return undefined
      await database
        .transaction(async (tx) => {
          // Its lock holds up an upload of the same file, whose files would otherwise be removed with the old ones.
          const isDeleted = (await tx.change(deletePicture, [picture.id, before])) === 1
          if (isDeleted) await store.remove(picture.address, filesOf(picture))
        })
        .catch((error: unknown) => {
          failure = error
        })
    }
    if (failure !== null) throw failure
    if (unused.length > 0) log.info({ pictures: unused.length }, 'removed pictures that nothing has shown for a week')
    return new Date(now.getTime() + SWEEP_EVERY_MS)
  }
}

async function sweepWork(directory: string, before: Date): Promise<void> {
  for (const name of await unlessGone(readdir(directory), [])) {
    const path = join(directory, name)
    const written = await unlessGone(stat(path), null)
    if (written && written.mtime < before) await rm(path, { recursive: true, force: true })
  }
}

/** The directory does not exist before the first upload, and a file may be removed after it was listed. */
async function unlessGone<Value, Gone>(found: Promise<Value>, gone: Gone): Promise<Value | Gone> {
  return found.catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return gone
  })
}
