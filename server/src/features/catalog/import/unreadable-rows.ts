import type { CsvRecord } from '../../../platform/line-files/csv-records.ts'
import { unprotected } from '../../../platform/line-files/csv-table.ts'
import { refusedRows, type TableLine, type TableRow } from './mapped/partial-product.ts'

/** A row that cannot be read. `legible`: its cells, if they are known. `row`: the row, if it is complete. */
export interface UnreadableRow {
  readonly line: number
  readonly message: string
  readonly legible?: readonly string[]
  readonly row?: TableRow
}

/** The most rows in succession that wait for the next row that can be read. */
export const UNREADABLE_MAX = 250

export function unreadableRow(record: CsvRecord, columns: number): UnreadableRow | null {
  if ('problem' in record) return { ...record, message: record.problem }
  if (record.cells.length <= columns) return null
  const message = `The row has ${record.cells.length} cells, the header has ${columns}.`
  return { line: record.line, message, legible: record.cells, row: record }
}

/**
 * Assigns the rows between the last row of a product and the first one of the next to either, or to none. Any cell may be the id: a cell
 * too many moves the others.
 */
export function assignRows(between: readonly UnreadableRow[], before: string | null, after: string | null) {
  if (before !== null && before === after) return { ofPrevious: between, ofNext: [], ofNone: [] }
  const of = (id: string | null) => (row: UnreadableRow) =>
    id !== null && (row.legible?.some((cell) => cell.trim() === id || unprotected(cell).trim() === id) ?? true)
  const [ofPrevious, ofNext] = [between.filter(of(before)), between.filter(of(after))]
  const ofNone = between.filter((row) => !ofPrevious.includes(row) && !ofNext.includes(row))
  return { ofPrevious, ofNext, ofNone: ofNone.map((row) => refusedWith([], [row])) }
}

/** A product is refused as a whole: without these rows, it would lose variants. Rows that are not complete cannot be downloaded. */
export function refusedWith(rows: readonly TableRow[], unreadable: readonly UnreadableRow[]): TableLine {
  const all = [...rows, ...unreadable.flatMap(({ row }) => row ?? [])].toSorted((a, b) => a.line - b.line)
  const { rows: source, ...line } = refusedRows(
    all,
    unreadable.map((each) => ({ line: each.line, message: each.message })),
  )
  return unreadable.every(({ row }) => row) ? { ...line, rows: all } : line
}
