import type { CsvRecord } from '../../../../platform/line-files/csv-records.ts'
import { gunzippedUpload } from '../../../../platform/line-files/gunzip.ts'
import { InvalidLine } from '../../../../platform/line-files/invalid-line.ts'
import { textLines } from '../../../../platform/line-files/line-file.ts'
import type { ProductDraft } from '../../writing/product-draft.ts'
import { csvProducts } from '../csv.ts'
import { lineReader } from '../line-reader.ts'
import { COLUMNS_MAX, type Mapping } from './columns.ts'
import { guessMapping, isMarketColumn, isSpreadsheetForm, knownForm } from './guess.ts'
import type { TableFault, TableLine } from './partial-product.ts'
import { LOOKED_UP, mappedLines, openTable, type TableContext } from './table-lines.ts'

const SAMPLES = 10
const FAULTS_SHOWN = 100
const EXAMPLES = 5
/** The most rows that a preview reads. */
const ROWS_MAX = 50_000
/** Rows that are read to guess the mapping. */
const GUESSED_BY = 50

/** Effects of an import that its author may not expect. */
type WarningKind =
  | 'currency_added'
  | 'new_categories'
  | 'zero_prices'
  | 'repeated_codes'
  | 'market_columns'
  | 'skipped_columns'
  | 'no_stock'

interface PreviewWarning {
  readonly kind: WarningKind
  readonly count: number
  readonly examples: readonly string[]
}

/** A product as the import would write it. */
export interface PreviewSample {
  readonly line: number
  readonly isKnown: boolean
  readonly status: NonNullable<ProductDraft['status']>
  readonly product: ProductDraft
}

export interface TablePreview {
  /** `spreadsheet`: our own form, whose columns need no mapping. */
  readonly form: 'spreadsheet' | 'shopify' | 'export' | 'remembered' | 'given' | 'guessed'
  readonly mapping: Mapping
  readonly columns: readonly { readonly header: string; readonly target: string; readonly example: string }[]
  readonly created: number
  readonly changed: number
  readonly variants: number
  readonly refused: number
  readonly isWhole: boolean
  readonly samples: readonly PreviewSample[]
  readonly faults: readonly TableFault[]
  readonly faultCount: number
  readonly warnings: readonly PreviewWarning[]
}

/** The store that a table is imported into. */
interface PreviewStore {
  readonly currencies: readonly string[]
  readonly categoryPaths: ReadonlySet<string>
}

interface PreviewRequest {
  readonly bytes: AsyncIterable<Buffer>
  readonly isGzipped: boolean
  /** `null`: the mapping last used with this header, or a guess. */
  readonly mapping: Mapping | null
  readonly recall: (header: readonly string[]) => Promise<Mapping | null>
  readonly context: TableContext
  readonly store: PreviewStore
}

/**
 * Previews the import of a table, without writing: its columns, the first products as they would be written, faults and warnings.
 * `null` if the file has no header. Keeps a few hundred rows in memory. Throws `InvalidLine` for a header that a mapping cannot have.
 */
export async function previewTable(request: PreviewRequest): Promise<TablePreview | null> {
  const { bytes, isGzipped, context } = request
  const { records, header } = await openTable(textLines(isGzipped ? gunzippedUpload(bytes) : bytes))
  if (header === null) return null
  const { mapping: given, store } = request
  if (given === null && isSpreadsheetForm(header.cells)) return previewSpreadsheet(records, store, context)
  const width = header.cells.length
  if (width > COLUMNS_MAX) throw new InvalidLine(`The table has ${width} columns. At most ${COLUMNS_MAX} are allowed.`)
  const rows = records[Symbol.asyncIterator]()
  await rows.next()
  const first = await firstRecords(rows)
  const cells = first.flatMap((record) => ('cells' in record ? [record.cells] : []))
  const { form, mapping } = await mappingOf(request, header.cells, cells)
  const table = { header: header.cells, mapping }
  const limit = { rows: 0, isWhole: true }
  const lines = mappedLines(limited(first, rows, limit), table, {
    ...context,
    currency: mapping.currency,
    locale: mapping.locale,
  })
  const summary = new Summary(store, mapping.locale)
  for await (const line of lines) summary.take(line)
  return {
    form,
    mapping,
    columns: header.cells.map((name, column) => ({
      header: name,
      target: mapping.columns[column] ?? 'skip',
      example: (cells.map((row) => row[column]?.trim()).find(Boolean) ?? '').slice(0, 200),
    })),
    isWhole: limit.isWhole,
    ...summary.result(),
    warnings: [...summary.warnings(), ...columnWarnings(header.cells, mapping)],
  }
}

/** Previews a table in our spreadsheet form, which is imported without a mapping. */
async function previewSpreadsheet(
  records: AsyncIterable<CsvRecord>,
  store: PreviewStore,
  context: TableContext,
): Promise<TablePreview> {
  const { currency, locale } = context
  const limit = { rows: 0, isWhole: true }
  const summary = new Summary(store, locale)
  const lines = csvProducts(limited([], records[Symbol.asyncIterator](), limit))
  for await (const line of withKnown(lines, context)) summary.take(line)
  return {
    form: 'spreadsheet',
    mapping: { columns: [], currency, locale, decimal: 'point' },
    columns: [],
    isWhole: limit.isWhole,
    ...summary.result(),
    warnings: summary.warnings(),
  }
}

async function* withKnown(lines: AsyncIterable<TableLine>, { findLines }: TableContext): AsyncGenerator<TableLine> {
  const idOf = (line: TableLine) => ('value' in line ? (line.value as { readonly id: string }).id : '')
  let waiting: TableLine[] = []
  async function* found() {
    const known = await findLines(waiting.map(idOf))
    for (const line of waiting) {
      const before = known.get(idOf(line))
      yield before === undefined ? line : { ...line, isKnown: true, keptStatus: before.status }
    }
    waiting = []
  }
  for await (const line of lines) {
    waiting.push(line)
    if (waiting.length === LOOKED_UP) yield* found()
  }
  if (waiting.length > 0) yield* found()
}

async function firstRecords(rows: AsyncIterator<CsvRecord>): Promise<CsvRecord[]> {
  const first: CsvRecord[] = []
  while (first.length < GUESSED_BY) {
    const next = await rows.next()
    if (next.done) break
    first.push(next.value)
  }
  return first
}

async function* limited(
  first: readonly CsvRecord[],
  rest: AsyncIterator<CsvRecord>,
  limit: { rows: number; isWhole: boolean },
): AsyncGenerator<CsvRecord> {
  yield* first
  for (let count = first.length; ; count += 1) {
    const next = await rest.next()
    if (next.done) return
    if (count >= ROWS_MAX) {
      limit.isWhole = false
      return
    }
    yield next.value
  }
}

async function mappingOf(
  { mapping, recall, context: { currency, locale } }: PreviewRequest,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): Promise<Pick<TablePreview, 'form' | 'mapping'>> {
  if (mapping) return { form: 'given', mapping }
  const remembered = await recall(header)
  if (remembered) return { form: 'remembered', mapping: remembered }
  return { form: knownForm(header) ?? 'guessed', mapping: guessMapping({ header, rows, currency, locale }) }
}

function columnWarnings(header: readonly string[], { columns }: Mapping): PreviewWarning[] {
  const skipped = header.filter((_, column) => (columns[column] ?? 'skip') === 'skip')
  const market = skipped.filter(isMarketColumn)
  const others = skipped.filter((name) => !isMarketColumn(name) && name !== '')
  return [
    ...warning('market_columns', market.length, market),
    ...warning('skipped_columns', others.length, others),
    ...warning('no_stock', columns.includes('stock') ? 0 : 1, []),
  ]
}

function warning(kind: WarningKind, count: number, examples: readonly string[]): PreviewWarning[] {
  return count === 0 ? [] : [{ kind, count, examples: examples.slice(0, EXAMPLES).map((text) => text.slice(0, 200)) }]
}

class Summary {
  readonly #store: PreviewStore
  readonly #locale: string
  readonly #read = lineReader()
  readonly #samples: PreviewSample[] = []
  readonly #faults: TableFault[] = []
  readonly #codes = new Map<string, number>()
  readonly #newCategories = new Set<string>()
  readonly #newCurrencies = new Set<string>()
  readonly #zero: string[] = []
  #faultCount = 0
  #created = 0
  #changed = 0
  #variants = 0
  #refused = 0

  constructor(store: PreviewStore, locale: string) {
    this.#store = store
    this.#locale = locale
  }

  take(line: TableLine): void {
    if ('problem' in line) {
      this.#refuse(line.faults ?? [{ line: line.line, message: line.problem }])
      return
    }
    try {
      const draft = this.#read(line.value, this.#locale)
      if (draft.kind === 'product') this.#count(line, draft.product)
    } catch (error) {
      if (!(error instanceof InvalidLine)) throw error
      this.#refuse([{ line: line.line, message: error.message }])
    }
  }

  #refuse(faults: readonly TableFault[]): void {
    this.#refused += 1
    this.#faultCount += faults.length
    this.#faults.push(...faults.slice(0, FAULTS_SHOWN - this.#faults.length))
  }

  #count(line: TableLine, product: ProductDraft): void {
    if (line.isKnown) this.#changed += 1
    else this.#created += 1
    this.#variants += product.skus.length
    for (const { code, prices } of product.skus) {
      this.#codes.set(code, (this.#codes.get(code) ?? 0) + 1)
      if (prices.some(({ amount }) => amount === 0)) this.#zero.push(code)
      for (const { currency } of prices) {
        if (!this.#store.currencies.includes(currency)) this.#newCurrencies.add(currency)
      }
    }
    for (const { names, slugs } of line.categories ?? []) {
      if (!this.#store.categoryPaths.has(slugs.join('/'))) this.#newCategories.add(names.join(' > '))
    }
    if (this.#samples.length < SAMPLES) {
      const categories = line.categories ?? product.categories
      const status = product.status ?? line.keptStatus ?? 'published'
      this.#samples.push({
        line: line.line,
        isKnown: line.isKnown === true,
        status,
        product: { ...product, categories },
      })
    }
  }

  warnings(): PreviewWarning[] {
    const repeated = [...this.#codes].flatMap(([code, count]) => (count > 1 ? [code] : []))
    return [
      ...warning('currency_added', this.#newCurrencies.size, [...this.#newCurrencies]),
      ...warning('zero_prices', this.#zero.length, this.#zero),
      ...warning('repeated_codes', repeated.length, repeated),
      ...warning('new_categories', this.#newCategories.size, [...this.#newCategories]),
    ]
  }

  result() {
    return {
      created: this.#created,
      changed: this.#changed,
      variants: this.#variants,
      refused: this.#refused,
      samples: this.#samples,
      faults: this.#faults,
      faultCount: this.#faultCount,
    }
  }
}
