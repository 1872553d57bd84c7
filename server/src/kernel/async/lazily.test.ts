import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lazily } from './lazily.ts'

test('a value is computed once for all callers, and again after a failure', async () => {
  let computed = 0
  const value = lazily(async () => {
    computed += 1
    if (computed === 1) throw new Error('Too early.')
    return computed
  })
  const first = await Promise.allSettled([value(), value()])
  assert.deepEqual(
    first.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.deepEqual([await value(), await value(), computed], [2, 2, 2])
})
