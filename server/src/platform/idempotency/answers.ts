import { createHash } from 'node:crypto'
import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { exampleOf, limits, type Operation, operations } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import type { Database } from '../postgres/database.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'

/** An answer as it is stored. */
interface PackedAnswer {
  /** The dictionary that its bytes are compressed with; `null` if they are not compressed. */
  readonly dictionary: bigint | null
  readonly bytes: Buffer
}

interface Dictionary {
  /** The first 64 bits of its hash. */
  readonly id: bigint
  readonly bytes: Buffer
}

/** A cart of 2,672 bytes takes 334, and 25 µs. Larger windows compress no better, and take longer to allocate. */
const DEFLATE = { windowBits: 13, memLevel: 5, level: 6 }

/** For each operation with an Idempotency-Key, its example answer: it has all names, and the values that most answers have. */
const dictionaries: ReadonlyMap<string, Dictionary> = new Map(
  Object.entries<Operation>(operations)
    .filter(([, row]) => row.idempotency === 'required')
    .map(([operationId, row]) => [operationId, dictionaryOf(row)]),
)
const known = new Map([...dictionaries.values()].map(({ id, bytes }) => [id, bytes]))

function dictionaryOf({ data, meta }: Operation): Dictionary {
  const example = { data: exampleOf(data), ...(meta && { meta: exampleOf(meta) }) }
  const bytes = Buffer.from(JSON.stringify(example))
  return { id: createHash('sha256').update(bytes).digest().readBigInt64BE(), bytes }
}

/** Compresses an answer with the dictionary of its operation, if that makes it smaller. The operator API has none. */
export function packAnswer(operationId: string, answer: Buffer): PackedAnswer {
  const dictionary = dictionaries.get(operationId)
  if (dictionary === undefined) return { dictionary: null, bytes: answer }
  const { id, bytes } = dictionary
  const packed = deflateRawSync(answer, { ...DEFLATE, dictionary: bytes })
  return packed.length < answer.length ? { dictionary: id, bytes: packed } : { dictionary: null, bytes: answer }
}

const readDictionary = statement<{ dictionary: Buffer }>(
  'answers.dictionary',
  'select dictionary from answer_dictionaries where id = $1',
)

/** The bytes of an answer as they were sent. The dictionary of another version is read from the database. */
export async function unpackAnswer(reader: Reader, { dictionary, bytes }: PackedAnswer): Promise<Buffer> {
  if (dictionary === null) return bytes
  const using = known.get(dictionary) ?? (await reader.row(readDictionary, [dictionary]))?.dictionary
  return inflateRawSync(bytes, { dictionary: present(using, 'the dictionary of a stored answer') })
}

const keepDictionary = statement(
  'answers.keep_dictionary',
  'insert into answer_dictionaries (id, dictionary) values ($1, $2) on conflict do nothing',
)

/** Stores the dictionaries of this version, before it serves a request. */
export function keepDictionaries(tx: Transaction): void {
  for (const [id, bytes] of known) tx.write(keepDictionary, [id, bytes])
}

const page = statement<{ created_at: Date; key_hash: bigint; dictionary: bigint | null; bytes: Buffer }>(
  'answers.page',
  `select created_at, key_hash, dictionary, answer as bytes from idempotency_answers
   where (created_at, key_hash) > ($1, $2) order by created_at, key_hash limit 500`,
)
const rewrite = statement(
  'answers.rewrite',
  'update idempotency_answers set dictionary = null, answer = $3 where created_at = $1 and key_hash = $2',
)

/** The position of an answer, as it is stored in a job. */
export interface AnswerPosition {
  readonly at: string
  readonly hash: string
}

/** Pages per call: seconds, so that a job is done with a part long before its lease ends. */
const PAGES_MAX = 100

/**
 * Changes a part of the stored answers. All of them are read, 25 µs each.
 *
 * @param change returns the new text, or `null` for no change
 * @param after the end of the previous part; `null` for the first one
 * @returns the end of this part; `null` if it was the last one
 */
export async function rewriteAnswers(
  database: Database,
  change: (answer: string) => string | null,
  after: AnswerPosition | null,
): Promise<AnswerPosition | null> {
  let [at, hash] = after ? [new Date(after.at), BigInt(after.hash)] : [new Date(0), 0n]
  for (let read = 0; read < PAGES_MAX; read += 1) {
    const rows = await database.reader.rows(page, [at, hash])
    const last = rows.at(-1)
    if (last === undefined) return null
    await database.transaction(async (tx) => {
      for (const row of rows) {
        const changed = change((await unpackAnswer(database.reader, row)).toString())
        if (changed !== null) tx.write(rewrite, [row.created_at, row.key_hash, Buffer.from(changed)])
      }
    })
    ;[at, hash] = [last.created_at, last.key_hash]
  }
  return { at: at.toISOString(), hash: String(hash) }
}

const createPartition = statement('answers.create_partition', 'select create_answers_partition($1)')
const createAhead = statement(
  'answers.create_ahead',
  'select create_answers_partition($1::date + ahead) from generate_series(0, $2::integer) ahead',
)
const dropBefore = statement('answers.drop_before', 'select drop_answers_before($1)')

/** Enough for nodes whose clock is ahead. A missing partition is created by the write that needs it. */
const DAYS_AHEAD = 7
const DAY_MS = 86_400_000

/** Creates the partition for answers of this time. */
export function createAnswersPartition(tx: Transaction, now: Date): void {
  tx.write(createPartition, [dayOf(now)])
}

/** Creates the partitions of the next days, and drops the days that are past their retention. For the sweep. */
export async function sweepAnswers(tx: Transaction, now: Date): Promise<false> {
  tx.write(createAhead, [dayOf(now), DAYS_AHEAD])
  await tx.rows(dropBefore, [new Date(now.getTime() - limits.idempotency.retentionDays * DAY_MS)])
  return false
}

function dayOf(now: Date): string {
  return now.toISOString().slice(0, 10)
}
