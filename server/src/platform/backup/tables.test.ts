import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { inOrder } from './tables.ts'

const table = (name: string) => ({ name, columns: ['id'] })

describe('the order of tables', () => {
  test('puts referenced tables first', () => {
    const graph = fc.uniqueArray(fc.tuple(fc.nat(9), fc.nat(9)), { maxLength: 20 })
    fc.assert(
      fc.property(graph, (edges) => {
        // An edge from a larger number to a smaller one: no cycle.
        const references = edges
          .filter(([one, other]) => one !== other)
          .map(([one, other]) => ({ from_table: `t${Math.max(one, other)}`, to_table: `t${Math.min(one, other)}` }))
        const names = Array.from({ length: 10 }, (_, index) => table(`t${9 - index}`))
        const order = inOrder(names, references).map(({ name }) => name)
        assert.equal(order.length, 10)
        for (const { from_table, to_table } of references)
          assert.ok(order.indexOf(to_table) < order.indexOf(from_table))
      }),
    )
  })

  test('fails if they reference each other in a cycle', () => {
    const cycle = [
      { from_table: 'a', to_table: 'b' },
      { from_table: 'b', to_table: 'a' },
    ]
    assert.throws(() => inOrder([table('a'), table('b')], cycle), /in a cycle: a, b/)
  })
})
