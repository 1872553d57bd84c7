import { Client } from 'pg'
import type { Database, Reader } from '../../server/src/platform/postgres/index.ts'
import type { OpenTransaction } from '../../server/src/platform/postgres/reader.ts'

/** A statement that was sent. */
export interface Asked {
  readonly text: string
  readonly values: readonly unknown[]
}

export interface Plan {
  readonly 'Node Type': string
  readonly 'Relation Name'?: string
  readonly 'Index Cond'?: string
  readonly 'Recheck Cond'?: string
  /** Per execution of the node; only if the statement was executed. */
  readonly 'Rows Removed by Filter'?: number
  readonly 'Actual Loops'?: number
  readonly Plans?: readonly Plan[]
}

export interface Planned {
  readonly text: string
  readonly plan: Plan
}

/** A reader that records its statements. */
export function noting(reader: Reader, note: (asked: Asked) => void): Reader {
  return {
    rows: (statement, values = []) => {
      note({ text: statement.text, values })
      return reader.rows(statement, values)
    },
    row: (statement, values = []) => {
      note({ text: statement.text, values })
      return reader.row(statement, values)
    },
    run: (query) => {
      note({ text: query.sql, values: query.parameters })
      return reader.run(query)
    },
  }
}

/** Records all statements of a database from now on, in transactions as well. */
export function noteAll(database: Database, note: (asked: Asked) => void): void {
  const { reader, transaction } = database
  Object.assign(reader, noting({ ...reader }, note))
  const notingIn = (tx: OpenTransaction): OpenTransaction => {
    const { rows, row, run } = noting({ rows: tx.rows.bind(tx), row: tx.row.bind(tx), run: tx.run.bind(tx) }, note)
    return {
      isTransaction: true,
      rows,
      row,
      run,
      write(statement, values, expect) {
        note({ text: statement.text, values })
        tx.write(statement, values, expect)
      },
      change(statement, values) {
        note({ text: statement.text, values })
        return tx.change(statement, values)
      },
      add: (insertion, added) => tx.add(insertion, added),
      savepointHere: () => tx.savepointHere(),
      resolveBy: (fact) => tx.resolveBy(fact),
    }
  }
  Object.assign(database, {
    transaction: <Result>(work: (tx: OpenTransaction) => Promise<Result>) => transaction((tx) => work(notingIn(tx))),
  } satisfies Pick<Database, 'transaction'>)
}

/** Has PostgreSQL count tables, as their owner: it would only warn the role of the application, and count nothing. */
export async function analyze(ownerUrl: string, ...tables: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: ownerUrl })
  await client.connect()
  try {
    await client.query(`analyze ${tables.join(', ')}`)
  } finally {
    await client.end()
  }
}

/** Explains statements. With `executed`, the statements run, and plans have numbers of rows. The transaction is rolled back. */
export async function plansOf(
  url: string,
  asked: readonly Asked[],
  { before = '', executed = false }: { readonly before?: string; readonly executed?: boolean } = {},
): Promise<readonly Planned[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(`begin; ${before}`)
    const plans: Planned[] = []
    for (const { text, values } of asked) {
      const { rows } = await client.query(`explain (analyze ${executed}, format json) ${text}`, [...values])
      plans.push({ text, plan: rows[0]['QUERY PLAN'][0].Plan })
    }
    return plans
  } finally {
    await client.end()
  }
}

/** A plan node and all its descendants. */
export function nodesOf(plan: Plan): readonly Plan[] {
  return [plan, ...(plan.Plans ?? []).flatMap(nodesOf)]
}

/** The tables that plans read with a sequential scan, with the statements. */
export function scannedIn(plans: readonly Planned[], tables: readonly string[]): readonly string[] {
  return plans.flatMap(({ text, plan }) =>
    nodesOf(plan).flatMap((node) => {
      const table = node['Relation Name'] ?? ''
      return node['Node Type'] === 'Seq Scan' && tables.includes(table) ? [`${table}: ${text}`] : []
    }),
  )
}
