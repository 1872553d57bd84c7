import { type Connection, type FieldDef, Query } from 'pg'
import { present } from '../../kernel/assert.ts'
import { parsers } from './decode.ts'
import { type Written, written } from './encode.ts'

/** What PostgreSQL answers to one statement. */
export interface Answer {
  readonly rows: Record<string, unknown>[]
  /** Rows that were answered or touched; `null` where that says nothing. */
  readonly rowCount: number | null
  /** Such as `COMMIT`, which is `ROLLBACK` where there was nothing to commit any more. */
  readonly command: string
}

/** A statement that may be composed, and then has no name. One with a name is prepared under it. */
export interface Sendable {
  readonly name?: string
  readonly text: string
}

/** A statement on its way. */
export class Asked {
  readonly name: string | undefined
  readonly text: string
  readonly values: readonly Written[]
  readonly answer: Promise<Answer>
  readonly rows: Record<string, unknown>[] = []
  columns: readonly Column[] = []
  tag = ''
  readonly #settled = Promise.withResolvers<Answer>()

  constructor({ name, text }: Sendable, values: readonly unknown[]) {
    this.name = name
    this.text = text
    this.values = values.map(written)
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

/** What a name stands for on a connection. */
interface Prepared {
  readonly text: string
  /** What it answers; unknown until a batch has succeeded that prepared it. */
  columns: readonly Column[] | null
}

/** The messages of the driver that a batch is made of. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  close(message: { readonly type: 'S'; readonly name: string }): void
  parse(message: { readonly name: string; readonly text: string }): void
  bind(message: { readonly statement: string; readonly values: readonly Written[] }): void
  describe(message: { readonly type: 'P' }): void
  execute(): void
  sync(): void
}

/**
 * Statements that travel together: one write, one answer, one Sync behind them all. PostgreSQL passes over what stands
 * behind a failure, so all of that fails with the same error.
 *
 * The driver would end each statement by a Sync of its own, have its columns described each time, and make promise, events
 * and a result for it: of a cart add's 12 statements that was 0.3 ms for us, and for PostgreSQL a call of the system each.
 *
 * @see https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-PIPELINING
 */
export class Batch extends Query {
  readonly #asked: readonly Asked[]
  readonly #answered: (failure: unknown) => void
  /** What this batch prepares. */
  readonly #preparing = new Map<string, { readonly asked: Asked; readonly prepared: Prepared }>()
  /** What was answered and could not be read: a fault of ours, which is told when the batch has ended. */
  #unreadable: unknown
  #at = 0

  /** @param answered told of the end of the batch, before those who asked are */
  constructor(asked: readonly Asked[], answered: (failure: unknown) => void) {
    super('')
    this.#asked = asked
    this.#answered = answered
  }

  /** Sends it. The driver rejects the batch where an error is returned. */
  override submit = (connection: Connection): Error | null => {
    const names = namesOn(connection)
    for (const { name, text } of this.#asked) {
      if (!name) continue
      const prepared = names.get(name) ?? { text, columns: null }
      if (prepared.text !== text) return new Error(`two statements are called ${name}`)
      names.set(name, prepared)
    }
    const wire = connection as unknown as Wire
    wire.stream.cork()
    for (const asked of this.#asked) this.#write(wire, asked, asked.name ? names.get(asked.name) : undefined)
    wire.sync()
    wire.stream.uncork()
    return null
  }

  #write(wire: Wire, asked: Asked, prepared: Prepared | undefined): void {
    const { name = '', text, values } = asked
    if (!prepared) wire.parse({ name, text })
    else if (!prepared.columns && !this.#preparing.has(name)) {
      // An attempt that failed may have left the name behind. What is not there can be closed as well.
      wire.close({ type: 'S', name })
      wire.parse({ name, text })
      this.#preparing.set(name, { asked, prepared })
    }
    wire.bind({ statement: name, values })
    if (prepared?.columns) asked.columns = prepared.columns
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
    for (const { asked, prepared } of this.#preparing.values()) prepared.columns = asked.columns
    this.#answered(null)
    for (const asked of this.#asked) {
      if (this.#unreadable === undefined) asked.resolve()
      else asked.reject(this.#unreadable)
    }
  }

  /** What stood before the failure was done, as far as a statement of a transaction is; what stood behind it never was. */
  handleError(failure: unknown): void {
    this.#answered(failure)
    for (const [at, asked] of this.#asked.entries()) {
      if (at < this.#at) asked.resolve()
      else asked.reject(failure)
    }
  }

  get #current(): Asked {
    return present(this.#asked[this.#at], 'PostgreSQL answers as many statements as it was asked')
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

const names = new WeakMap<Connection, Map<string, Prepared>>()

function namesOn(connection: Connection): Map<string, Prepared> {
  const known = names.get(connection) ?? new Map<string, Prepared>()
  names.set(connection, known)
  return known
}
