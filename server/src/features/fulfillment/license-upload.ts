import type { Clock } from '../../kernel/clock.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { type LineReport, REFUSED_LINES_MAX } from '../../platform/line-files/invalid-line.ts'
import { type TextLine, textLines } from '../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { importLicenses } from './import-licenses.ts'
import type { LicenseVault, Pool } from './pools.ts'

/** An uploaded file of keys. */
interface LicenseUpload {
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  readonly clock: Clock
  readonly vault: LicenseVault
  readonly pool: Pool
  readonly upload: AsyncIterable<Buffer>
  /** Called for each batch in its transaction. */
  readonly onTaken: (tx: Transaction, batch: LineReport) => void
}

/** Lines per transaction. Keeps the lock of the pool short. */
const BATCH = 5000

/**
 * Runs `importLicenses` on a file while it is uploaded.
 *
 * Refusals: `not_found` for an unknown SKU.
 */
export async function importLicenseUpload(uploaded: LicenseUpload): Promise<LineReport> {
  const { database, ids, clock, vault, pool, upload, onTaken } = uploaded
  const refused: LineReport['refused'][number][] = []
  const refuse = (lines: LineReport['refused']) =>
    void refused.push(...lines.slice(0, REFUSED_LINES_MAX - refused.length))
  let unreadable = 0
  const keyOf = (each: TextLine) => {
    if ('text' in each) return each.text
    unreadable += 1
    refuse([{ line: each.line, reason: each.problem }])
    return ''
  }
  const take = (lines: readonly string[], from: number) =>
    database.transaction(async (tx) => {
      const batch = await importLicenses(tx, pool, lines, { ids, now: clock.now(), vault, from })
      onTaken(tx, batch)
      return batch
    })
  const count = { read: 0, created: 0, unchanged: 0 }
  const add = ({ read, created, unchanged, refused: lines }: LineReport) => {
    count.read += read
    count.created += created
    count.unchanged += unchanged
    refuse(lines)
  }

  let held: string[] = []
  let from = 0
  for await (const line of textLines(upload)) {
    held.push(keyOf(line))
    if (held.length < BATCH) continue
    add(await take(held, from))
    from += held.length
    held = []
  }
  // An empty file is imported too, to check that the SKU exists.
  if (held.length > 0 || from === 0) add(await take(held, from))
  return { ...count, read: count.read + unreadable, refused: refused.sort((a, b) => a.line - b.line) }
}
