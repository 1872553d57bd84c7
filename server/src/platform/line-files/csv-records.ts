import type { TextLine } from './line-file.ts'

/** The separator of the cells of a row. */
export type CellSeparator = ',' | ';' | '\t'

/** A row of cells, or why it could not be read. `legible`: its cells as far as they could be read. */
export type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string; readonly legible?: readonly string[] }

/** A longer record has a quote that was not meant to open a cell. */
const RECORD_LINES_MAX = 1000
const RECORD_CHARACTERS_MAX = 1024 * 1024

/**
 * RFC 4180 records: a cell that begins with a quote may contain commas, doubled quotes and line breaks. A quote inside another
 * cell is a character, such as an inch sign. Each character is read once.
 */
export async function* csvRecords(
  lines: AsyncIterable<TextLine>,
  separator: CellSeparator = ',',
): AsyncGenerator<CsvRecord> {
  let open: OpenRecord | null = null
  for await (const each of lines) {
    if ('problem' in each && each.legible === undefined && open === null) {
      yield { line: each.line, problem: each.problem }
      continue
    }
    // Lines end with CRLF or LF, also inside quotes. A file may begin with a byte order mark.
    const whole = 'text' in each ? each.text : (each.legible ?? '')
    const text = (each.line === 1 ? whole.replace(/^\uFEFF/, '') : whole).replace(/\r$/, '')
    if (open === null && text.trim() === '') continue
    open ??= new OpenRecord(each.line, separator)
    open.take(text)
    // The rest of the row is read too: it would be taken for further rows.
    if ('problem' in each) open.unreadable ??= { line: each.line, problem: each.problem }
    const record = open.finished()
    if (record === null) continue
    open = null
    yield record
  }
  if (open !== null) yield open.refused('A quote opened here is never closed.')
}

/** A record while its lines are read. */
class OpenRecord {
  readonly line: number
  /** A line of it that could not be read. */
  unreadable: { readonly line: number; readonly problem: string } | null = null
  readonly #separator: CellSeparator
  readonly #cells: string[] = []
  /** The content so far of a quoted cell that is not closed. */
  #quoted: string | null = null
  #lines = 0
  #characters = 0
  #problem: string | null = null

  constructor(line: number, separator: CellSeparator) {
    this.line = line
    this.#separator = separator
  }

  take(text: string): void {
    this.#lines += 1
    this.#characters += text.length
    let at = 0
    if (this.#quoted !== null) {
      this.#quoted += '\n'
      at = this.#readQuoted(text, 0)
    }
    while (at <= text.length) {
      if (text[at] === '"') {
        this.#quoted = ''
        at = this.#readQuoted(text, at + 1)
      } else {
        const end = this.#endOfCell(text, at)
        this.#cells.push(text.slice(at, end))
        at = end + 1
      }
    }
  }

  /** Reads to the end of a quoted cell, or to the end of the line if the cell continues. @returns the start of the next cell */
  #readQuoted(text: string, from: number): number {
    for (let at = from; ; ) {
      const quote = text.indexOf('"', at)
      if (quote === -1) {
        this.#quoted += text.slice(at)
        return text.length + 1
      }
      this.#quoted += text.slice(at, quote)
      if (text[quote + 1] === '"') {
        this.#quoted += '"'
        at = quote + 2
        continue
      }
      const end = this.#endOfCell(text, quote + 1)
      if (text.slice(quote + 1, end).trim() !== '') {
        this.#problem ??= 'A quoted cell goes on after its closing quote. Double the quotes inside it.'
      }
      this.#cells.push(this.#quoted ?? '')
      this.#quoted = null
      return end + 1
    }
  }

  /** The record, or `null` while a quote is open. */
  finished(): CsvRecord | null {
    if (this.#problem !== null) return this.refused(this.#problem)
    if (this.#quoted === null) {
      if (this.unreadable !== null) return { ...this.unreadable, legible: this.#cells }
      return { line: this.line, cells: this.#cells }
    }
    if (this.#lines < RECORD_LINES_MAX && this.#characters < RECORD_CHARACTERS_MAX) return null
    const last = this.line + this.#lines - 1
    return this.refused(`A quote opened here is not closed by line ${last}. The lines up to it were not read.`)
  }

  refused(problem: string): CsvRecord {
    return { line: this.line, problem, legible: this.#cells }
  }

  #endOfCell(text: string, from: number): number {
    const end = text.indexOf(this.#separator, from)
    return end === -1 ? text.length : end
  }
}
