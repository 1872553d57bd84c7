import { assert } from '../../kernel/assert.ts'
import { type Statement, statement } from './statement.ts'

/** An insertion of rows at the end of a transaction: see `Transaction.add`. */
export interface Insertion {
  readonly name: string
  readonly columns: number
  /** Its part of a WITH clause, with one array parameter per column. */
  readonly steps: string
}

/**
 * Declares an insertion.
 *
 * @param types the columns of an added row, with their types
 * @param steps the parts of a WITH clause that insert `ROWS`: the added rows, with `nth`, their number from 1
 */
export function insertion(name: string, types: Readonly<Record<string, string>>, steps: string): Insertion {
  const columns = Object.keys(types)
  const arrays = Object.values(types).map((type, index) => `$${index + 1}::${type}[]`)
  const rows = `unnest(${arrays.join(', ')}) with ordinality as added (${columns.join(', ')}, nth)`
  return { name, columns: columns.length, steps: steps.replaceAll('ROWS', rows) }
}

/** PostgreSQL truncates longer names of prepared statements, and would confuse them. */
const NAME_LENGTH_MAX = 63

const known = new Map<string, Statement>()

/** The rows of several insertions, as one statement and its values. */
export function insertionOf(added: ReadonlyMap<Insertion, readonly (readonly unknown[])[]>): {
  readonly statement: Statement
  readonly values: readonly unknown[]
} {
  // Sorted, so that the same tables give the same statement in any order.
  const parts = [...added].toSorted(([one], [other]) => (one.name < other.name ? -1 : 1))
  for (const [{ name: table, columns }, rows] of parts) {
    assert(
      rows.every((row) => row.length === columns),
      `each row of ${table} has ${columns} values`,
    )
  }
  const name = `add ${parts.map(([part]) => part.name).join('+')}`
  const values = parts.flatMap(([{ columns }, rows]) =>
    Array.from({ length: columns }, (_, column) => rows.map((row) => row[column])),
  )
  const composed =
    known.get(name) ??
    compose(
      name,
      parts.map(([part]) => part),
    )
  known.set(name, composed)
  return { statement: composed, values }
}

function compose(name: string, parts: readonly Insertion[]): Statement {
  assert(name.length <= NAME_LENGTH_MAX, `the name "${name}" is short enough`)
  let before = 0
  const steps = parts.map(({ columns, steps: own }) => {
    const offset = before
    before += columns
    return own.replaceAll(/\$(\d+)/g, (_, number: string) => `$${offset + Number(number)}`)
  })
  return statement(name, `with ${steps.join(', ')} select`)
}
