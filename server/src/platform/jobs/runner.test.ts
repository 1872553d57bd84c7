import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { testClock } from '../../../../test/support/clock.ts'
import { testDatabase } from '../../../../test/support/database.ts'
import { type Asked, analyze, nodesOf, noteAll, plansOf } from '../../../../test/support/plans.ts'
import { idSource } from '../../kernel/ids.ts'
import { systemRandomness } from '../../kernel/randomness.ts'
import { logger } from '../observe/logger.ts'
import { type Database, statement } from '../postgres/index.ts'
import { type JobHandler, type JobHandlers, JobRunner } from './runner.ts'
import { type ClaimedJob, claimJobs, enqueue, failJob, finishJob, jobRetryDelayMs, type NewJob } from './store.ts'

const MINUTE_MS = 60_000
const clock = testClock()
const ids = idSource(clock, systemRandomness())
const log = logger('silent')

interface Row {
  subject: string
  attempts: number
  run_at: Date
  lease_until: Date | null
  last_error: string | null
  dead_at: Date | null
}
const list = statement<Row>(
  'test.jobs',
  'select subject, attempts, run_at, lease_until, last_error, dead_at from jobs order by subject',
)
const clear = statement('test.clear_jobs', 'truncate jobs')

let database: Database
before(async () => {
  ;({ database } = await testDatabase())
})
beforeEach(() => database.transaction(async (tx) => tx.write(clear, [])))

const jobs = () => database.reader.rows(list)
const add = (job: Partial<NewJob> = {}) =>
  database.transaction(async (tx) => enqueue(tx, { kind: 'mail', subject: 'one', runAt: clock.now(), ...job }, ids))
const runner = (handlers: JobHandlers) => new JobRunner(handlers, { database, clock, ids, log })
const claim = (limit = 10) =>
  database.transaction((tx) => {
    const now = clock.now()
    return claimJobs(tx, { kinds: ['mail'], now, leaseUntil: new Date(now.getTime() + MINUTE_MS), limit })
  })
const done: JobHandler = async () => undefined

describe('a job', () => {
  test('whose error quotes a NUL is retried like any other', async () => {
    const failing = runner({
      mail: () => Promise.reject(new SyntaxError(`Unexpected token '\0', "\0" is not valid JSON`)),
    })
    await add()
    await failing.runDue()
    const [job] = await jobs()
    assert.deepEqual([job?.attempts, job?.lease_until], [1, null])
    assert.equal(job?.last_error, `Unexpected token '', "" is not valid JSON`)
  })

  test('runs when it is due and not before, and is removed when it is done', async () => {
    const ran: unknown[] = []
    const mail = runner({ mail: async (job) => void ran.push(job.payload) })
    await add({ payload: { to: 'ada' }, runAt: new Date(clock.now().getTime() + 1000) })

    await mail.runDue()
    assert.deepEqual(ran, [])

    clock.advance(1000)
    await mail.runDue()
    assert.deepEqual([ran, await jobs()], [[{ to: 'ada' }], []])
  })

  test('exists once per kind and subject', async () => {
    await add({ payload: 'first' })
    await add({ payload: 'second' })
    const [held, ...more] = await claim()
    assert.deepEqual([held?.payload, more], ['first', []])
  })

  test('exists if and only if its transaction commits', async () => {
    const undone = database.transaction(async (tx) => {
      enqueue(tx, { kind: 'mail', subject: 'one', runAt: clock.now() }, ids)
      throw new Error('undone')
    })
    await assert.rejects(undone)
    assert.deepEqual(await jobs(), [])
  })

  test('runs again when its handler returns a date, with all its attempts', async () => {
    const later = new Date(clock.now().getTime() + MINUTE_MS)
    await add()
    await runner({ mail: async () => later }).runDue()
    const [row] = await jobs()
    assert.deepEqual([row?.run_at, row?.attempts, row?.lease_until], [later, 0, null])
  })

  test('is ignored by a runner without a handler for its kind', async () => {
    await add({ kind: 'webhook' })
    await runner({ mail: done }).runDue()
    assert.equal((await jobs())[0]?.attempts, 0)
  })
})

describe('a clock that is set back by an hour', () => {
  const HOUR_MS = 60 * MINUTE_MS

  test('delays no job: neither a due one, nor a retry, nor a periodic one, nor one whose worker died', async () => {
    const kinds = ['due', 'failing', 'periodic', 'dying']
    let ran: string[] = []
    const handlers: JobHandlers = Object.fromEntries(
      kinds.map((kind): [string, JobHandler] => [
        kind,
        async (_job, { now }) => {
          ran.push(kind)
          if (kind === 'failing') throw new Error('no')
          return kind === 'periodic' ? new Date(now.getTime() + MINUTE_MS) : undefined
        },
      ]),
    )
    const worker = runner(handlers)
    for (const kind of ['failing', 'periodic']) await add({ kind })
    await worker.runDue()
    for (const kind of ['due', 'dying']) await add({ kind })
    const leaseUntil = new Date(clock.now().getTime() + MINUTE_MS)
    await database.transaction((tx) => claimJobs(tx, { kinds: ['dying'], now: clock.now(), leaseUntil, limit: 1 }))

    ran = []
    clock.advance(-HOUR_MS)
    await worker.runDue()
    assert.deepEqual(ran, ['due'])
    clock.advance(MINUTE_MS)
    await worker.runDue()
    assert.deepEqual(ran.toSorted(), ['due', 'dying', 'failing', 'periodic'])
    clock.advance(HOUR_MS)
  })
})

describe('the signal of a job', () => {
  test('aborts before its lease ends, so that no call outlasts it', { timeout: 30_000 }, async () => {
    await add()
    const calling: JobHandler = async (_job, { signal }) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      throw new Error('given up')
    }
    await new JobRunner({ mail: calling }, { database, clock, ids, log, callMsMax: 50 }).runDue()
    assert.equal((await jobs())[0]?.last_error, 'given up')
  })
})

describe('a claim', () => {
  test('reads no jobs of other kinds, however many are due', async () => {
    const fill = `insert into jobs (id, kind, subject, run_at, attempts_max)
      select 'job_' || n, case when n % 1000 = 0 then 'rare' else 'mail' end, n::text, $1, 8 from generate_series(1, 5000) n`
    const { database: filled, ownerUrl } = await testDatabase()
    const now = clock.now()
    await filled.transaction(async (tx) => tx.write(statement('', fill), [now]))
    await analyze(ownerUrl, 'jobs')
    const asked: Asked[] = []
    noteAll(filled, (each) => asked.push(each))
    const leaseUntil = new Date(now.getTime() + MINUTE_MS)
    const claimed = await filled.transaction((tx) =>
      claimJobs(tx, { kinds: ['rare', 'none'], now, leaseUntil, limit: 2 }),
    )
    assert.equal(claimed.length, 2)
    const before = 'set local plan_cache_mode = force_generic_plan'
    for (const { text, plan } of await plansOf(ownerUrl, asked, { before, executed: true })) {
      const read = nodesOf(plan).map((node) => (node['Rows Removed by Filter'] ?? 0) * (node['Actual Loops'] ?? 1))
      assert.ok(Math.max(...read) < 100, `${read} rows in vain: ${text}`)
    }
  })

  test('takes the jobs that have waited the longest, of whichever kind, and in this order', async () => {
    const minutesAgo = (minutes: number) => new Date(clock.now().getTime() - minutes * MINUTE_MS)
    for (const [subject, kind, minutes] of [
      ['a', 'mail', 1],
      ['b', 'other', 4],
      ['c', 'mail', 3],
      ['d', 'other', 2],
    ] as const)
      await add({ kind, subject, runAt: minutesAgo(minutes) })
    const now = clock.now()
    const leaseUntil = new Date(now.getTime() + MINUTE_MS)
    const claimed = await database.transaction((tx) =>
      claimJobs(tx, { kinds: ['mail', 'other'], now, leaseUntil, limit: 3 }),
    )
    assert.deepEqual(
      claimed.map(({ subject }) => subject),
      ['b', 'c', 'd'],
    )
  })
})

describe('two runners', () => {
  test('run each of fifty jobs once between them', async () => {
    const ran: string[] = []
    const handlers: JobHandlers = { mail: async (job) => void ran.push(job.subject) }
    await Promise.all(Array.from({ length: 50 }, (_, index) => add({ subject: `mail ${index}` })))
    await Promise.all([runner(handlers).runDue(), runner(handlers).runDue(), runner(handlers).runDue()])
    assert.equal(ran.length, 50)
    assert.equal(new Set(ran).size, 50)
    assert.deepEqual(await jobs(), [])
  })

  test('never wait for each other: one skips what the other is claiming', async () => {
    await Promise.all([add({ subject: 'a' }), add({ subject: 'b' })])
    const wanted = {
      kinds: ['mail'],
      now: clock.now(),
      leaseUntil: new Date(clock.now().getTime() + MINUTE_MS),
      limit: 1,
    }
    const [first, second] = await database.transaction(async (tx) => [
      await claimJobs(tx, wanted),
      await database.transaction((other) => claimJobs(other, wanted)),
    ])
    assert.deepEqual([first?.length, second?.length], [1, 1])
    assert.notEqual(first?.[0]?.id, second?.[0]?.id)
  })
})

describe('a lease', () => {
  test('excludes other workers until it ends', async () => {
    await add()
    assert.equal((await claim()).length, 1)
    clock.advance(MINUTE_MS - 1)
    assert.equal((await claim()).length, 0)
    clock.advance(1)
    const [again] = await claim()
    assert.deepEqual([again?.attempts, again?.fence], [2, 2n])
  })

  test('that expired before its job began returns the job with its attempts: another worker may run it', async () => {
    const ran: string[] = []
    const slow = runner({
      mail: async (job) => {
        ran.push(job.subject)
        if (ran.length === 1) clock.advance(MINUTE_MS)
      },
    })
    for (const subject of ['a', 'b']) await add({ subject, attemptsMax: 1 })
    await slow.runDue()

    assert.deepEqual([ran.toSorted(), await jobs()], [['a', 'b'], []])
  })

  test('is not used up by the jobs before: no other worker runs a job that began late', async () => {
    const ran: string[] = []
    const other = runner({ mail: async (job) => void ran.push(job.subject) })
    const slow = runner({
      mail: async (job) => {
        ran.push(job.subject)
        clock.advance(MINUTE_MS / 3)
        await other.runDue()
      },
    })
    for (const subject of ['a', 'b', 'c', 'd']) await add({ subject })
    await slow.runDue()
    assert.deepEqual(ran.toSorted(), ['a', 'b', 'c', 'd'])
  })

  test('that expired discards the result: the result of the later claim counts', async () => {
    await add()
    const [lost] = (await claim()) as [ClaimedJob]
    clock.advance(MINUTE_MS)
    const [held] = (await claim()) as [ClaimedJob]

    assert.equal(await database.transaction((tx) => finishJob(tx, lost, null)), false)
    assert.equal(await database.transaction((tx) => finishJob(tx, lost, clock.now())), false)
    await database.transaction(async (tx) => failJob(tx, lost, 'late', clock.now()))
    const [row] = await jobs()
    assert.deepEqual([row?.last_error, row?.attempts, row?.lease_until !== null], [null, 2, true])

    assert.equal(await database.transaction((tx) => finishJob(tx, held, null)), true)
    assert.deepEqual(await jobs(), [])
  })
})

describe('a job that fails', () => {
  test('is retried with exponential backoff up to six hours, and records why it failed', async () => {
    const waits = [1, 2, 3, 4, 5, 6, 7, 8, 1000, 2_000_000_000].map((attempts) => jobRetryDelayMs(attempts) / 1000)
    assert.deepEqual(waits, [5, 20, 80, 320, 1280, 5120, 20_480, 21_600, 21_600, 21_600])

    await add()
    await runner({ mail: () => Promise.reject(new Error('no route to host')) }).runDue()
    const [row] = await jobs()
    assert.deepEqual(
      [row?.run_at, row?.attempts, row?.last_error, row?.lease_until, row?.dead_at],
      [new Date(clock.now().getTime() + 5000), 1, 'no route to host', null, null],
    )
  })

  test('does not delay later jobs', async () => {
    await Promise.all(['a', 'b', 'c', 'd', 'e'].map((subject) => add({ subject })))
    await runner({ mail: async (job) => (job.subject === 'a' ? Promise.reject(new Error('no')) : undefined) }).runDue()
    assert.deepEqual(
      (await jobs()).map((row) => row.subject),
      ['a'],
    )
  })

  test('is dead after its last attempt, and waits for an operator', async () => {
    let ran = 0
    const failing = runner({
      mail: () => {
        ran += 1
        return Promise.reject(new Error(`failure ${ran}`))
      },
    })
    await add({ attemptsMax: 3 })
    for (let days = 0; days < 5; days += 1) {
      await failing.runDue()
      clock.advance(24 * 60 * MINUTE_MS)
    }
    const [row] = await jobs()
    assert.deepEqual([ran, row?.attempts, row?.last_error, row?.dead_at !== null], [3, 3, 'failure 3', true])
  })

  test('by killing its worker each time becomes dead: claims are attempts', async () => {
    await add({ attemptsMax: 2 })
    for (const expected of [1, 1, 0, 0]) {
      assert.equal((await claim()).length, expected)
      clock.advance(2 * MINUTE_MS)
    }
    const [row] = await jobs()
    assert.deepEqual([row?.attempts, row?.last_error], [2, 'its worker died during the last attempt'])
    assert(row?.dead_at)
  })

  test('by killing its worker each time takes no other job with it', async () => {
    for (const [index, subject] of ['kills', 'one', 'two', 'three'].entries())
      await add({ subject, attemptsMax: 3, runAt: new Date(clock.now().getTime() + index) })
    clock.advance(MINUTE_MS)
    const ran: string[] = []
    for (let death = 1; death <= 3; death += 1) {
      const reached = Promise.withResolvers<void>()
      const killing: JobHandler = async ({ subject }) => {
        if (subject !== 'kills') return void ran.push(subject)
        reached.resolve()
        // Like a process that ends here.
        return new Promise(() => {})
      }
      void runner({ mail: killing }).runDue()
      await reached.promise
      clock.advance(MINUTE_MS + 1)
    }
    await runner({ mail: async ({ subject }) => void ran.push(subject) }).runDue()
    const left = (await jobs()).map(({ subject, dead_at }) => [subject, dead_at !== null])
    assert.deepEqual([ran.toSorted(), left], [['one', 'three', 'two'], [['kills', true]]])
  })

  test('truncates a long reason', async () => {
    await add()
    await runner({ mail: () => Promise.reject(new Error('x'.repeat(5000))) }).runDue()
    assert.equal((await jobs())[0]?.last_error?.length, 1000)
  })
})

describe('a runner that is stopped', () => {
  test('finishes the running job, returns claimed ones with their attempts, and ends', async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: released, resolve: release } = Promise.withResolvers<void>()
    const ran: string[] = []
    const slow = runner({
      mail: async (job) => {
        ran.push(job.subject)
        begin()
        await released
      },
    })
    await Promise.all(['a', 'b', 'c'].map((subject) => add({ subject })))
    slow.start()
    await begun
    const stopped = slow.stop()
    release()
    await stopped

    const left = await jobs()
    assert.equal(ran.length, 1)
    assert.deepEqual(
      left.map((row) => [row.attempts, row.lease_until]),
      [
        [0, null],
        [0, null],
      ],
    )
    assert.equal((await claim()).length, 2, 'another worker takes them at once')
  })

  test('claims nothing more', async () => {
    const idle = runner({ mail: done })
    await idle.stop()
    await add()
    await idle.runDue()
    assert.equal((await jobs()).length, 1)
  })
})
