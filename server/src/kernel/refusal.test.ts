import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AssertionError, assert as must, present, unreachable } from './assert.ts'
import { Refusal, refuse } from './refusal.ts'

describe('a refusal', () => {
  test('has its code and facts', () => {
    assert.throws(
      () => refuse('cart_locked', { conflict: { currentState: 'locked' } }),
      (error) =>
        error instanceof Refusal && error.code === 'cart_locked' && error.facts.conflict?.currentState === 'locked',
    )
  })

  test('is not an assertion error', () => {
    assert.throws(
      () => refuse('not_found'),
      (error) => !(error instanceof AssertionError),
    )
    assert.throws(
      () => must(false, 'a bug'),
      (error) => error instanceof AssertionError && !(error instanceof Refusal),
    )
  })
})

describe('present', () => {
  test('accepts every value except null and undefined', () => {
    for (const value of [0, '', false, Number.NaN]) assert.equal(present(value, 'a value'), value)
    for (const value of [null, undefined]) assert.throws(() => present(value, 'the cart'), /the cart/)
  })
})

describe('unreachable', () => {
  test('names the missing case', () => {
    assert.throws(() => unreachable('on_hold' as never), /on_hold/)
  })
})
