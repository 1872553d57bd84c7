import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sentenceOf } from './failure.ts'

test('a PostgreSQL without a free connection is explained, even as the cause of a failed transaction', () => {
  const full = Object.assign(new Error('sorry, too many clients already'), { code: '53300' })
  for (const name of ['RolledBack', 'Unreachable']) {
    assert.match(sentenceOf(Object.assign(new Error('failed', { cause: full }), { name })) ?? '', /no free connection/)
  }
  assert.equal(sentenceOf(new Error('another error', { cause: full })), null)
})
