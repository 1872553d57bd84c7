import type { SourceLine, TextLine } from '../../../platform/line-files/line-file.ts'
import { slugOf } from '../text-normalization.ts'

/**
 * Reads the spreadsheet form: a header row, then a row per SKU. Consecutive rows with the same `id` are the SKUs of one
 * product. Yields products in the standard line form, with the number of their first row.
 *
 * @see docs/reference/catalog-lines.md, "The spreadsheet form"
 */
export async function* csvProducts(lines: AsyncIterable<TextLine>): AsyncGenerator<SourceLine> {
  let header: readonly string[] | null = null
  let product: { line: number; id: string; rows: Row[] } | null = null
  for await (const record of csvRecords(lines)) {
    if ('problem' in record) {
      yield record
    } else if (header === null) {
      header = record.cells.map((cell) => cell.trim())
    } else if (record.cells.length > header.length) {
      yield { line: record.line, problem: `The row has ${record.cells.length} cells, the header has ${header.length}.` }
    } else {
      const row = rowOf(header, record.cells)
      const id = row.get('id') ?? ''
      if (product !== null && product.id === id) {
        product.rows.push(row)
        continue
      }
      if (product !== null) yield productOf(product.line, product.rows)
      product = { line: record.line, id, rows: [row] }
    }
  }
  if (product !== null) yield productOf(product.line, product.rows)
}

type Row = ReadonlyMap<string, string>
type CsvRecord =
  | { readonly line: number; readonly cells: readonly string[] }
  | { readonly line: number; readonly problem: string }

/** Cells by column name, without empty ones. */
function rowOf(header: readonly string[], cells: readonly string[]): Row {
  return new Map(
    cells.flatMap((cell, index): [string, string][] => (cell.trim() === '' ? [] : [[header[index]!, cell.trim()]])),
  )
}

/** RFC 4180 records: a quoted cell may contain commas, doubled quotes and line breaks. */
async function* csvRecords(lines: AsyncIterable<TextLine>): AsyncGenerator<CsvRecord> {
  let open: { line: number; text: string } | null = null
  for await (const each of lines) {
    if ('problem' in each) {
      yield each
      continue
    }
    // Lines end with CRLF or LF, also inside quotes. A file may begin with a byte order mark.
    const own = (each.line === 1 ? each.text.replace(/^\uFEFF/, '') : each.text).replace(/\r$/, '')
    const text: string = open === null ? own : `${open.text}\n${own}`
    const line: number = open?.line ?? each.line
    open = null
    if (countQuotes(text) % 2 === 1) open = { line, text }
    else if (text.trim() !== '') yield { line, cells: cellsOf(text) }
  }
  if (open !== null) yield { line: open.line, problem: 'A quote opened here is never closed.' }
}

function countQuotes(text: string): number {
  return text.split('"').length - 1
}

function cellsOf(text: string): readonly string[] {
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^,]*))(?:,|$)/gy
  while (cell.lastIndex < text.length) {
    const found = cell.exec(text)
    if (found === null) return [...cells, text.slice(cell.lastIndex)]
    cells.push(found[1]?.replaceAll('""', '"') ?? found[2] ?? '')
  }
  if (text.endsWith(',')) cells.push('')
  return cells
}

function productOf(line: number, rows: readonly Row[]): SourceLine {
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
  return { line, value }
}

function skuOf(row: Row) {
  const options = Object.fromEntries(prefixed(row, 'option.'))
  const prices = prefixed(row, 'price.').map(([currency, amount]) => {
    const compareAt = row.get(`compareAt.${currency}`)
    return { currency, amount: whole(amount), ...(compareAt === undefined ? {} : { compareAt: whole(compareAt) }) }
  })
  return {
    code: row.get('code') ?? row.get('id') ?? '',
    ...(Object.keys(options).length > 0 ? { options } : {}),
    prices,
    stock: whole(row.get('stock')) ?? null,
    ...optional('weightGrams', whole(row.get('weightGrams'))),
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

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}
