import assert from 'node:assert/strict'
import { test } from 'node:test'
import { comparableEmail } from './email.ts'

test('spellings of the same mailbox compare as equal', () => {
  for (const typed of ['ada@example.com', ' Ada@Example.COM', 'ＡＤＡ@example.com']) {
    assert.equal(comparableEmail(typed), 'ada@example.com')
  }
  assert.notEqual(comparableEmail('ada+shop@example.com'), 'ada@example.com')
})
