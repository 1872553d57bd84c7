import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { testClock } from '../../../../../test/support/clock.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { keptText, SearchCounts } from './search-counts.ts'

describe('the count of searches', () => {
  test('keeps no text that may be an email address or a personal number', () => {
    const personal = [
      'jane@example.com',
      '+49 151 2345678',
      '(030) 123-45-67',
      '4111 1111 1111 1111',
      'DE89370400440532013000',
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
    const written: unknown[][] = []
    const tx = { write: (_: unknown, values: unknown[]) => written.push(values) } as unknown as Transaction
    const search = { locale: 'en', foundNothing: true, correctedTo: null, edited: false }
    for (let each = 0; each < 5100; each += 1) counts.record({ ...search, query: `q${each}` })
    counts.record({ ...search, query: 'q0' })
    counts.flush(tx)
    const [, , queries = [], searches = []] = written[0] as [string[], string[], string[], number[]]
    assert.equal(queries.length, 5001)
    assert.deepEqual([searches[queries.indexOf('')], searches[queries.indexOf('q0')]], [100, 2])
    counts.flush(tx)
    assert.equal(written.length, 1, 'nothing is written without new searches')
    clock.advance(86_400_000)
    counts.record({ ...search, query: 'q9000' })
    counts.flush(tx)
    assert.deepEqual(written[1]?.[2], ['q9000'])
  })
})
