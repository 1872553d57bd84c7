import assert from 'node:assert/strict'
import { test } from 'node:test'
import { translate, translateCount } from '../../console/src/language.ts'
import { formatDay } from '../../console/src/ui/format/day.ts'
import { sentenceCase } from '../../console/src/ui/format/text.ts'

test('a number in a text has thousands separators', () => {
  assert.equal(
    translate('Only the first {count} are stored.', { count: 100_000 }),
    'Only the first 100,000 are stored.',
  )
  assert.equal(translateCount(1234, { one: '{count} order', other: '{count} orders' }), '1,234 orders')
})

test('an identifier is shown in words, and a kind of events as developers write it', () => {
  assert.equal(sentenceCase('refund_amount'), 'Refund amount')
  assert.equal(sentenceCase('order.parcel_sent'), 'order.parcel_sent')
})

test('a day is written as in the language', () => assert.equal(formatDay('2028-02-29'), 'Feb 29, 2028'))
