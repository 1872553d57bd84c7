import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type TextLine, textLines } from '../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { importLicences, type LicenceReport } from './import-licences.ts'
import type { LicenceSafe, Pool } from './pools.ts'

/** Keys that come as bytes, as somebody sends a file. */
export interface LicenceUpload {
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  readonly clock: Clock
  readonly safe: LicenceSafe
  readonly pool: Pool
  readonly upload: AsyncIterable<Buffer>
  /** Told of each batch in the transaction that takes it. */
  readonly onTaken: (tx: Transaction, batch: LicenceReport) => void
}

/** Lines of one transaction: each holds the lock of the pool for a moment only. */
const BATCH = 5000

/**
 * The same as `importLicences`, of a file that is read as it comes.
 *
 * @throws FulfilmentError `not_found` where there is no such SKU
 */
export async function importLicenceUpload(uploaded: LicenceUpload): Promise<LicenceReport> {
  const { database, ids, clock, safe, pool, upload, onTaken } = uploaded
  const unreadable: LicenceReport['refused'][number][] = []
  const keyOf = (each: TextLine) => {
    if ('text' in each) return each.text
    unreadable.push({ line: each.line, reason: each.problem })
    return ''
  }
  const take = (lines: readonly string[], from: number) =>
    database.transaction(async (tx) => {
      const batch = await importLicences(tx, pool, lines, { ids, now: clock.now(), safe, from })
      onTaken(tx, batch)
      return batch
    })

  const reports: LicenceReport[] = []
  let held: string[] = []
  let from = 0
  for await (const line of textLines(upload)) {
    held.push(keyOf(line))
    if (held.length < BATCH) continue
    reports.push(await take(held, from))
    from += held.length
    held = []
  }
  // Also of an empty file: it says whether there is such a SKU.
  if (held.length > 0 || from === 0) reports.push(await take(held, from))

  const total = (count: (report: LicenceReport) => number) => reports.reduce((sum, each) => sum + count(each), 0)
  const refused = [...unreadable, ...reports.flatMap((each) => each.refused)].sort((a, b) => a.line - b.line)
  return {
    read: total(({ read }) => read) + unreadable.length,
    created: total(({ created }) => created),
    unchanged: total(({ unchanged }) => unchanged),
    refused,
  }
}
