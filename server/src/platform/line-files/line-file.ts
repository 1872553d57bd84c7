import { setImmediate as turn } from 'node:timers/promises'

/** A line, numbered from 1: its value, or why it could not be read. */
export type SourceLine =
  | { readonly line: number; readonly value: unknown }
  | { readonly line: number; readonly problem: string }

/** A longer line is rejected without buffering it. */
const LINE_BYTES_MAX = 8 * 1024 * 1024
const NEWLINE = 0x0a
/**
 * After this many bytes or lines, other work of the process gets its turn, even if the whole file is in memory: parsing and
 * checking takes about 20 ms for this many bytes of a catalog, and about 5 ms for this many short lines.
 */
const BYTES_PER_TURN = 128 * 1024
const LINES_PER_TURN = 100

/** A line of text, or why it could not be decoded. `legible`: its text with a replacement for each invalid character. */
export type TextLine =
  | { readonly line: number; readonly text: string }
  | { readonly line: number; readonly problem: string; readonly legible?: string }

/**
 * Splits bytes at newlines and decodes each line separately, so that an invalid character affects one line only. NUL is removed: the
 * reason of a refused line contains parts of it, and PostgreSQL cannot store it.
 */
export async function* textLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<TextLine> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let line = 0
  let bytesOfTurn = 0
  let linesOfTurn = 0
  let held: Buffer[] = []
  let heldBytes = 0
  const take = (part: Buffer) => {
    heldBytes += part.length
    if (heldBytes <= LINE_BYTES_MAX) held.push(part)
  }
  const finish = (): TextLine => {
    line += 1
    const whole = held.length === 1 ? held[0]! : Buffer.concat(held)
    const tooLong = heldBytes > LINE_BYTES_MAX
    linesOfTurn += 1
    bytesOfTurn += heldBytes
    held = []
    heldBytes = 0
    if (tooLong) return { line, problem: `The line is longer than ${LINE_BYTES_MAX} bytes.` }
    try {
      return { line, text: withoutNul(decoder.decode(whole)) }
    } catch {
      return { line, problem: 'The line is not UTF-8.', legible: withoutNul(whole.toString('utf8')) }
    }
  }
  for await (const chunk of bytes) {
    let from = 0
    for (let to = chunk.indexOf(NEWLINE); to !== -1; to = chunk.indexOf(NEWLINE, from)) {
      take(chunk.subarray(from, to))
      from = to + 1
      yield finish()
      if (linesOfTurn < LINES_PER_TURN && bytesOfTurn < BYTES_PER_TURN) continue
      linesOfTurn = 0
      bytesOfTurn = 0
      await turn()
    }
    if (from < chunk.length) take(chunk.subarray(from))
  }
  if (heldBytes > 0) yield finish()
}

/** Parses JSON lines, skipping blank ones. */
export async function* jsonLines(lines: AsyncIterable<TextLine>): AsyncGenerator<SourceLine> {
  for await (const each of lines) {
    if ('problem' in each) yield { line: each.line, problem: each.problem }
    else if (each.text.trim() !== '') yield parseLine(each.line, each.text)
  }
}

/** Parses one line of JSON. */
export function parseLine(line: number, text: string): SourceLine {
  try {
    return { line, value: JSON.parse(text) }
  } catch (error) {
    return { line, problem: `The line is not JSON: ${(error as Error).message}` }
  }
}

/**
 * Makes every text in a value storable: PostgreSQL does not support NUL, and UTF-8 has no lone surrogates. NUL is removed, a
 * lone surrogate becomes U+FFFD.
 */
export function storable(value: unknown): unknown {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? storableText(value) : value
  if (Array.isArray(value)) return value.map(storable)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [storableText(key), storable(each)]))
}

function storableText(text: string): string {
  return withoutNul(text).toWellFormed()
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
