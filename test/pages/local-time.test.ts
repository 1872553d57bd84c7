import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { localTime, timestampOf } from '../../console/src/pages/promotions/local-time.ts'

/** The dates of a promotion, which an operator edits in local time, to the minute. */

describe('a time in a field to the minute, in Berlin', () => {
  const zone = process.env.TZ
  before(() => {
    process.env.TZ = 'Europe/Berlin'
  })
  after(() => {
    if (zone === undefined) delete process.env.TZ
    else process.env.TZ = zone
  })

  test('keeps its seconds if it is not changed', () => {
    const saved = '2026-11-30T22:59:59.000Z'
    assert.equal(localTime(saved), '2026-11-30T23:59')
    assert.equal(timestampOf(localTime(saved), saved), saved)
  })

  test('stays in its hour of the two that daylight saving time ends with, if it is not changed', () => {
    for (const saved of ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']) {
      assert.equal(localTime(saved), '2026-10-25T02:30')
      assert.equal(timestampOf('2026-10-25T02:30', saved), saved)
    }
  })

  test('is the typed one if it is changed, or new, and none if it is emptied', () => {
    assert.equal(timestampOf('2026-12-01T10:00', '2026-11-30T22:59:59.000Z'), '2026-12-01T09:00:00.000Z')
    assert.equal(timestampOf('2026-07-01T10:00', null), '2026-07-01T08:00:00.000Z')
    assert.equal(timestampOf('', '2026-11-30T22:59:59.000Z'), null)
    assert.equal(timestampOf('', null), null)
  })
})
