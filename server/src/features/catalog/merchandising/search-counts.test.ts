import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testClock } from '../../../../../test/support/clock.ts'
import { recordingDatabase } from '../../../../../test/support/recording-database.ts'
import { keptText, SearchCounts } from './search-counts.ts'

describe('the count of searches', () => {
  test('keeps no text that may be an email address or a personal number', () => {
    const personal = [
      'jane@example.com',
      '+49 151 2345678',
      '(030) 123-45-67',
      '4111 1111 1111 1111',
      'DE89370400440532013000',
      'jane＠example.com',
      '01 51 · 23 45 67',
    ]
    for (const q of [...personal, 'order 2026 000 123', 'word '.repeat(30)]) assert.equal(keptText(q), '', q)
    for (const [q, kept] of [
      ['Café  Lamps!', 'cafe lamps'],
      ['mx-400 500gb', 'mx 400 500gb'],
      ['1920x1080', '1920x1080'],
    ] as const) {
      assert.equal(keptText(q), kept)
    }
  })

  test('keeps a limited number of queries per day, and counts the others together', async () => {
    const clock = testClock()
    const counts = new SearchCounts(clock)
    const { database, written } = recordingDatabase()
    const search = { locale: 'en', foundNothing: true, correctedTo: null, edited: false }
    for (let each = 0; each < 5100; each += 1) counts.record({ ...search, query: `q${each}` })
    counts.record({ ...search, query: 'q0' })
    await counts.flush(database)
    const [, , queries = [], searches = []] = written[0] as [string[], string[], string[], number[]]
    assert.equal(queries.length, 5001)
    assert.deepEqual([searches[queries.indexOf('')], searches[queries.indexOf('q0')]], [100, 2])
    await counts.flush(database)
    assert.equal(written.length, 1, 'nothing is written without new searches')
    clock.advance(86_400_000)
    counts.record({ ...search, query: 'q9000' })
    await counts.flush(database)
    assert.deepEqual(written[1]?.[2], ['q9000'])
  })

  test('is kept if its write fails or is repeated', async () => {
    const counts = new SearchCounts(testClock())
    const { database, written } = recordingDatabase('fails', 'repeats')
    const search = { locale: 'en', query: 'lamp', foundNothing: false, edited: false }
    counts.record({ ...search, correctedTo: 'lamps' })
    counts.record({ ...search, query: 'vase', correctedTo: null })
    const failing = counts.flush(database)
    counts.record({ ...search, correctedTo: null })
    await assert.rejects(failing, /The commit has failed/)
    await counts.flush(database)
    await counts.flush(database)
    assert.equal(written.length, 1)
    const [, , queries, searches, , corrected, , correctedTo] = written[0]!
    assert.deepEqual(
      [queries, searches, corrected, correctedTo],
      [
        ['lamp', 'vase'],
        [2, 1],
        [1, 0],
        ['lamps', null],
      ],
    )
  })
})
