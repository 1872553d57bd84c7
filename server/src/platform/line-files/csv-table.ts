/** The start of a formula in a spreadsheet, also after apostrophes, which {@link unprotected} removes. A number may begin with a sign. */
const FORMULA = /^(?='*[=+\-@\t\r])/
const NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/
/** The start of a formula after a character that begins a cell in the spreadsheets of some countries, even within our quotes. */
const FORMULA_INSIDE = /([;\t\r\n][^\S\t\r\n]*)(?='*[=+\-@])/g

/** A cell of a CSV file, as in RFC 4180. An apostrophe precedes what a spreadsheet would take for a formula. */
export function csvCell(text: string): string {
  const first = NUMBER.test(text) ? text : text.replace(FORMULA, "'")
  const safe = first.replaceAll(FORMULA_INSIDE, "$1'")
  return /[",;\r\n\t]|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The original text of a cell of {@link csvCell}. */
export function unprotected(cell: string): string {
  return cell.replaceAll(/([;\t\r\n][^\S\t\r\n]*)'(?='*[=+\-@])/g, '$1').replace(/^'(?='*[=+\-@\t\r])/, '')
}

export function csvRow(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`
}

/** Makes spreadsheets read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\uFEFF'
/** Rows are sent in parts of this size, because each part costs a write. */
const CHARACTERS_PER_PART = 16 * 1024

/** A CSV file in parts, for downloading: with a byte order mark, and never more than a part in memory. */
export async function* csvFile(rows: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let part = BYTE_ORDER_MARK
  for await (const row of rows) {
    part += row
    if (part.length < CHARACTERS_PER_PART) continue
    yield part
    part = ''
  }
  if (part !== '') yield part
}
