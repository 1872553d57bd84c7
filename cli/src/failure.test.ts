import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DatabaseError } from 'pg'
import { sentenceOf } from './failure.ts'

test('a PostgreSQL without a free connection is named, also behind the transaction that needed one', () => {
  const full = Object.assign(new DatabaseError('sorry, too many clients already', 0, 'error'), { code: '53300' })
  for (const name of ['RolledBack', 'Unreachable']) {
    assert.match(sentenceOf(Object.assign(new Error('failed', { cause: full }), { name })) ?? '', /no free connection/)
  }
  assert.equal(sentenceOf(new Error('another error', { cause: full })), null)
})
