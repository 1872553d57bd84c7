import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { createdByImport } from './journal.ts'

test('the products that an import created are read in pages', async () => {
  for (const [count, reads] of [
    [0, [0]],
    [1, [1]],
    [2000, [1000, 1000, 0]],
    [2001, [1000, 1000, 1]],
  ] as const) {
    const stored = Array.from({ length: count }, (_, n) => `prod_${String(n).padStart(5, '0')}`)
    const read: number[] = []
    const reader = {
      async rows(_statement: unknown, [, after = '', limit = count]: readonly [string, string?, number?]) {
        const page = stored.filter((id) => id > after).slice(0, limit)
        read.push(page.length)
        return page.map((product_id) => ({ product_id }))
      },
    } as unknown as Reader
    const listed: string[] = []
    for await (const page of createdByImport(reader, 'imp_1')) listed.push(...page)
    assert.deepEqual(listed, stored)
    assert.deepEqual(read, reads)
  }
})
