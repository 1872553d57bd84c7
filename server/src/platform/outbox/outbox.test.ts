import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { idSource } from '../../kernel/ids.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { type Database, isUniqueViolation, statement } from '../postgres/index.ts'
import type { DomainEvent } from './event.ts'
import { append } from './outbox.ts'

const clock = testClock()
const context = { ids: idSource(clock, systemRandomness()), now: clock.now() }
const event: DomainEvent = {
  kind: 'cart.revoked',
  environment: 'test',
  installationId: 'ins_a',
  storeId: null,
  subjectId: 'cart_a',
  sequence: 4,
  data: { reason: 'größe "x"\n' },
}
const list = statement<{ id: string; kind: string; data: unknown; sequence: bigint }>(
  'test.events',
  'select id, kind, data, sequence from events where subject_id = $1',
)

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})

describe('an event', () => {
  test('exists if and only if the change that it tells of does', async () => {
    const undone = database.transaction(async (tx) => {
      append(tx, event, context)
      throw new Error('undone')
    })
    await assert.rejects(undone)
    assert.deepEqual(await database.reader.rows(list, ['cart_a']), [])

    await database.transaction(async (tx) => append(tx, event, context))
    const [kept] = await database.reader.rows(list, ['cart_a'])
    assert.match(kept?.id ?? '', /^evt_/)
    assert.deepEqual([kept?.kind, kept?.data, kept?.sequence], ['cart.revoked', event.data, 4n])
  })

  test('is told once of a change: the database refuses a second one with its number', async () => {
    const twice = database.transaction(async (tx) => {
      append(tx, { ...event, subjectId: 'cart_b' }, context)
      append(tx, { ...event, subjectId: 'cart_b' }, context)
    })
    await assert.rejects(twice, (error) => isUniqueViolation(error))
  })
})
