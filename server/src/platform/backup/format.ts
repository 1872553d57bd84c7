import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'

/**
 * The file format of a backup, which is written and read as a stream:
 *
 * a signature line · a line of JSON with the contents · for each table its bytes in chunks, each after a line with its length,
 * then a line `0` · a last line of JSON with the SHA-256 of everything before it.
 */
const SIGNATURE = 'VITRINE BACKUP 1'

export interface TableColumns {
  readonly name: string
  readonly columns: readonly string[]
}

/** The contents of a backup. */
export interface BackupHead {
  /** The last migration of the source database. */
  readonly migration: string
  readonly createdAt: string
  /** In the order of foreign keys: referenced tables first. */
  readonly tables: readonly TableColumns[]
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[]
}

/** The last line. */
interface BackupTail {
  readonly rows: Readonly<Record<string, number>>
  readonly sha256: string
}

/** A backup that cannot be read. The message is for the operator. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

/** Encodes the parts of a backup, in order. */
export class BackupWriter {
  readonly #hash = createHash('sha256')

  head(head: BackupHead): Buffer {
    return this.#hashed(Buffer.from(`${SIGNATURE}\n${JSON.stringify(head)}\n`))
  }

  chunk(bytes: Buffer): Buffer {
    return this.#hashed(Buffer.concat([Buffer.from(`${bytes.length}\n`), bytes]))
  }

  endOfTable(): Buffer {
    return this.#hashed(Buffer.from('0\n'))
  }

  tail(rows: BackupTail['rows']): Buffer {
    return Buffer.from(`${JSON.stringify({ rows, sha256: this.#hash.digest('hex') })}\n`)
  }

  #hashed(bytes: Buffer): Buffer {
    this.#hash.update(bytes)
    return bytes
  }
}

/** A longer line is not part of a backup. */
const LINE_BYTES_MAX = 4 * 1024 * 1024
const NEWLINE = 0x0a

/** Reads the parts of a backup, in order. */
export class BackupReader {
  readonly #hash = createHash('sha256')
  readonly #source: AsyncIterator<Buffer>
  #buffered: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** @throws BackupError if the file is not a backup, or has a later format */
  async head(): Promise<BackupHead> {
    const signature = await this.#line()
    if (signature !== SIGNATURE)
      throw new BackupError('This is not a backup of Vitrine, or it was made by a later version.')
    return parsed<BackupHead>(await this.#line(), 'second')
  }

  /** The bytes of the next table. Read them to the end before anything else. */
  table(): Readable {
    return Readable.from(this.#chunks(), { objectMode: false })
  }

  /** @throws BackupError if the checksum does not match */
  async tail(): Promise<BackupTail> {
    const actual = this.#hash.copy().digest('hex')
    const tail = parsed<BackupTail>(await this.#line(), 'last')
    if (tail.sha256 !== actual) throw new BackupError('The backup is damaged: its checksum does not match.')
    return tail
  }

  async *#chunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const length = await this.#line()
      if (!/^\d{1,9}$/.test(length)) throw new BackupError('The backup is damaged: a length is missing.')
      if (length === '0') return
      yield await this.#exactly(Number(length))
    }
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf(NEWLINE)
      if (end >= 0)
        return this.#take(end + 1)
          .toString('utf8')
          .trimEnd()
      if (this.#buffered.length > LINE_BYTES_MAX) throw new BackupError('The backup is damaged: a line has no end.')
      await this.#more()
    }
  }

  async #exactly(length: number): Promise<Buffer> {
    while (this.#buffered.length < length) await this.#more()
    return this.#take(length)
  }

  #take(length: number): Buffer {
    const bytes = this.#buffered.subarray(0, length)
    this.#buffered = this.#buffered.subarray(length)
    this.#hash.update(bytes)
    return bytes
  }

  async #more(): Promise<void> {
    const { value, done } = await this.#source.next()
    if (done) throw new BackupError('The backup is truncated: its end is missing.')
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value])
  }
}

function parsed<Value>(line: string, which: string): Value {
  try {
    return JSON.parse(line) as Value
  } catch (error) {
    throw new BackupError(`The backup is damaged: its ${which} line is not JSON.`, { cause: error })
  }
}
