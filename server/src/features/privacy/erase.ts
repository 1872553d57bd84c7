import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { type AnswerPosition, rewriteAnswers } from '../../platform/idempotency/answers.ts'
import { enqueue, type JobHandlers } from '../../platform/jobs/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type Statement, statement } from '../../platform/postgres/statement.ts'
import { withoutPersonalValues } from './answers.ts'
import { type Person, personValues } from './person.ts'
import { PERSON, PLACES, type Place } from './places.ts'
import { hasWord } from './words.ts'

const OF = (place: Place) => `from ${place.table} t, person where (${place.isOf})`
const counts = new Map<Place, Statement<{ count: number }>>()
const erasures = new Map<Place, Statement>()
const exports = new Map<Place, Statement<{ rows: readonly unknown[] }>>()
for (const place of PLACES) {
  const { table, isOf, omit, erase } = place
  counts.set(
    place,
    statement(`privacy.count_${table}`, `with ${PERSON} select count(*)::integer as count ${OF(place)}`),
  )
  if (omit !== null) {
    const omitted = omit.map((column) => `'${column}'`).join(', ')
    exports.set(
      place,
      statement(
        `privacy.export_${table}`,
        `with ${PERSON} select coalesce(jsonb_agg(to_jsonb(t) - array[${omitted}]::text[]), '[]') as rows ${OF(place)}`,
      ),
    )
  }
  // The time of the erasure is the ninth parameter, which not every statement uses.
  const person = `with ${PERSON}, erasure as (select $9::timestamptz as at)`
  if (erase === 'delete')
    erasures.set(
      place,
      statement(`privacy.erase_${table}`, `${person} delete from ${table} t using person where (${isOf})`),
    )
  else if (erase !== null)
    erasures.set(
      place,
      statement(`privacy.erase_${table}`, `${person} update ${table} t set ${erase} from person where (${isOf})`),
    )
}

/** The rows of a place that an erasure affects. */
interface FoundRows {
  readonly place: string
  readonly rows: number
  readonly effect: 'deleted' | 'erased' | 'kept_for_legal_time'
}

/** Counts the rows that an erasure would change, by place. */
export async function previewErasure(reader: Reader, person: Person): Promise<readonly FoundRows[]> {
  const places = PLACES.filter(({ erase }) => erase !== null)
  const found = await Promise.all(
    places.map(async (place) => {
      const row = await reader.row(counts.get(place)!, personValues(person))
      const effect = place.isLegal ? 'kept_for_legal_time' : place.erase === 'delete' ? 'deleted' : 'erased'
      return { place: place.table, rows: row?.count ?? 0, effect } as const
    }),
  )
  return found.filter(({ rows }) => rows > 0)
}

/** The data of a person: the rows of each place, without secrets. */
export async function exportPerson(
  reader: Reader,
  person: Person,
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found = await Promise.all(
    [...exports].map(async ([{ table }, select]) => {
      return [table, (await reader.row(select, personValues(person)))?.rows ?? []] as const
    }),
  )
  return Object.fromEntries(found.filter(([, rows]) => rows.length > 0))
}

/** The job that erases a person from the answers stored for repeated requests. */
const ERASE_ANSWERS = 'privacy.erase_answers'

/**
 * Erases a person, except for the invoices whose legal time is not over. A job erases the stored answers, because it has to read
 * all of them.
 *
 * Refusals: `state_conflict` while an order or a checkout is open.
 */
export function erasePerson(
  tx: Transaction,
  person: Person,
  {
    now,
    ids,
    isLegalTimeOver = false,
    hasAnswers = true,
  }: {
    readonly now: Date
    readonly ids: IdSource
    readonly isLegalTimeOver?: boolean
    /** False if nothing about the person was answered since the oldest stored answer: a search costs seconds, and a year has thousands. */
    readonly hasAnswers?: boolean
  },
): void {
  if (person.open.length > 0) refuse('state_conflict', { conflict: { currentState: 'open_orders' } })
  for (const [place, erasure] of erasures) {
    if (!place.isLegal || isLegalTimeOver) tx.write(erasure, [...personValues(person), now])
  }
  const words = [...person.subjects, ...person.words]
  const [subject] = person.subjects
  if (hasAnswers && (subject !== undefined || words.length > 0)) {
    enqueue(
      tx,
      { kind: ERASE_ANSWERS, subject: `${subject ?? 'person'} ${now.getTime()}`, payload: { words }, runAt: now },
      ids,
    )
  }
}

export const privacyJobs: JobHandlers = {
  // Each part is a job of its own, added when the previous one is removed: a worker that dies repeats only its part.
  async [ERASE_ANSWERS]({ kind, subject, payload }, { database, now, ids }) {
    const { words, after = null } = payload as { readonly words: readonly string[]; readonly after?: AnswerPosition }
    const change = (answer: string) => (hasWord(answer, words) ? withoutPersonalValues(answer) : null)
    const end = await rewriteAnswers(database, change, after)
    if (end === null) return undefined
    return (tx) => enqueue(tx, { kind, subject, payload: { words, after: end }, runAt: now }, ids)
  },
}
