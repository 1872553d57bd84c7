import type { Transaction } from './reader.ts'
import { type Statement, statement } from './statement.ts'

/** The values of one change, and the number of rows that it must affect if that is known. */
type JoinedChange = readonly [values: readonly unknown[], rows?: number]

/** Sends the changes, in the order of their statements. Another number of rows than expected aborts the transaction as a bug. */
type JoinedWrite = (tx: Transaction, ...changes: readonly JoinedChange[]) => void

/**
 * Combines several changes into one statement. They see the same rows: none may read or change what another of them writes, except
 * by its foreign keys, which PostgreSQL checks at the end of a statement.
 */
export function joined(name: string, ...changes: readonly Statement[]): JoinedWrite {
  let count = 0
  const parts = changes.map(({ text }, index) => {
    const before = count
    const own = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      count = Math.max(count, before + Number(number))
      return `$${before + Number(number)}`
    })
    return `part_${index} as (${own}${/\breturning\b/i.test(text) ? '' : ' returning 1'})`
  })
  const counts = changes.map(
    (change, index) => `('${change.name}', (select count(*) from part_${index}), $${count + index + 1}::bigint)`,
  )
  // The cast of a sentence to a number fails, and so puts the counts into the log.
  const write = statement(
    name,
    `with ${parts.join(', ')}
     select (change || ' touched ' || touched || ' rows, not ' || expected)::bigint
     from (values ${counts.join(', ')}) as counted (change, touched, expected) where touched <> expected`,
  )
  return (tx, ...given) => {
    tx.write(write, [...given.flatMap(([values]) => values), ...given.map(([, rows = null]) => rows)])
  }
}
