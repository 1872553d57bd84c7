import { setImmediate as turn } from 'node:timers/promises'
import { type CellSeparator, type CsvRecord, csvRecords } from '../../../../platform/line-files/csv-records.ts'
import { unprotected } from '../../../../platform/line-files/csv-table.ts'
import { InvalidLine } from '../../../../platform/line-files/invalid-line.ts'
import type { TextLine } from '../../../../platform/line-files/line-file.ts'
import type { ProductLine } from '../../writing/line-schema.ts'
import { csvProducts } from '../csv.ts'
import { assignRows, refusedWith, UNREADABLE_MAX, type UnreadableRow, unreadableRow } from '../unreadable-rows.ts'
import type { Mapping } from './columns.ts'
import { completeProduct } from './complete-product.ts'
import { guessMapping, isProtected, knownForm } from './guess.ts'
import { groupOf, type MappedTable, partialProduct } from './mapped-products.ts'
import { type PartialProduct, refusedRows, type TableLine, type TableRow } from './partial-product.ts'

/** What reading a table needs of the store that it is imported into. */
export interface TableContext {
  readonly currency: string
  readonly locale: string
  /** The stored products with these ids, by id. */
  readonly findLines: (ids: readonly string[]) => Promise<ReadonlyMap<string, ProductLine>>
  /** The revision of the store's catalog; `undefined` if there is no store. */
  readonly findRevision?: () => Promise<bigint | undefined>
}

interface TableOptions {
  /** `null`: derived from the header. */
  readonly mapping: Mapping | null
  readonly context: () => Promise<TableContext>
  /** Called with the header before the first product. `table` is `null` for our spreadsheet form. */
  readonly onHeader?: (table: MappedTable | null, header: readonly string[]) => Promise<void>
}

/** The most rows of one product. */
const ROWS_MAX = 500
/** Products per lookup. Between lookups, other work of the process has its turn: this many products take about 5 ms. */
export const LOOKED_UP = 25

/** Reads a table: by a mapping, as an export of Shopify or of our own, or in our spreadsheet form. */
export async function* tableLines(lines: AsyncIterable<TextLine>, options: TableOptions): AsyncGenerator<TableLine> {
  const { records, header } = await openTable(lines)
  const form = options.mapping === null ? knownForm(header?.cells ?? []) : null
  if (header === null || (options.mapping === null && form === null)) {
    await options.onHeader?.(null, header?.cells ?? [])
    yield* csvProducts(records)
    return
  }
  const context = await options.context()
  const mapping = options.mapping ?? guessMapping({ header: header.cells, rows: [], ...context })
  const table = { header: header.cells, mapping }
  await options.onHeader?.(table, header.cells)
  yield* mappedLines(withoutHeader(records), table, context)
}

interface OpenTable {
  /** All records, the header first. */
  readonly records: AsyncIterable<CsvRecord>
  /** `null` if the file has none. */
  readonly header: TableRow | null
}

/** Reads a table up to its header. Throws `InvalidLine` if the header cannot be read: the next row is none. */
export async function openTable(lines: AsyncIterable<TextLine>): Promise<OpenTable> {
  const source = lines[Symbol.asyncIterator]()
  const first = await source.next()
  if (first.done) return { records: csvRecords(lines), header: null }
  const text = 'text' in first.value ? first.value.text : ''
  const all = csvRecords(following(first.value, source), separatorOf(text))[Symbol.asyncIterator]()
  const header = await all.next()
  if (header.done) return { records: csvRecords(lines), header: null }
  if (/\r[^\r]/.test(unquoted(text)))
    throw new InvalidLine('The lines end with CR alone. Save the table with CRLF or LF at their ends.')
  if ('problem' in header.value) throw new InvalidLine(`The header cannot be read. ${header.value.problem}`)
  const records = following(header.value, all)
  const { line } = header.value
  const cells = header.value.cells.map((cell) => cell.trim())
  return isProtected(cells)
    ? { records: unprotectedRecords(records), header: { line, cells: cells.map(unprotected) } }
    : { records, header: { line, cells } }
}

async function* following<Item>(first: Item, rest: AsyncIterator<Item>): AsyncGenerator<Item> {
  yield first
  for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
}

/** The records of a table from this service, which protects cells that look like formulas. */
async function* unprotectedRecords(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord> {
  for await (const record of records)
    yield 'cells' in record ? { ...record, cells: record.cells.map(unprotected) } : record
}

async function* withoutHeader(records: AsyncIterable<CsvRecord>): AsyncGenerator<CsvRecord> {
  let isFirst = true
  for await (const record of records) {
    if (!isFirst) yield record
    isFirst = false
  }
}

/** The most frequent separator in the header. Spreadsheets of some countries write semicolons. */
function separatorOf(header: string): CellSeparator {
  const count = (separator: string) => unquoted(header).split(separator).length
  return ([',', ';', '\t'] as const).toSorted((a, b) => count(b) - count(a))[0] ?? ','
}

function unquoted(text: string): string {
  return text.replaceAll(/"[^"]*"/g, '')
}

/** The products of a mapped table, each completed with its stored values. */
export async function* mappedLines(
  records: AsyncIterable<CsvRecord>,
  table: MappedTable,
  context: TableContext,
): AsyncGenerator<TableLine> {
  const seen = new Set<string>()
  let waiting: (TableLine | PartialProduct)[] = []
  let rows: TableRow[] = []
  let count = 0
  let group: string | null = null
  let unreadable: UnreadableRow[] = []
  let between: UnreadableRow[] = []

  /** Ends the product, unless the next row belongs to it too. */
  const close = (next: string | null) => {
    const { ofPrevious, ofNext, ofNone } = assignRows(between, rows.length > 0 && group !== '' ? group : null, next)
    between = []
    if (unreadable.length < UNREADABLE_MAX) unreadable.push(...ofPrevious)
    if (rows.length > 0 && next !== null && next !== '' && next === group) return
    if (rows.length > 0) waiting.push(productOf({ rows, count, group, unreadable }, table, seen))
    waiting.push(...ofNone)
    rows = []
    count = 0
    unreadable = [...ofNext]
  }
  for await (const record of records) {
    const faulty = unreadableRow(record, table.header.length)
    if (faulty !== null) {
      between.push(faulty)
      if (between.length > UNREADABLE_MAX) waiting.push(refusedWith([], between.splice(0, 1)))
    } else if ('cells' in record) {
      const next = groupOf(record, table)
      close(next)
      group = next
      count += 1
      if (count <= ROWS_MAX) rows.push(record)
    }
    if (waiting.length < LOOKED_UP) continue
    yield* completed(waiting, context)
    waiting = []
  }
  close(null)
  yield* completed(waiting, context)
}

interface RowGroup {
  readonly rows: readonly TableRow[]
  /** Rows read, including those that were not kept. */
  readonly count: number
  readonly group: string | null
  readonly unreadable: readonly UnreadableRow[]
}

function productOf(
  { rows, count, group, unreadable }: RowGroup,
  table: MappedTable,
  seen: Set<string>,
): TableLine | PartialProduct {
  const line = rows[0]!.line
  const fault = (message: string) => refusedRows(rows, [{ line, message }])
  if (count > ROWS_MAX) return fault(`${count} rows belong to one product. A product has at most ${ROWS_MAX}.`)
  if (group === '') return fault('The row has no product id.')
  const { product, faults } = partialProduct(rows, table)
  const isAgain = product.id !== '' && seen.has(product.id)
  seen.add(product.id)
  if (isAgain) return fault(`The product ${product.id} also appears further up. Put its rows one below the other.`)
  if (unreadable.length > 0) return refusedWith(rows, unreadable)
  return faults.length > 0 ? refusedRows(rows, faults) : product
}

async function* completed(
  waiting: readonly (TableLine | PartialProduct)[],
  { findLines, findRevision, locale }: TableContext,
): AsyncGenerator<TableLine> {
  await turn()
  const ids = waiting.flatMap((each) => ('skus' in each ? [each.id] : []))
  const revision = await findRevision?.()
  const known = ids.length === 0 ? new Map<string, ProductLine>() : await findLines(ids)
  for (const each of waiting) {
    if (!('skus' in each)) {
      yield each
      continue
    }
    const complete = (before: ProductLine | undefined) => lineOf(each, before, locale)
    yield { ...complete(known.get(each.id)), lookup: { revision, complete } }
  }
}

function lineOf(product: PartialProduct, known: ProductLine | undefined, locale: string): TableLine {
  const { line: value, faults } = completeProduct(product, known, locale)
  const { line, rows, categories } = product
  if (faults.length > 0) return refusedRows(rows, faults)
  return { line, value, rows, isKnown: known !== undefined, ...(categories && { categories }) }
}
