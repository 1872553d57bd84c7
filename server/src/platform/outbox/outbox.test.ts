import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { idSource } from '../../kernel/ids.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { type Database, isUniqueViolation, statement } from '../postgres/index.ts'
import type { DomainEvent, PublicEvent } from './event.ts'
import { publishEvent, recordEvent } from './outbox.ts'

const clock = testClock()
const context = { ids: idSource(clock, systemRandomness()), now: clock.now() }
const event: DomainEvent = {
  kind: 'cart.updated',
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
  test('exists if and only if its change is committed', async () => {
    const undone = database.transaction(async (tx) => {
      recordEvent(tx, event, context)
      throw new Error('undone')
    })
    await assert.rejects(undone)
    assert.deepEqual(await database.reader.rows(list, ['cart_a']), [])

    await database.transaction(async (tx) => recordEvent(tx, event, context))
    const [kept] = await database.reader.rows(list, ['cart_a'])
    assert.match(kept?.id ?? '', /^evt_/)
    assert.deepEqual([kept?.kind, kept?.data, kept?.sequence], ['cart.updated', event.data, 4n])
  })

  test('is recorded once per change: the database rejects a second one with its sequence', async () => {
    const twice = database.transaction(async (tx) => {
      recordEvent(tx, { ...event, subjectId: 'cart_b' }, context)
      recordEvent(tx, { ...event, subjectId: 'cart_b' }, context)
    })
    await assert.rejects(twice, (error) => isUniqueViolation(error))
  })
})

const eventOf = (subjectId: string, reason = 'größe "x"\n'): PublicEvent => ({
  kind: 'cart.revoked',
  environment: 'test',
  installationId: 'ins_a',
  storeId: null,
  subjectId,
  data: { cartId: subjectId, version: 4, reason, revokedAt: clock.now().toISOString() },
})
const bodies = statement<{ id: string; sequence: bigint; body: Buffer }>(
  'test.bodies',
  'select id, sequence, body from events where subject_id = $1 order by sequence',
)

describe('a public event', () => {
  test('has a fixed body from its creation', async () => {
    await database.transaction(async (tx) => publishEvent(tx, eventOf('cart_c'), context))
    const [kept] = await database.reader.rows(bodies, ['cart_c'])
    assert.deepEqual(JSON.parse(kept!.body.toString()), {
      id: kept!.id,
      type: 'cart.revoked',
      timestamp: clock.now().toISOString(),
      apiVersion: 'v1',
      environment: 'test',
      sequence: 1,
      data: eventOf('cart_c').data,
    })
  })

  test('is numbered in the order of publishing, even in one transaction with events of the same and of other subjects', async () => {
    for (const reasons of [
      ['a', 'b'],
      ['c', 'd'],
    ]) {
      await database.transaction(async (tx) => {
        publishEvent(tx, eventOf('cart_f'), context)
        for (const reason of reasons) publishEvent(tx, eventOf('cart_e', reason), context)
      })
    }
    const published = await database.reader.rows(bodies, ['cart_e'])
    assert.deepEqual(
      published.map(({ sequence, body }) => `${sequence} ${JSON.parse(body.toString()).data.reason}`),
      ['1 a', '2 b', '3 c', '4 d'],
    )
    assert.equal((await database.reader.rows(bodies, ['cart_f'])).length, 2)
  })

  test('is numbered within its subject without gaps, despite concurrency and rollbacks', async () => {
    const many = Array.from({ length: 20 }, (_, index) =>
      database.transaction(async (tx) => {
        publishEvent(tx, eventOf('cart_d'), context)
        if (index % 3 === 0) throw new Error('undone')
      }),
    )
    const kept = (await Promise.allSettled(many)).filter(({ status }) => status === 'fulfilled').length
    const sequences = (await database.reader.rows(bodies, ['cart_d'])).map(({ sequence }) => Number(sequence))
    assert.deepEqual(
      sequences,
      Array.from({ length: kept }, (_, index) => index + 1),
    )
  })
})
