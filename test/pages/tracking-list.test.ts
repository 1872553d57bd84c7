import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readTrackingList, withList } from '../../console/src/pages/fulfillment/tracking-list.ts'

const rows = ['T-1', 'T-2', 'T-3'].map((orderNumber) => ({ id: `ful_${orderNumber}`, orderNumber }))
const read = (text: string, of = rows) => {
  const { numbers, unused } = readTrackingList(text, of)
  return [Object.fromEntries(numbers), unused]
}

describe('a pasted list of tracking numbers', () => {
  test('fills the orders that its lines name, in any order and from any table', () => {
    const expected = [{ 'ful_T-2': '0034', 'ful_T-1': '0035' }, []]
    assert.deepEqual(read('T-2\t0034\nt-1\t0035'), expected)
    assert.deepEqual(read('0034;T-2\r\n0035; T-1\r\n'), expected)
  })

  test('fills rows in order with numbers that name no order, after the named ones', () => {
    assert.deepEqual(read('A\nB'), [{ 'ful_T-1': 'A', 'ful_T-2': 'B' }, []])
    assert.deepEqual(read('A\nT-1, X\nB'), [{ 'ful_T-1': 'X', 'ful_T-2': 'A', 'ful_T-3': 'B' }, []])
  })

  test('fills both shipments of an order that two stores ship', () => {
    const twice = [...rows, { id: 'ful_other', orderNumber: 'T-1' }]
    assert.deepEqual(read('T-1 \t A\nT-1 \t B', twice), [{ 'ful_T-1': 'A', ful_other: 'B' }, []])
  })

  test('reports lines that match no order, and never guesses', () => {
    assert.deepEqual(read('T-9\t0034\nA\nB\nC\nD'), [
      { 'ful_T-1': 'A', 'ful_T-2': 'B', 'ful_T-3': 'C' },
      ['T-9\t0034', 'D'],
    ])
    assert.deepEqual(read('T-1\t'), [{}, ['T-1']])
  })
})

describe('a list that is typed', () => {
  /** Types a list letter by letter, after other numbers were entered in the rows. */
  function type(texts: readonly string[], entered: Readonly<Record<string, string>> = {}, open = rows) {
    let numbers: ReadonlyMap<string, string> = new Map(Object.entries(entered))
    let before: ReadonlyMap<string, string> = new Map()
    for (const text of texts) {
      const { numbers: after } = readTrackingList(text, open)
      numbers = withList(numbers, open, before, after)
      before = after
    }
    return Object.fromEntries(numbers)
  }
  const letters = (text: string) => Array.from(text, (_, index) => text.slice(0, index + 1))

  test('leaves no number of an unfinished line', () => {
    assert.deepEqual(type(letters('T-2, 0034')), { 'ful_T-2': '0034' })
    assert.deepEqual(type(['A\nB', 'A']), { 'ful_T-1': 'A' })
  })

  test('keeps numbers that were entered in the rows, and those of shipped orders', () => {
    assert.deepEqual(type(letters('T-2, 0034'), { 'ful_T-3': 'X' }), { 'ful_T-3': 'X', 'ful_T-2': '0034' })
    const numbers = new Map([['ful_T-1', 'A']])
    assert.deepEqual(withList(numbers, rows.slice(1), numbers, new Map()), numbers)
  })
})
