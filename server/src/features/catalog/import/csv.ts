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
  let product: OpenProduct | null = null
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
        product.count += 1
        if (product.count <= ROWS_MAX) product.rows.push(row)
        continue
      }
      if (product !== null) yield productOf(product)
      product = { line: record.line, id, rows: [row], count: 1 }
    }
  }
  if (product !== null) yield productOf(product)
}

/** Rows of one product. A file whose rows all have the same `id`, or none, is not one product. */
const ROWS_MAX = 250

interface OpenProduct {
  readonly line: number
  readonly id: string
  readonly rows: Row[]
  /** Rows read, also those that were not kept. */
  count: number
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

/** A record that goes on longer has a quote that was never meant to open a cell. */
const RECORD_LINES_MAX = 1000
const RECORD_CHARACTERS_MAX = 1024 * 1024

/**
 * RFC 4180 records: a cell that begins with a quote may contain commas, doubled quotes and line breaks. A quote inside another
 * cell is a character, such as an inch sign. Each character is read once.
 */
async function* csvRecords(lines: AsyncIterable<TextLine>): AsyncGenerator<CsvRecord> {
  let open: OpenRecord | null = null
  for await (const each of lines) {
    if ('problem' in each) {
      yield each
      continue
    }
    // Lines end with CRLF or LF, also inside quotes. A file may begin with a byte order mark.
    const text = (each.line === 1 ? each.text.replace(/^\uFEFF/, '') : each.text).replace(/\r$/, '')
    if (open === null && text.trim() === '') continue
    open ??= new OpenRecord(each.line)
    open.take(text)
    const record = open.finished()
    if (record === null) continue
    open = null
    yield record
  }
  if (open !== null) yield { line: open.line, problem: 'A quote opened here is never closed.' }
}

/** A record while its lines are read. */
class OpenRecord {
  readonly line: number
  readonly #cells: string[] = []
  /** The content so far of a quoted cell that is not closed. */
  #quoted: string | null = null
  #lines = 0
  #characters = 0
  #problem: string | null = null

  constructor(line: number) {
    this.line = line
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
        const end = endOfCell(text, at)
        this.#cells.push(text.slice(at, end))
        at = end + 1
      }
    }
  }

  /** Reads to the end of a quoted cell, or to the end of the line where the cell goes on. @returns where the next cell begins */
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
      const end = endOfCell(text, quote + 1)
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
    if (this.#problem !== null) return { line: this.line, problem: this.#problem }
    if (this.#quoted === null) return { line: this.line, cells: this.#cells }
    if (this.#lines < RECORD_LINES_MAX && this.#characters < RECORD_CHARACTERS_MAX) return null
    const last = this.line + this.#lines - 1
    return {
      line: this.line,
      problem: `A quote opened here is not closed by line ${last}. The lines up to it were not read.`,
    }
  }
}

function endOfCell(text: string, from: number): number {
  const comma = text.indexOf(',', from)
  return comma === -1 ? text.length : comma
}

function productOf({ line, id, rows, count }: OpenProduct): SourceLine {
  if (count > ROWS_MAX) {
    const which = id === '' ? 'no id' : `the id "${id.slice(0, 100)}"`
    return { line, problem: `${count} rows in a row have ${which}. A product has at most ${ROWS_MAX}.` }
  }
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

/** `true` and `false` as such; anything else unchanged, so that the schema reports it. */
function truth(cell: string | undefined): boolean | string | undefined {
  return cell === 'true' || cell === 'false' ? cell === 'true' : cell
}

function optional<Name extends string, Value>(name: Name, value: Value | undefined): { [Key in Name]?: Value } {
  return value === undefined ? {} : ({ [name]: value } as { [Key in Name]?: Value })
}
