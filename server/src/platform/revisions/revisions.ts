import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

const bump = statement(
  'revisions.bump',
  `insert into revisions (subject, revision) values ($1, 1)
   on conflict (subject) do update set revision = revisions.revision + 1`,
)
const notify = statement('revisions.notify', `select pg_notify('vitrine_revisions', $1)`)

/**
 * Bumps the revision of a subject in the transaction of its change. Call it last: the row is locked until the commit. The
 * notification wakes other nodes, which also poll the table every second.
 */
export function bumpRevision(tx: Transaction, subject: string): void {
  tx.write(bump, [subject])
  tx.write(notify, [subject])
}

const readOne = statement<{ revision: bigint }>(
  'revisions.read_one',
  'select revision from revisions where subject = $1',
)

/** The revision of a subject in the database. Zero before the first change. */
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

/** The {@link Revisions.stamp} of a process that knows exactly the revisions that this reader sees. */
export async function loadStamp(reader: Reader): Promise<string> {
  return (await reader.row(readTotal))?.total ?? '0'
}

/** The revisions of all subjects as this process knows them. The revision of a subject includes those below it. */
export class Revisions {
  readonly #before: Readonly<Record<string, (reader: Reader) => Promise<void>>>
  #bySubject = new Map<string, bigint>()
  #sums = new Map<string, bigint>()
  #total = ''

  /** @param before by subject, a callback that runs before this process adopts a new revision of the subject */
  constructor(before: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {}) {
    this.#before = before
  }

  /** Changes with every revision. */
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

  /** Reads changed revisions. One cheap query while nothing has changed. */
  async refresh(reader: Reader): Promise<void> {
    const total = await loadStamp(reader)
    if (total === this.#total) return
    const rows = await reader.rows(readAll)
    const bySubject = new Map(rows.map((row) => [row.subject, row.revision]))
    for (const [subject, prepare] of Object.entries(this.#before)) {
      if (bySubject.get(subject) !== this.#bySubject.get(subject)) await prepare(reader)
    }
    this.#bySubject = bySubject
    this.#sums = new Map()
    // The total of these rows, not the one above: a change between the two queries must cause another read.
    this.#total = String(rows.reduce((sum, row) => sum + row.revision, 0n))
  }
}
