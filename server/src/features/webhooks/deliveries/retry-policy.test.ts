import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextAttempt, type Outcome, parseRetryAfter } from './retry-policy.ts'

const NOW = new Date('2026-05-04T12:00:00.000Z')
const answered = (httpStatus: number, retryAfter: number | null = null): Outcome => ({
  kind: 'answered',
  httpStatus,
  retryAfterMs: retryAfter,
})
const unanswered: Outcome = { kind: 'unanswered', error: 'No complete answer came in time.' }
const interrupted: Outcome = { kind: 'interrupted', error: 'We stopped before the answer came.' }

describe('the next attempt', () => {
  for (const status of [200, 201, 202, 204, 299]) {
    test(`${status} is success`, () =>
      assert.deepEqual(nextAttempt(answered(status), 1, NOW, 0.5), { command: 'succeed' }))
  }
  for (const status of [100, 199, 300, 301, 304, 308, 400, 404, 408, 409, 411, 429, 500, 599]) {
    test(`${status} is retried`, () => assert.equal(nextAttempt(answered(status), 1, NOW, 0.5).command, 'retry'))
  }

  test('410 gives up at any attempt, and marks the endpoint as gone', () => {
    for (const attempts of [1, 5, 10]) {
      assert.deepEqual(nextAttempt(answered(410), attempts, NOW, 0.5), { command: 'give_up', isGone: true })
    }
  })

  test('gives up after the tenth attempt, and not before', () => {
    assert.equal(nextAttempt(unanswered, 9, NOW, 0.5).command, 'retry')
    assert.deepEqual(nextAttempt(unanswered, 10, NOW, 0.5), { command: 'give_up', isGone: false })
    assert.deepEqual(nextAttempt(interrupted, 10, NOW, 0.5), { command: 'give_up', isGone: false })
  })

  const waitOf = (outcome: Outcome, attempts: number, chance: number) => {
    const made = nextAttempt(outcome, attempts, NOW, chance)
    assert(made.command === 'retry')
    return (made.dueAt.getTime() - NOW.getTime()) / 1000
  }
  //          after attempt  least   planned  most
  const schedule = [
    [1, 4.5, 5, 5.5],
    [2, 270, 300, 330],
    [3, 1620, 1800, 1980],
    [4, 6480, 7200, 7920],
    [5, 16_200, 18_000, 19_800],
    [6, 32_400, 36_000, 39_600],
    [7, 45_360, 50_400, 55_440],
    [8, 64_800, 72_000, 79_200],
    [9, 77_760, 86_400, 95_040],
  ] as const
  for (const [attempts, least, planned, most] of schedule) {
    test(`attempt ${attempts + 1} follows after ${planned} s, with jitter ${least} to ${most} s`, () => {
      assert.deepEqual(
        [0, 0.5, 1].map((chance) => waitOf(unanswered, attempts, chance)),
        [least, planned, most],
      )
    })
  }

  test('honors Retry-After, but never retries earlier than scheduled, and waits at most a day', () => {
    assert.equal(waitOf(answered(503, 60_000), 1, 0.5), 60)
    assert.equal(waitOf(answered(503, 1000), 1, 0.5), 5)
    assert.equal(waitOf(answered(503, 60_000), 2, 0.5), 300)
    assert.equal(waitOf(answered(503, 30 * 86_400_000), 1, 0.5), 86_400)
  })

  test('an interrupted attempt is retried at once: it was not the fault of the endpoint', () => {
    assert.equal(waitOf(interrupted, 3, 0.5), 0)
  })
})

describe('Retry-After', () => {
  const cases: readonly (readonly [string | undefined, number | null])[] = [
    [undefined, null],
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7000],
    ['Mon, 04 May 2026 12:01:00 GMT', 60_000],
    ['Mon, 04 May 2026 11:00:00 GMT', 0],
    ['-1', null],
    ['1.5', null],
    ['1e3', null],
    ['99999999999999', null],
    ['tomorrow', null],
    ['2026-05-04', null],
    ['Nonsense GMT', null],
    ['', null],
  ]
  for (const [header, expected] of cases) {
    test(`"${header}" is ${expected === null ? 'ignored' : `${expected} ms`}`, () =>
      assert.equal(parseRetryAfter(header, NOW), expected))
  }
})
