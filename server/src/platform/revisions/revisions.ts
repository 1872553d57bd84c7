import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

const bump = statement(
  'revisions.bump',
  `insert into revisions (subject, revision) values ($1, 1)
   on conflict (subject) do update set revision = revisions.revision + 1`,
)
const notify = statement('revisions.notify', `select pg_notify('vitrine_revisions', $1)`)

/**
 * Announces a change of a subject in the transaction that makes it. Call it last: the row stays locked until the commit.
 * The notification wakes other nodes; the table is the truth, and they look at it each second.
 */
export function bumpRevision(tx: Transaction, subject: string): void {
  tx.write(bump, [subject])
  tx.write(notify, [subject])
}

const readOne = statement<{ revision: bigint }>(
  'revisions.read_one',
  'select revision from revisions where subject = $1',
)

/** The revision of a subject as a transaction sees it. Zero before the first change. */
export async function loadRevision(reader: Reader, subject: string): Promise<bigint> {
  return (await reader.row(readOne, [subject]))?.revision ?? 0n
}

const readAll = statement<{ subject: string; revision: bigint }>(
  'revisions.read_all',
  'select subject, revision from revisions',
)
const readTotal = statement<{ total: string | null }>(
  'revisions.read_total',
  'select sum(revision) as total from revisions',
)

/** What a process knows of the revisions of all subjects. A subject's own figure includes those below it. */
export class Revisions {
  #bySubject = new Map<string, bigint>()
  #sums = new Map<string, bigint>()
  #total = ''

  /** Changes whenever anything does. */
  get stamp(): string {
    return this.#total
  }

  /** The revision of `catalog/store_…`, or of `catalog`: the sum over its stores. Zero before the first change. */
  of(subject: string): bigint {
    const known = this.#sums.get(subject)
    if (known !== undefined) return known
    let sum = this.#bySubject.get(subject) ?? 0n
    const below = `${subject}/`
    for (const [each, revision] of this.#bySubject) if (each.startsWith(below)) sum += revision
    this.#sums.set(subject, sum)
    return sum
  }

  /** Reads what has changed. One cheap query while nothing has. */
  async refresh(reader: Reader): Promise<void> {
    const total = (await reader.row(readTotal))?.total ?? '0'
    if (total === this.#total) return
    const rows = await reader.rows(readAll)
    this.#bySubject = new Map(rows.map((row) => [row.subject, row.revision]))
    this.#sums = new Map()
    // The total of what was read, not the one above: a change between the two queries must be looked at again.
    this.#total = String(rows.reduce((sum, row) => sum + row.revision, 0n))
  }
}
