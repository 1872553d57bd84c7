import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

/**
 * How a backup is written, so that it can be made and read as a stream of any length:
 *
 * a line that says what it is · a line of JSON that says what is in it · for each table its bytes in pieces, each behind a line
 * with its length, and a line `0` · a last line of JSON with the SHA-256 of all that came before it.
 */
export const SIGNATURE = 'VITRINE BACKUP 1'

export interface TableFacts {
  readonly name: string
  readonly columns: readonly string[]
}

/** What a backup says of itself before anything else. */
export interface BackupHead {
  /** The last migration of the database that it was made of. */
  readonly migration: string
  readonly createdAt: string
  /** In an order in which no row comes before those that it names. */
  readonly tables: readonly TableFacts[]
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[]
}

/** What it says when all has been written. */
export interface BackupTail {
  readonly rows: Readonly<Record<string, number>>
  readonly sha256: string
}

/** A backup that cannot be read: a sentence that says where and why. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Writes the parts of a backup one after the other. What it yields goes into the file. */
export class BackupWriter {
  readonly #hash = createHash('sha256')

  head(head: BackupHead): Buffer {
    return this.#counted(Buffer.from(`${SIGNATURE}\n${JSON.stringify(head)}\n`))
  }

  piece(bytes: Buffer): Buffer {
    return this.#counted(Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]))
  }

  endOfTable(): Buffer {
    return this.#counted(Buffer.from('0\n'))
  }

  tail(rows: BackupTail['rows']): Buffer {
    return Buffer.from(`${JSON.stringify({ rows, sha256: this.#hash.digest('hex') })}\n`)
  }

  #counted(bytes: Buffer): Buffer {
    this.#hash.update(bytes)
    return bytes
  }
}

/** A line longer than this is no line of a backup. */
const LINE_BYTES_MAX = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Reads the parts of a backup one after the other. */
export class BackupReader {
  readonly #hash = createHash('sha256')
  readonly #source: AsyncIterator<Buffer>
  #held: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** @throws BackupError where the file is no backup of ours, or of a later form */
  async head(): Promise<BackupHead> {
    const signature = await this.#line()
    if (signature !== SIGNATURE) throw new BackupError('This is not a backup of this service, or one of a later form.')
    return JSON.parse(await this.#line()) as BackupHead
  }

  /** The bytes of the next table. They must be read to their end before anything else is. */
  table(): Readable {
    return Readable.from(this.#pieces(), { objectMode: false })
  }

  /** @throws BackupError where what was read is not what was written */
  async tail(): Promise<BackupTail> {
    const seen = this.#hash.copy().digest('hex')
    const tail = JSON.parse(await this.#line()) as BackupTail
    if (tail.sha256 !== seen) throw new BackupError('The backup is damaged: its checksum is another one.')
    return tail
  }

  async *#pieces(): AsyncGenerator<Buffer> {
    for (;;) {
      const length = await this.#line()
      if (!/^\d{1,9}$/.test(length)) throw new BackupError('The backup is damaged: a length is missing.')
      if (length === '0') return
      yield await this.#exactly(Number(length))
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf(NEWLINE)
      if (end >= 0)
        return this.#taken(end + 1)
          .toString('utf8')
          .trimEnd()
      if (this.#held.length > LINE_BYTES_MAX) throw new BackupError('The backup is damaged: a line has no end.')
      await this.#more()
    }
  }

  async #exactly(length: number): Promise<Buffer> {
    while (this.#held.length < length) await this.#more()
    return this.#taken(length)
  }

  #taken(length: number): Buffer {
    const bytes = this.#held.subarray(0, length)
    this.#held = this.#held.subarray(length)
    this.#hash.update(bytes)
    return bytes
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BackupError('The backup is cut off: its end is missing.')
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value])
  }
}
