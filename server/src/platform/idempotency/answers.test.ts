import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import { exampleOf, type Operation, operations } from '@vitrine/contract'
import { waitsForLock } from '../../../../test/support/before-commit.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { type Database, statement } from '../postgres/index.ts'
import { createAnswersPartition, keepDictionaries, packAnswer, sweepAnswers, unpackAnswer } from './answers.ts'

const keyed = Object.entries<Operation>(operations).filter(([, row]) => row.idempotency === 'required')
const DAY_MS = 86_400_000
const midnight = new Date('2026-03-01T00:00:00Z')
const after = (milliseconds: number) => new Date(midnight.getTime() + milliseconds)

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})

let asked = 0
const run = (text: string, values: readonly unknown[] = []) =>
  database.transaction(async (tx) => tx.write(statement(`test.answers_${++asked}`, text), values))
const partitions = async () => {
  const rows = await database.reader.rows(
    statement<{ name: string }>(
      'test.partitions',
      `select inhrelid::regclass::text as name from pg_inherits
       where inhparent = 'idempotency_answers'::regclass order by 1`,
    ),
  )
  return rows.map(({ name }) => name.slice(-8))
}

describe('a stored answer', () => {
  test('of every operation is smaller than half of its text, and is restored byte for byte', async () => {
    for (const [operationId, row] of keyed) {
      const text = JSON.stringify({ data: exampleOf(row.data) }).replaceAll(/\d/g, (digit) => String(9 - Number(digit)))
      const packed = packAnswer(operationId, Buffer.from(text))
      assert(packed.bytes.length < text.length / 2, operationId)
      assert.equal((await unpackAnswer(database.reader, packed)).toString(), text)
    }
  })

  test('is stored uncompressed if compression does not make it smaller', async () => {
    const packed = packAnswer('addPublicCartItem', Buffer.from([0xff, 0x00, 0x80]))
    assert.deepEqual(packed, { dictionary: null, bytes: Buffer.from([0xff, 0x00, 0x80]) })
  })

  test('of another version is read with the dictionary that it stored', async () => {
    const dictionary = Buffer.from('{"data":{"wasNamed":"so"}}')
    await run('insert into answer_dictionaries (id, dictionary) values (7, $1)', [dictionary])
    const bytes = deflateRawSync('{"data":{"wasNamed":"else"}}', { dictionary })
    const answer = await unpackAnswer(database.reader, { dictionary: 7n, bytes })
    assert.equal(answer.toString(), '{"data":{"wasNamed":"else"}}')
  })

  test('has its dictionary in the database before it is stored', async () => {
    await database.transaction(async (tx) => keepDictionaries(tx))
    const { dictionary } = packAnswer('createPublicCart', Buffer.from(JSON.stringify({ data: {} }).repeat(9)))
    const kept = statement('test.kept', 'select 1 from answer_dictionaries where id = $1')
    assert.equal((await database.reader.rows(kept, [dictionary])).length, 1)
  })
})

describe('the daily partitions of answers', () => {
  const sweptAt = (now: Date) => database.transaction((tx) => sweepAnswers(tx, now))

  test('are created a week ahead, and only once', async () => {
    await sweptAt(midnight)
    await sweptAt(midnight)
    assert.deepEqual(
      await partitions(),
      Array.from({ length: 8 }, (_, day) => `2026030${1 + day}`),
    )
  })

  test('are dropped when the whole day is past its retention, and none of its keys is left', async () => {
    const lastMoment = after(DAY_MS - 1)
    const keyed = `insert into idempotency_keys (environment, installation_id, key, fingerprint, status, created_at)
      values ('test', 'ins_a', 'k', sha256('x'), 200, $1)`
    await run(keyed, [lastMoment])
    await sweptAt(after(31 * DAY_MS - 1))
    assert.equal((await partitions())[0], '20260301')
    await sweptAt(after(31 * DAY_MS))
    assert.equal((await partitions())[0], '20260301', 'its key is still there')
    await run('delete from idempotency_keys')
    await sweptAt(after(31 * DAY_MS))
    assert.equal((await partitions())[0], '20260302')
  })

  test('are created once by concurrent writes that need the same one', async () => {
    const day = after(400 * DAY_MS)
    const sent = statement('test.sent', 'select 1')
    let second: Promise<void> | undefined
    let ended = false
    await database.transaction(async (tx) => {
      createAnswersPartition(tx, day)
      await tx.rows(sent)
      second = database.transaction(async (other) => createAnswersPartition(other, day))
      void second.then(() => {
        ended = true
      })
      while (!(await waitsForLock(database))) assert(!ended, 'the second write waits')
    })
    await second
    assert((await partitions()).includes(day.toISOString().slice(0, 10).replaceAll('-', '')))
  })
})
