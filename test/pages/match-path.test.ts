import assert from 'node:assert/strict'
import { test } from 'node:test'
import { matchPath } from '../../console/src/match-path.ts'

test('a path has the values of its pattern', () => {
  assert.deepEqual(matchPath('/orders/:orderId', '/orders/order%201'), { orderId: 'order 1' })
  assert.deepEqual(matchPath('/orders', '/orders'), {})
  assert.equal(matchPath('/orders', '/orders/1'), null)
  assert.equal(matchPath('/orders/:orderId', '/customers/1'), null)
})

test('a malformed path matches no page', () => {
  assert.equal(matchPath('/orders/:orderId', '/orders/%E0%A4%A'), null)
})
