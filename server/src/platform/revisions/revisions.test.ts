import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { testDatabase } from '../../../../test/support/database.ts'
import { repeatOnTimer } from '../../kernel/clock.ts'
import { logger } from '../observe/logger.ts'
import { type Database, type Reader, statement } from '../postgres/index.ts'
import { RevisionFollower } from './revision-follower.ts'
import { bumpRevision, Revisions } from './revisions.ts'

const clear = statement('test.clear_revisions', 'truncate revisions')

let database: Database
let revisions: Revisions
before(async () => {
  ;({ database } = await testDatabase())
})
beforeEach(async () => {
  await database.transaction(async (tx) => tx.write(clear, []))
  revisions = new Revisions()
})

const bump = (...subjects: string[]) =>
  database.transaction(async (tx) => {
    for (const subject of subjects) bumpRevision(tx, subject)
  })

describe('revisions', () => {
  test('are zero before the first change, and grow by one with each', async () => {
    await revisions.refresh(database.reader)
    assert.equal(revisions.of('site'), 0n)
    await bump('site')
    await bump('site')
    await revisions.refresh(database.reader)
    assert.equal(revisions.of('site'), 2n)
  })

  test('of a subject include those below it, and not others with the same prefix', async () => {
    await bump(
      'catalog/store_a',
      'catalog/store_a',
      'catalog/store_b',
      'catalogue',
      'catalog/store_ab',
      'rules/store_a',
    )
    await revisions.refresh(database.reader)
    assert.equal(revisions.of('catalog'), 4n)
    assert.equal(revisions.of('catalog/store_a'), 2n)
    assert.equal(revisions.of('catalog/store_c'), 0n)
    assert.equal(revisions.of('rules'), 1n)
  })

  test('grow if and only if the change is committed', async () => {
    const undone = database.transaction(async (tx) => {
      bumpRevision(tx, 'site')
      throw new Error('undone')
    })
    await assert.rejects(undone)
    await revisions.refresh(database.reader)
    assert.equal(revisions.of('site'), 0n)
  })

  test('count each of twenty concurrent changes', async () => {
    await Promise.all(Array.from({ length: 20 }, () => bump('site')))
    await revisions.refresh(database.reader)
    assert.equal(revisions.of('site'), 20n)
  })

  test('have a stamp that changes with each of them', async () => {
    const stamps = new Set<string>()
    for (const subject of ['site', 'catalog/store_a', 'site']) {
      await bump(subject)
      await revisions.refresh(database.reader)
      stamps.add(revisions.stamp)
    }
    assert.equal(stamps.size, 3)
  })

  test('cost one query while nothing has changed', async () => {
    await bump('site')
    await revisions.refresh(database.reader)
    const before = database.counters().queries
    await revisions.refresh(database.reader)
    assert.equal(database.counters().queries - before, 1)
  })

  test('detect a change between the two queries of a refresh at the next refresh', async () => {
    await bump('site')
    const { reader } = database
    const interrupted: Reader = {
      ...reader,
      row: async (statement, values) => {
        const row = await reader.row(statement, values)
        await bump('catalog/store_a')
        return row
      },
    }
    await revisions.refresh(interrupted)
    assert.equal(revisions.of('catalog'), 1n, 'the change was read, though the total was older')
    await bump('catalog/store_a')
    await revisions.refresh(reader)
    assert.equal(revisions.of('catalog'), 2n)
  })
})

/** What a node reads after a failover: the same revisions on the next timeline. */
function promoted(reader: Reader): Reader {
  return {
    ...reader,
    row: async (asked, values) => {
      const row = await reader.row(asked, values)
      return row && 'timeline' in (row as object) ? { ...row, timeline: 2 } : row
    },
  }
}

describe('after a failover that lost a change', () => {
  test('another change with its number makes answers old, and prepares the subject again', async () => {
    const prepared: string[] = []
    revisions = new Revisions({ site: async () => void prepared.push('site') })
    await bump('site')
    await revisions.refresh(database.reader)
    const [lost, stamp] = [revisions.of('site'), revisions.stamp]

    await revisions.refresh(promoted(database.reader))
    assert.notEqual(revisions.of('site'), lost)
    assert.notEqual(revisions.stamp, stamp)
    assert.deepEqual(prepared, ['site', 'site'])

    const after = revisions.of('site')
    await revisions.refresh(promoted(database.reader))
    assert.equal(revisions.of('site'), after, 'once')
    const node = new Revisions()
    await node.refresh(promoted(database.reader))
    assert.equal(node.of('site'), after, 'all nodes give the same revision')
  })
})

describe('the follower', () => {
  test('is notified of a change of another node', async (t) => {
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    const watched = {
      refresh: async (reader: Reader) => {
        await revisions.refresh(reader)
        if (revisions.of('site') > 0n) resolve()
      },
    } as Revisions
    const following = new RevisionFollower({
      database,
      revisions: watched,
      log: logger('silent'),
      repeat: repeatOnTimer,
    })
    t.after(() => following.stop())
    await following.start()
    await bump('site')
    await seen
    assert.equal(revisions.of('site'), 1n)
  })

  test('continues after a failed refresh', async (t) => {
    const { promise: seen, resolve } = Promise.withResolvers<void>()
    let refreshes = 0
    const flaky = {
      refresh: async () => {
        refreshes += 1
        if (refreshes === 1) throw new Error('PostgreSQL is gone')
        resolve()
      },
    } as unknown as Revisions
    const following = new RevisionFollower({ database, revisions: flaky, log: logger('silent'), repeat: repeatOnTimer })
    t.after(() => following.stop())
    await following.start()
    await bump('site')
    await seen
  })

  test('makes no refresh after it is stopped', async () => {
    let refreshes = 0
    const counted = {
      refresh: async () => {
        refreshes += 1
      },
    } as unknown as Revisions
    const following = new RevisionFollower({
      database,
      revisions: counted,
      log: logger('silent'),
      repeat: repeatOnTimer,
    })
    await following.start()
    await following.stop()
    const before = refreshes
    await bump('site')
    assert.equal(refreshes, before)
  })
})
