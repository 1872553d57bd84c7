import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { EARLIER_ORDER_FACTS, presentTimeline, type StoredEntry, storedEntry, timelineEntry } from './timeline.ts'

const at = '2026-05-05T12:00:00.000Z'
const read = (entry: StoredEntry) => timelineEntry('orderTimeline', entry, EARLIER_ORDER_FACTS)
const textOf = (entry: StoredEntry, locale: string) => presentTimeline('orderTimeline', [read(entry)], locale)[0]?.text

describe('an entry of a timeline', () => {
  const dispatched = { code: 'parcel_dispatched', facts: { units: 2, carrier: 'DHL' } } as const
  const stored = storedEntry('orderTimeline', { at: new Date(at), actor: 'operator', ...dispatched })

  test('is stored with its facts, and with the English text that the previous version reads', () => {
    assert.deepEqual(stored, { at, actor: 'operator', ...dispatched, text: '2 units were handed over to DHL.' })
  })

  test('is presented in the language of the order, or in English if we have no texts in it', () => {
    assert.equal(textOf(stored, 'de-AT'), '2 Stück wurden an DHL übergeben.')
    assert.equal(textOf(stored, 'fr'), '2 units were handed over to DHL.')
  })

  for (const [code, english, german] of [
    ['confirmed', 'The order was confirmed.', 'Die Bestellung wurde bestätigt.'],
    ['parcel_dispatched', '1 unit was handed over.', '1 Stück wurde verschickt.'],
    ['parcel_dispatched', '7 units were handed over to Dr. Post.', '7 Stück wurden an Dr. Post übergeben.'],
    ['parcel_delivered', '7 units were delivered.', '7 Stück wurden zugestellt.'],
    ['parcel_failed', '1 unit was not delivered.', '1 Stück wurde nicht zugestellt.'],
    ['units_canceled', '1 unit was canceled.', '1 Stück wurde storniert.'],
    ['units_returned', '3 units were returned.', '3 Stück wurden zurückgeschickt.'],
    ['held', 'The order was put on hold.', 'Die Bestellung wurde angehalten.'],
    ['held', 'The address looks odd.', 'The address looks odd.'],
    ['refund_begun', 'A refund was requested.', 'Eine Erstattung wurde veranlasst.'],
    ['refund_begun', 'The refund was requested again.', 'Die Erstattung wurde erneut veranlasst.'],
  ] as const) {
    test(`of an earlier version is presented in German too: ${code}, ${english}`, () => {
      assert.equal(textOf({ at, actor: 'system', code, text: english }, 'de'), german)
    })
  }

  test('keeps its text if its code is unknown or its facts cannot be read', () => {
    for (const code of ['inspected_by_hand', 'parcel_delivered']) {
      const entry = { at, actor: 'system', code, text: 'The neighbor has it.' } as const
      assert.equal(textOf(entry, 'de'), 'The neighbor has it.')
      assert.equal(storedEntry('orderTimeline', read(entry)).text, 'The neighbor has it.')
    }
  })
})
