import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changeOf } from '../../console/src/pages/today/change.ts'

test('a figure changes in percent of the period before', () => {
  assert.deepEqual([changeOf(150, 100), changeOf(50, 100), changeOf(-50, 100)], [50, -50, -150])
})

test('and shows no change after nothing or a loss', () => {
  assert.deepEqual([changeOf(50, 0), changeOf(50, -100), changeOf(-150, -100)], [null, null, null])
  assert.deepEqual([changeOf(Number.NaN, 1), changeOf(1, Number.NaN)], [null, null])
})
