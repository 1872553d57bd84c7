import { present } from '../../kernel/assert.ts'
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

/** The {@link Revisions.total} of a process that knows exactly the revisions that this reader sees. */
export async function loadTotal(reader: Reader): Promise<string> {
  return (await reader.row(readTotal))?.total ?? '0'
}

// The control file has the timeline of a promotion at once as the end of its recovery, and with the next checkpoint as its own.
const readState = statement<{ total: string; timeline: number }>(
  'revisions.read_state',
  `select coalesce(sum(revision), 0)::text as total, greatest(
     (select timeline_id from pg_control_checkpoint()),
     (select min_recovery_end_timeline from pg_control_recovery())) as timeline
   from revisions`,
)
/** More than the revisions of one timeline. */
const PER_TIMELINE = 2n ** 40n

/** The revisions of all subjects as this process knows them. The revision of a subject includes those below it. */
export class Revisions {
  readonly #before: Readonly<Record<string, (reader: Reader) => Promise<void>>>
  #bySubject = new Map<string, bigint>()
  #sums = new Map<string, bigint>()
  #total = ''
  #timeline = 1

  /** @param before by subject, a callback that runs before this process adopts a new revision of the subject */
  constructor(before: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {}) {
    this.#before = before
  }

  /** The sum of the revisions. */
  get total(): string {
    return this.#total
  }

  /** Changes with every revision and every promotion. */
  get stamp(): string {
    return `${this.#timeline}.${this.#total}`
  }

  /**
   * The revision of `catalog/store_…`, or of `catalog`: the sum over its stores. Zero before the first change.
   *
   * Each promotion of a standby adds to all of them: it may have lost the last changes, and other changes get their numbers.
   */
  of(subject: string): bigint {
    const known = this.#sums.get(subject)
    if (known !== undefined) return known
    let sum = (this.#bySubject.get(subject) ?? 0n) + BigInt(this.#timeline - 1) * PER_TIMELINE
    const below = `${subject}/`
    for (const [each, revision] of this.#bySubject) if (each.startsWith(below)) sum += revision
    this.#sums.set(subject, sum)
    return sum
  }

  /** Reads changed revisions. One cheap query while nothing has changed. */
  async refresh(reader: Reader): Promise<void> {
    const { total, timeline } = present(await reader.row(readState), 'an aggregate has a row')
    const isPromoted = timeline !== this.#timeline
    if (total === this.#total && !isPromoted) return
    const rows = await reader.rows(readAll)
    const bySubject = new Map(rows.map((row) => [row.subject, row.revision]))
    for (const [subject, prepare] of Object.entries(this.#before)) {
      if (isPromoted || bySubject.get(subject) !== this.#bySubject.get(subject)) await prepare(reader)
    }
    this.#bySubject = bySubject
    this.#sums = new Map()
    this.#timeline = timeline
    // The total of these rows, not the one above: a change between the two queries must cause another read.
    this.#total = String(rows.reduce((sum, row) => sum + row.revision, 0n))
  }
}
