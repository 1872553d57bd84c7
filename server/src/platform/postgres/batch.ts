import { type Connection, type FieldDef, Query } from 'pg'
import { present } from '../../kernel/assert.ts'
import { parsers } from './decode.ts'
import { type EncodedValue, encodeValue } from './encode.ts'

/** The result of one statement. */
export interface Answer {
  readonly rows: Record<string, unknown>[]
  /** Rows returned or affected; `null` if the command has no count. */
  readonly rowCount: number | null
  /** Such as `COMMIT`, or `ROLLBACK` if the transaction had failed. */
  readonly command: string
}

/** A statement. One with a name is prepared; a composed one has none. */
export interface Sendable {
  readonly name?: string
  readonly text: string
  readonly isStandalone?: boolean
}

/** A statement that was issued and has no result yet. */
export class PendingQuery {
  readonly name: string | undefined
  readonly text: string
  readonly isStandalone: boolean
  readonly values: readonly EncodedValue[]
  readonly answer: Promise<Answer>
  readonly rows: Record<string, unknown>[] = []
  columns: readonly Column[] = []
  tag = ''
  readonly #settled = Promise.withResolvers<Answer>()

  constructor({ name, text, isStandalone = false }: Sendable, values: readonly unknown[]) {
    this.name = name
    this.text = text
    this.isStandalone = isStandalone
    this.values = values.map(encodeValue)
    this.answer = this.#settled.promise
  }

  resolve(): void {
    const [command = '', ...numbers] = this.tag.split(' ')
    const last = numbers.at(-1)
    this.#settled.resolve({ rows: this.rows, rowCount: last === undefined ? null : Number(last), command })
  }

  reject(failure: unknown): void {
    this.#settled.reject(failure)
  }
}

interface Column {
  readonly name: string
  readonly parse: (text: string) => unknown
}

/** A prepared statement of a connection. */
interface Prepared {
  readonly text: string
  /** Its columns; unknown until a batch that prepared it has succeeded. */
  columns: readonly Column[] | null
}

/** The driver's protocol messages that a batch consists of. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  close(message: { readonly type: 'S'; readonly name: string }): void
  parse(message: { readonly name: string; readonly text: string }): void
  bind(message: { readonly statement: string; readonly values: readonly EncodedValue[] }): void
  describe(message: { readonly type: 'P' }): void
  execute(): void
  sync(): void
}

/**
 * Called at the end of a batch, before its queries settle.
 *
 * @param skipped the statements after the one that failed
 * @returns whether they are sent again; otherwise they fail with the same error
 */
type OnBatchEnd = (failure: unknown, skipped: readonly PendingQuery[]) => boolean

/**
 * Statements that are sent together: one write, one response, one Sync after all of them. PostgreSQL skips the statements
 * after a failure.
 *
 * The driver would send a Sync after each statement, describe its columns each time, and create a promise, events and a
 * result for it: 0.3 ms for the 12 statements of a cart add, and a system call each for PostgreSQL.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch extends Query {
  readonly #queries: readonly PendingQuery[]
  readonly #onEnd: OnBatchEnd
  /** The statements that this batch prepares. */
  readonly #preparing = new Map<string, { readonly query: PendingQuery; readonly prepared: Prepared }>()
  /** The first row that could not be decoded: a bug, reported when the batch has ended. */
  #unreadable: unknown
  #at = 0

  constructor(queries: readonly PendingQuery[], onEnd: OnBatchEnd) {
    super('')
    this.#queries = queries
    this.#onEnd = onEnd
  }

  /** Sends it. The driver rejects the batch if an error is returned. */
  override submit = (connection: Connection): Error | null => {
    const names = namesOn(connection)
    for (const { name, text } of this.#queries) {
      if (!name || !names) continue
      const prepared = names.get(name) ?? { text, columns: null }
      if (prepared.text !== text) return new Error(`two statements have the name ${name}`)
      names.set(name, prepared)
    }
    const wire = connection as unknown as Wire
    wire.stream.cork()
    for (const query of this.#queries) this.#write(wire, query, query.name ? names?.get(query.name) : undefined)
    wire.sync()
    wire.stream.uncork()
    return null
  }

  #write(wire: Wire, query: PendingQuery, prepared: Prepared | undefined): void {
    const { text, values } = query
    const name = prepared ? (query.name ?? '') : ''
    if (!prepared) wire.parse({ name, text })
    else if (!prepared.columns && !this.#preparing.has(name)) {
      // A failed attempt may have left the name behind. Closing a name that does not exist is no error.
      wire.close({ type: 'S', name })
      wire.parse({ name, text })
      this.#preparing.set(name, { query, prepared })
    }
    wire.bind({ statement: name, values })
    if (prepared?.columns) query.columns = prepared.columns
    else wire.describe({ type: 'P' })
    wire.execute()
  }

  handleRowDescription({ fields }: { readonly fields: readonly FieldDef[] }): void {
    this.#current.columns = fields.map(({ name, dataTypeID }) => {
      return { name, parse: parsers.getTypeParser(dataTypeID, 'text') }
    })
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const { rows, columns } = this.#current
    try {
      rows.push(rowOf(columns, fields))
    } catch (error) {
      this.#unreadable ??= error
    }
  }

  handleCommandComplete({ text }: { readonly text: string }): void {
    this.#current.tag = text
    this.#at += 1
  }

  handleEmptyQuery(): void {
    this.#at += 1
  }

  handleReadyForQuery(): void {
    for (const { query, prepared } of this.#preparing.values()) prepared.columns = query.columns
    this.#onEnd(null, [])
    for (const query of this.#queries) {
      if (this.#unreadable === undefined) query.resolve()
      else query.reject(this.#unreadable)
    }
  }

  /** Statements before the failure were executed; those after it were not. */
  handleError(failure: unknown): void {
    const skipped = this.#queries.slice(this.#at + 1)
    const failed = this.#onEnd(failure, skipped) ? [this.#queries[this.#at]] : this.#queries.slice(this.#at)
    for (const query of this.#queries.slice(0, this.#at)) query.resolve()
    for (const query of failed) query?.reject(failure)
  }

  get #current(): PendingQuery {
    return present(this.#queries[this.#at], 'PostgreSQL returns one result per statement')
  }
}

function rowOf(columns: readonly Column[], fields: readonly (string | null)[]): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [at, { name, parse }] of columns.entries()) {
    const text = fields[at] ?? null
    row[name] = text === null ? null : parse(text)
  }
  return row
}

/** `null`: statements are sent without their names. */
const names = new WeakMap<Connection, Map<string, Prepared> | null>()

/** For a connection through a pooler: its next transaction may run on another server connection, without the prepared statements. */
export function prepareNothingOn(connection: Connection): void {
  names.set(connection, null)
}

function namesOn(connection: Connection): Map<string, Prepared> | null {
  const known = names.get(connection)
  if (known !== undefined) return known
  const made = new Map<string, Prepared>()
  names.set(connection, made)
  return made
}
