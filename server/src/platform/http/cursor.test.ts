import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { refuses } from '../../../../test/support/refuses.ts'
import { hashOfFilters, openCursor, sealCursor } from './cursor.ts'

const SECRET = Buffer.alloc(32, 7)
const FILTERS = hashOfFilters({ sort: 'newest' })
const POSITION = { snapshot: '22457:22461:22457,22458', key: '2026-03-14', id: 'prod_1' }

describe('a cursor', () => {
  const cursor = sealCursor(SECRET, FILTERS, POSITION)

  test('opens to its position, and is the same for the same position', () => {
    assert.deepEqual(openCursor(SECRET, FILTERS, cursor), POSITION)
    assert.equal(sealCursor(SECRET, FILTERS, POSITION), cursor)
    assert.notEqual(sealCursor(SECRET, FILTERS, { ...POSITION, id: 'prod_2' }).slice(0, 22), cursor.slice(0, 22))
  })

  test('shows nothing of its position', () => {
    for (const encoding of ['latin1', 'utf8'] as const) {
      assert.doesNotMatch(Buffer.from(cursor, 'base64url').toString(encoding), /snapshot|22457|prod_/)
    }
  })

  test('is refused if it was changed or cut, or belongs to other filters or another server', async () => {
    const changed = [0, 10, 30, cursor.length - 1].map(
      (at) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1),
    )
    for (const other of [...changed, cursor.slice(0, -2), cursor.slice(0, 20), `${cursor}A`, `${cursor}.`, '', 'x']) {
      await refuses('invalid_cursor', () => openCursor(SECRET, FILTERS, other))
    }
    await refuses('invalid_cursor', () => openCursor(SECRET, hashOfFilters({}), cursor))
    await refuses('invalid_cursor', () => openCursor(Buffer.alloc(32, 8), FILTERS, cursor))
  })
})
