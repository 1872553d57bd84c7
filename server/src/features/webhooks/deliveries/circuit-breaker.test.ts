import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { afterAttempt, type Health, hasFailedTooLong, inFlightMax } from './circuit-breaker.ts'

const NOW = new Date('2026-05-04T12:00:00.000Z')
const ago = (milliseconds: number) => new Date(NOW.getTime() - milliseconds)
const UNTRIED: Health = { consecutiveFailures: 0, failingSince: null, lastAttemptAt: null }
const DAY_MS = 86_400_000
const failing = (more: Partial<Health>): Health => ({
  consecutiveFailures: 10,
  failingSince: ago(DAY_MS),
  lastAttemptAt: ago(60_000),
  ...more,
})

describe('requests in flight', () => {
  //            failures  last attempt        at most
  const table: readonly (readonly [number, Date | null, number])[] = [
    [0, null, 5],
    [0, NOW, 5],
    [9, NOW, 5],
    [10, NOW, 0],
    [10, ago(59_999), 0],
    [10, ago(60_000), 1],
    [10, null, 1],
    [5000, ago(3_600_000), 1],
  ]
  for (const [consecutiveFailures, lastAttemptAt, most] of table) {
    test(`at most ${most} after ${consecutiveFailures} failures, the last attempt at ${lastAttemptAt?.toISOString()}`, () =>
      assert.equal(inFlightMax(failing({ consecutiveFailures, lastAttemptAt }), NOW), most))
  }
})

describe('the health of an endpoint', () => {
  test('counts consecutive failures, and records when they began', () => {
    const first = afterAttempt(UNTRIED, false, ago(1000))
    const second = afterAttempt(first, false, NOW)
    assert.deepEqual([second.consecutiveFailures, second.failingSince], [2, ago(1000)])
  })

  test('is reset by a success', () => {
    const { consecutiveFailures, failingSince } = afterAttempt(failing({}), true, NOW)
    assert.deepEqual([consecutiveFailures, failingSince], [0, null])
  })
})

describe('an endpoint has failed too long', () => {
  test('after five days without a success, and not a millisecond before', () => {
    assert.equal(hasFailedTooLong(failing({ failingSince: ago(5 * DAY_MS) }), NOW), true)
    assert.equal(hasFailedTooLong(failing({ failingSince: ago(5 * DAY_MS - 1) }), NOW), false)
    assert.equal(hasFailedTooLong(UNTRIED, NOW), false)
  })
})
