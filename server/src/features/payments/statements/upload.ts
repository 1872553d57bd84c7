import type { Readable } from 'node:stream'
import { readCamt } from './camt.ts'
import { type CsvHints, type CsvStatement, readCsv } from './csv-statement.ts'
import { refuseFile, type Statement } from './statement.ts'

/** A statement of 10,000 lines has 10 MB at most. */
const BYTES_MAX = 16 * 1024 * 1024

/** An uploaded statement. A CSV file comes with its columns. */
export interface UploadedStatement {
  readonly statement: Statement
  readonly csv: Omit<CsvStatement, 'statement'> | null
}

/** Read an uploaded CAMT.053 or CSV file, which differ in their first character. Refusals: `file_unreadable`. */
export async function readStatement(upload: Readable, hints: CsvHints): Promise<UploadedStatement> {
  const text = decoded(await bytesOf(upload))
  if (text.startsWith('<')) return { statement: await readCamt(text), csv: null }
  const { statement, ...csv } = await readCsv(text, hints)
  return { statement, csv }
}

async function bytesOf(upload: Readable): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of upload as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > BYTES_MAX) refuseFile(`The file is larger than ${BYTES_MAX / 1024 / 1024} MB. Export a shorter period.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Banks write UTF-8 or Windows-1252, whatever the file says. */
function decoded(bytes: Buffer): string {
  if (bytes.length === 0) refuseFile('The file is empty.')
  if (bytes.subarray(0, 2).toString() === 'PK') refuseFile('The file is a ZIP archive. Unpack it first.')
  if (bytes.includes(0)) refuseFile('The file is not a text file. Choose a CAMT.053 or CSV file.')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes).trimStart()
  } catch {
    return new TextDecoder('windows-1252').decode(bytes).trimStart()
  }
}
