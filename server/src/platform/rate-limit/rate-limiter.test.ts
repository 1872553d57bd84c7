import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import { testDatabase } from '../../../../test/support/database.ts'
import { refuses } from '../../../../test/support/refuses.ts'
import { type Database, statement } from '../postgres/index.ts'
import { allOff, rateLimitPolicies } from './policy.ts'
import { rateLimiter, rateLimitHeaders, refuseOverLimit } from './rate-limiter.ts'

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})

const START_MS = Date.UTC(2026, 4, 4, 12)
let callers = 0
/** A new caller. */
const someone = () => `caller ${++callers}`
const limiter = (limit: number, windowSeconds: number, burst: number) =>
  rateLimiter(database.reader, rateLimitPolicies({ 'key-read': { limit, windowSeconds, burst } }))

/** The generic cell rate algorithm in five lines, on whole microseconds. */
function model(limit: number, windowSeconds: number, burst: number) {
  const cellUs = Math.round((windowSeconds * 1e6) / limit)
  let arrivalUs = 0
  return (nowMs: number) => {
    const nextUs = Math.max(arrivalUs, nowMs * 1000) + cellUs
    const waitUs = nextUs - burst * cellUs - nowMs * 1000
    if (waitUs <= 0) arrivalUs = nextUs
    return { allowed: waitUs <= 0, waitMs: Math.max(0, Math.ceil(waitUs / 1000)) }
  }
}

const figures = fc.record({
  limit: fc.integer({ min: 1, max: 5000 }),
  windowSeconds: fc.constantFrom(1, 60, 3600),
  burst: fc.integer({ min: 1, max: 19 }),
})
/** For each take, the milliseconds before it, and which of two nodes makes it. */
const takes = fc.array(fc.tuple(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3000 })), fc.boolean()), {
  minLength: 1,
  maxLength: 40,
})

describe('a rate limit', () => {
  test('grants leased cells without a query, and no others', async () => {
    const held = limiter(60, 60, 30)
    const who = someone()
    assert.equal(held.takeLeased('key-read', who, START_MS), undefined, 'no lease yet')
    const first = await held.take('key-read', who, START_MS)
    const given = [held.takeLeased('key-read', who, START_MS), held.takeLeased('key-read', who, START_MS)]
    assert.deepEqual(
      [first, ...given].map((standing) => standing?.remaining),
      [29, 28, 27],
    )
    assert.equal(held.takeLeased('key-read', who, START_MS), undefined, 'a tenth of the burst is held at a time')
    assert.equal((await held.take('key-read', who, START_MS))?.remaining, 26)
    assert.equal(held.takeLeased('key-read', who, START_MS + 10_000), undefined, 'unused cells are given up')
    assert.equal(
      rateLimiter(database.reader, rateLimitPolicies(allOff)).takeLeased('key-read', who, START_MS),
      null,
      'limits are off',
    )
  })

  test('follows the algorithm with its exact waits across two nodes', async () => {
    await fc.assert(
      fc.asyncProperty(figures, takes, async ({ limit, windowSeconds, burst }, steps) => {
        const nodes = [limiter(limit, windowSeconds, burst), limiter(limit, windowSeconds, burst)] as const
        const expected = model(limit, windowSeconds, burst)
        const who = someone()
        let nowMs = START_MS
        for (const [passMs, second] of steps) {
          nowMs += passMs
          const standing = await nodes[second ? 1 : 0].take('key-read', who, nowMs)
          const { allowed, waitMs } = expected(nowMs)
          assert.deepEqual({ allowed: standing?.allowed, waitMs: standing?.waitMs }, { allowed, waitMs })
        }
      }),
      { numRuns: 60 },
    )
  })

  test('is never exceeded by two nodes together, though each leases a tenth of the burst', async () => {
    const limit = 1200
    const burst = 100
    const perMs = limit / 60_000
    await fc.assert(
      fc.asyncProperty(takes, async (steps) => {
        const nodes = [limiter(limit, 60, burst), limiter(limit, 60, burst)] as const
        const who = someone()
        let nowMs = START_MS
        let allowed = 0
        for (const [passMs, second] of steps) {
          nowMs += passMs
          const asked = Array.from({ length: 20 }, () => nodes[second ? 1 : 0].take('key-read', who, nowMs))
          for (const standing of await Promise.all(asked)) if (standing?.allowed) allowed += 1
          assert(allowed <= burst + (nowMs - START_MS) * perMs, `${allowed} after ${nowMs - START_MS} ms`)
        }
      }),
      { numRuns: 30 },
    )
  })

  test('with a burst of 300 allows exactly 300 at once, in few queries', async () => {
    const one = limiter(1200, 60, 300)
    const who = someone()
    const before = database.counters().queries
    const standings = await Promise.all(Array.from({ length: 400 }, () => one.take('key-read', who, START_MS)))
    assert.equal(standings.filter((each) => each?.allowed).length, 300)
    assert(database.counters().queries - before <= 12, `${database.counters().queries - before} queries`)
  })

  test('is not extended by refused requests', async () => {
    const one = limiter(60, 60, 1)
    const who = someone()
    assert.equal((await one.take('key-read', who, START_MS))?.allowed, true)
    for (let ms = 0; ms < 1000; ms += 50) {
      const standing = await one.take('key-read', who, START_MS + ms)
      assert.deepEqual([standing?.allowed, standing?.waitMs], [false, 1000 - ms])
    }
    assert.equal((await one.take('key-read', who, START_MS + 1000))?.allowed, true)
  })

  test('sends no query for a caller who has to wait', async () => {
    const one = limiter(60, 60, 1)
    const who = someone()
    await one.take('key-read', who, START_MS)
    await one.take('key-read', who, START_MS)
    const before = database.counters().queries
    for (let times = 0; times < 100; times += 1) await one.take('key-read', who, START_MS + 500)
    assert.equal(database.counters().queries, before)
  })

  test('allows a caller within the rate for an hour, however small the limit', async () => {
    for (const [limit, windowSeconds, burst] of [
      [20, 300, 20],
      [120, 60, 30],
      [60, 60, 60],
      [3, 60, 50],
    ] as const) {
      const one = limiter(limit, windowSeconds, burst)
      const who = someone()
      const everyMs = Math.ceil((windowSeconds * 1000) / limit)
      for (let nowMs = START_MS; nowMs < START_MS + 3_600_000; nowMs += Math.max(everyMs, 11_000)) {
        assert.equal((await one.take('key-read', who, nowMs))?.allowed, true, `${limit} at ${nowMs - START_MS} ms`)
      }
    }
  })

  test('loses a lease after ten seconds, at most a tenth of the burst', async () => {
    const one = limiter(1200, 60, 300)
    const who = someone()
    await one.take('key-read', who, START_MS)
    const held = await database.reader.row(
      statement<{ tat_us: bigint }>('test.bucket', 'select tat_us from rate_limits where bucket = $1'),
      [`key-read ${who}`],
    )
    assert.equal(held?.tat_us, BigInt(START_MS) * 1000n + 30n * 50_000n)
    const before = database.counters().queries
    await one.take('key-read', who, START_MS + 9_999)
    assert.equal(database.counters().queries, before)
    await one.take('key-read', who, START_MS + 10_000)
    assert.equal(database.counters().queries, before + 1)
  })

  test('refuses no caller for longer than one cell takes because of a clock that was ahead', async () => {
    const nodes = [limiter(60, 60, 30), limiter(60, 60, 30)] as const
    const [first, second] = [someone(), someone()]
    const ahead = START_MS + 3_600_000
    for (const who of [first, second]) await nodes[0].take('key-read', who, ahead)
    while ((await nodes[0].take('key-read', first, ahead))?.allowed);

    for (const [node, who] of [
      [nodes[0], first],
      [nodes[1], second],
    ] as const) {
      const refused = await node.take('key-read', who, START_MS)
      assert(refused!.waitMs <= 1000, `${refused?.waitMs} ms`)
      assert.equal((await node.take('key-read', who, START_MS + 1000))?.allowed, true)
    }
  })

  test('waits for no query that is sent at the same moment, on any node', async () => {
    const slow = statement('test.slow', 'select pg_advisory_xact_lock(1)')
    const waiting = statement(
      'test.waiting',
      `select 1 from pg_locks join pg_database on oid = database and datname = current_database()
       where locktype = 'advisory' and not granted`,
    )
    const nodes = [limiter(60, 60, 30), limiter(60, 60, 30)] as const
    const who = someone()
    let runs = 0
    await database.transaction(async (tx) => {
      runs += 1
      assert.equal(runs, 1, 'PostgreSQL ends a transaction that waits for ten seconds')
      await tx.rows(slow)
      const taken = nodes[0].take('key-read', who, START_MS)
      database.reader.rows(slow).catch(() => {})
      while ((await tx.rows(waiting)).length === 0);
      for (const take of [taken, nodes[1].take('key-read', who, START_MS)]) assert.equal((await take)?.allowed, true)
    })
  })

  test('counts callers and policies separately', async () => {
    const policies = rateLimitPolicies({ 'key-read': { limit: 1, burst: 1 }, 'key-write': { limit: 1, burst: 1 } })
    const one = rateLimiter(database.reader, policies)
    const [left, right] = [someone(), someone()]
    for (const [policy, who] of [
      ['key-read', left],
      ['key-read', right],
      ['key-write', left],
    ] as const) {
      assert.equal((await one.take(policy, who, START_MS))?.allowed, true)
      assert.equal((await one.take(policy, who, START_MS))?.allowed, false)
    }
  })

  test('reports the remaining cells down to zero', async () => {
    const one = limiter(60, 60, 5)
    const who = someone()
    const left: unknown[] = []
    for (let times = 0; times < 6; times += 1) left.push((await one.take('key-read', who, START_MS))?.remaining)
    assert.deepEqual(left, [4, 3, 2, 1, 0, 0])
  })

  test('can be turned off', async () => {
    const off = rateLimiter(database.reader, rateLimitPolicies(allOff))
    assert.equal(await off.take('key-read', someone(), START_MS), null)
    refuseOverLimit(null)
  })

  test('applies to any key, however long', async () => {
    const one = limiter(60, 60, 1)
    for (const who of ["'; drop table rate_limits; --", 'é'.repeat(500), '']) {
      const name = `${who} ${someone()}`
      assert.equal((await one.take('key-read', name, START_MS))?.allowed, true)
      assert.equal((await one.take('key-read', name, START_MS))?.allowed, false)
    }
  })
})

describe('a response over the limit', () => {
  const policy = rateLimitPolicies()['key-write']
  const refused = { policy, allowed: false, remaining: 0, waitMs: 20 }

  test('names the limit and the wait, at least a millisecond', async () => {
    const { facts } = await refuses('rate_limited', () => refuseOverLimit(refused))
    assert.deepEqual(facts.rateLimit, { policy: 'key-write', limit: 3000, windowSeconds: 60, remaining: 0 })
    assert.equal(facts.afterMs, 20)
    assert.equal((await refuses('rate_limited', () => refuseOverLimit({ ...refused, waitMs: 0 }))).facts.afterMs, 1)
  })

  test('has the headers of the draft, seconds rounded up, and no Retry-After', () => {
    assert.deepEqual(rateLimitHeaders({ ...refused, waitMs: 1001 }), {
      'ratelimit-policy': '"key-write";q=3000;w=60',
      ratelimit: '"key-write";r=0;t=2',
    })
  })

  test('does not occur within the limit', () => refuseOverLimit({ ...refused, allowed: true }))
})
