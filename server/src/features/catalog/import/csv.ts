import type { CsvRecord } from '../../../platform/line-files/csv-records.ts'
import { slugOf } from '../text-normalization.ts'
import { isTruth, roundingOf, truthOf } from './mapped/cells.ts'
import { refusedRows, type TableLine, type TableRow } from './mapped/partial-product.ts'
import { assignRows, refusedWith, UNREADABLE_MAX, type UnreadableRow, unreadableRow } from './unreadable-rows.ts'

/**
 * Reads the spreadsheet form: a header row, then a row per SKU. Consecutive rows with the same `id` are the SKUs of one
 * product. Yields products in the standard line form, with the number of their first row.
 *
 * @see docs/reference/catalog-lines.md, "The spreadsheet form"
 */
export async function* csvProducts(records: AsyncIterable<CsvRecord>): AsyncGenerator<TableLine> {
  let header: readonly string[] | null = null
  let product: OpenProduct | null = null
  const waiting: UnreadableRow[] = []
  for await (const record of records) {
    const unreadable = unreadableRow(record, header?.length ?? Number.POSITIVE_INFINITY)
    if (unreadable !== null) {
      waiting.push(unreadable)
      if (waiting.length > UNREADABLE_MAX) yield refusedWith([], waiting.splice(0, 1))
      continue
    }
    if (!('cells' in record)) continue
    if (header === null) {
      header = record.cells.map((cell) => cell.trim())
      continue
    }
    const row = rowOf(header, record.cells)
    const id = row.get('id') ?? ''
    const { ofPrevious, ofNext, ofNone } = assignRows(waiting.splice(0), product?.id ?? null, id)
    if (product !== null && product.unreadable.length < UNREADABLE_MAX) product.unreadable.push(...ofPrevious)
    if (product !== null && product.id === id) {
      addRow(product, row, record)
      continue
    }
    if (product !== null) yield productOf(product)
    yield* ofNone
    product = { line: record.line, id, rows: [row], source: [record], count: 1, unreadable: [...ofNext] }
  }
  const { ofPrevious, ofNone } = assignRows(waiting, product?.id ?? null, null)
  if (product !== null) yield productOf({ ...product, unreadable: [...product.unreadable, ...ofPrevious] })
  yield* ofNone
}

/** The most rows of one product: a file whose rows all have the same `id`, or none, is not one product. */
const ROWS_MAX = 250

interface OpenProduct {
  readonly line: number
  readonly id: string
  readonly rows: Row[]
  readonly source: TableRow[]
  /** Rows read, including those that were not kept. */
  count: number
  readonly unreadable: UnreadableRow[]
}

type Row = ReadonlyMap<string, string>

function addRow(product: OpenProduct, row: Row, record: TableRow): void {
  product.count += 1
  if (product.count > ROWS_MAX) return
  product.rows.push(row)
  product.source.push(record)
}

/** Cells by column name, without empty ones. */
function rowOf(header: readonly string[], cells: readonly string[]): Row {
  return new Map(
    cells.flatMap((cell, index): [string, string][] => (cell.trim() === '' ? [] : [[header[index]!, cell.trim()]])),
  )
}

function productOf({ line, id, rows, source, count, unreadable }: OpenProduct): TableLine {
  if (count > ROWS_MAX) {
    const which = id === '' ? 'no id' : `the id "${id.slice(0, 100)}"`
    const message = `${count} consecutive rows have ${which}. A product has at most ${ROWS_MAX}.`
    return refusedRows(source, [{ line, message }])
  }
  if (unreadable.length > 0) return refusedWith(source, unreadable)
  const rounded = rows.flatMap((row, index) =>
    ['id', 'code', 'barcode'].flatMap((column) => {
      const message = roundingOf(row.get(column) ?? '')
      return message === null ? [] : [{ line: source[index]?.line ?? line, column, message }]
    }),
  )
  if (rounded.length > 0) return refusedRows(source, rounded)
  const first = rows[0]!
  const names = localized(first, 'name')
  const descriptions = localized(first, 'description')
  const optionNames = [...new Set(rows.flatMap((row) => prefixed(row, 'option.').map(([name]) => name)))]
  const attributes = prefixed(first, 'attribute.').map(([key, value]) => ({ key, value }))
  const image = first.get('image')
  const categories = (first.get('categories') ?? '').split('|').flatMap((path) => {
    const slugs = path.split('>').map((name) => slugOf(name) ?? '')
    return path.trim() === '' ? [] : [slugs]
  })
  const value = {
    id: first.get('id') ?? '',
    ...optional('slug', first.get('slug')),
    ...optional('store', first.get('store')),
    ...optional('status', first.get('status')),
    names,
    ...(Object.keys(descriptions).length > 0
      ? {
          descriptions: Object.fromEntries(
            Object.entries(descriptions).map(([locale, text]) => [locale, { format: 'plain', text }]),
          ),
        }
      : {}),
    ...optional('brand', first.get('brand')),
    categories,
    options: optionNames.map((name) => ({
      name,
      values: [...new Set(rows.flatMap((row) => row.get(`option.${name}`) ?? []))].map((each) => ({ value: each })),
    })),
    attributes,
    ...(image === undefined
      ? {}
      : {
          images: [
            { url: image, width: whole(first.get('imageWidth')) ?? 1, height: whole(first.get('imageHeight')) ?? 1 },
          ],
        }),
    ...optional('publishedAt', first.get('publishedAt')),
    skus: rows.map(skuOf),
  }
  return { line, value, rows: source }
}

function skuOf(row: Row) {
  const options = Object.fromEntries(prefixed(row, 'option.'))
  const prices = prefixed(row, 'price.').map(([currency, amount]) => {
    const compareAt = row.get(`compareAt.${currency}`)
    return { currency, amount: whole(amount), ...(compareAt === undefined ? {} : { compareAt: whole(compareAt) }) }
  })
  return {
    code: row.get('code') ?? row.get('id') ?? '',
    ...optional('barcode', row.get('barcode')),
    ...(Object.keys(options).length > 0 ? { options } : {}),
    prices,
    stock: whole(row.get('stock')) ?? null,
    ...optional('weightGrams', whole(row.get('weightGrams'))),
    ...optional('requiresShipping', truth(row.get('requiresShipping'))),
    ...optional('taxCategory', row.get('taxCategory')),
  }
}

function localized(row: Row, column: string): Record<string, string> {
  const plain = row.get(column)
  return { ...(plain === undefined ? {} : { en: plain }), ...Object.fromEntries(prefixed(row, `${column}.`)) }
}

function prefixed(row: Row, prefix: string): [string, string][] {
  return [...row].flatMap(([column, cell]): [string, string][] =>
    column.startsWith(prefix) ? [[column.slice(prefix.length), cell]] : [],
  )
}

/** Whole numbers as numbers; anything else unchanged, so that the schema reports it. */
function whole(cell: string | undefined): number | string | undefined {
  return cell !== undefined && /^-?\d+$/.test(cell) ? Number(cell) : cell
}

/** What means true or false as such; anything else unchanged, so that the schema reports it. */
function truth(cell: string | undefined): boolean | string | undefined {
  return cell !== undefined && isTruth(cell) ? truthOf(cell) : cell
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}
