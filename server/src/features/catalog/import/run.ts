import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { InvalidLine, isInvalidLine } from '../../../platform/line-files/invalid-line.ts'
import { parseLine } from '../../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { loadRevision } from '../../../platform/revisions/revisions.ts'
import { keepShownPictures } from '../../media/index.ts'
import { catalogOf, MARKETPLACE_CATEGORIES } from '../subjects.ts'
import { CategoryCache } from '../writing/category-cache.ts'
import { writeDrafts } from '../writing/draft-writes.ts'
import type { ProductLine, StoreLine } from '../writing/line-schema.ts'
import { type Draft, nameOfSlug } from '../writing/product-draft.ts'
import { readLinesByExternalId } from '../writing/product-records.ts'
import { countsOf, type WritableStore, type WriteCounts } from '../writing/product-write-context.ts'
import { type BeforeProducts, lockCatalog } from '../writing/product-writes.ts'
import { storeForWriting, writeStore } from '../writing/store-writes.ts'
import { lineReader } from './line-reader.ts'
import type { TableLine } from './mapped/partial-product.ts'

/** Lines per transaction. More hold the lock longer, fewer need more commits. */
const BATCH = 500

interface ImportRequest {
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  /** The store of lines without one. Created, open and in English, if it does not exist. */
  readonly storeSlug?: string | undefined
  /** Parsed lines, or texts with one JSON object each. */
  readonly source: Iterable<TableLine | string> | AsyncIterable<TableLine | string>
  readonly now: Date
  /** Called and awaited after each batch, and after every 500 lines. */
  readonly onProgress?: (report: ImportReport) => void | Promise<void>
  /** The lines that an interrupted run of the same source has settled. They are skipped. */
  readonly settled?: SettledCounts | undefined
  /**
   * Called in each transaction that writes lines, and after 500 lines at the latest. If it throws, the transaction is rolled back and
   * the import ends. `null`: the transaction wrote a part of a batch, which is settled with the rest of it.
   */
  readonly onSettled?: (tx: Transaction, settled: SettledLines | null) => Promise<void>
  /** The URL that uploaded pictures are served below. Lines that name a removed one are refused. */
  readonly mediaUrl?: string | undefined
  /** Called in the transaction that writes products, before the write. */
  readonly beforeProducts?: BeforeProducts | undefined
}

/** The result of the first lines of a source. */
interface SettledCounts extends WriteCounts {
  /** The number of lines. */
  readonly read: number
  readonly refused: number
}

/** The same, with the lines that were refused since the last call. */
export interface SettledLines extends SettledCounts {
  readonly newlyRefused: readonly RefusedLine[]
}

/** A line that could not be imported, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
  /** The cells of its rows in the file. */
  readonly source?: readonly (readonly string[])[]
}

/** The result of an import. Each line counts in exactly one of the last four. */
export interface ImportReport {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** In order of lines. With `onSettled`, only those that it has not received. */
  readonly refused: readonly RefusedLine[]
}

/**
 * Imports catalog lines, in a transaction per batch. An interrupted import can be started again, and skips what is already
 * written. A bad line is reported with its number and reason, and does not affect others. Nothing is deleted.
 *
 * Errors: those of the source, and database failures not caused by a line.
 */
export async function importCatalog(request: ImportRequest): Promise<ImportReport> {
  const run = new ImportRun(request)
  let number = 0
  for await (const line of request.source) {
    number += 1
    if (number <= (request.settled?.read ?? 0)) continue
    await run.take(typeof line === 'string' ? parseLine(number, line) : line)
  }
  return run.finish()
}

/** Fewer changed lines do not affect query plans. */
const ANALYZED_MIN = 50
const analyzeCatalog = statement('catalog.analyze', 'select analyze_catalog($1)')

/**
 * Updates PostgreSQL's statistics of the catalog, if an import has changed a tenth of it. Right after a first import of 19,406 products
 * it took 1 s; without it a search took 65 ms of PostgreSQL instead of 6, until autovacuum came.
 */
export async function analyzeImported(database: Database, { created, updated }: ImportReport): Promise<void> {
  const changed = created + updated
  if (changed >= ANALYZED_MIN) await database.transaction((tx) => tx.rows(analyzeCatalog, [changed]))
}

type StoreDraft = Extract<Draft, { kind: 'store' }>
type BatchedDraft = Exclude<Draft, StoreDraft>

interface LineRead {
  readonly line: number
  readonly source: TableLine
  readonly draft: BatchedDraft
}

class ImportRun {
  readonly #request: ImportRequest
  readonly #readLine = lineReader()
  /** The committed categories by store. A cache that a transaction is using is not in the map. */
  readonly #categoryCaches = new Map<string | undefined, CategoryCache>()
  /** Not yet settled, with `onSettled`. */
  #refused: RefusedLine[] = []
  #refusedBefore: number
  /** The number of lines taken so far, without the current one. */
  #read: number
  #settledRead: number
  #created: number
  #updated: number
  #unchanged: number
  #defaultLocale: string | null = null
  /** Products or categories to be written together, of one store, with distinct ids or paths. */
  #batch = new Map<string, LineRead>()
  #batchKind: BatchedDraft['kind'] = 'product'
  #batchStore: string | undefined

  constructor(request: ImportRequest) {
    this.#request = request
    const { read, created, updated, unchanged, refused } = request.settled ?? NOTHING
    this.#read = read
    this.#settledRead = read
    this.#created = created
    this.#updated = updated
    this.#unchanged = unchanged
    this.#refusedBefore = refused
  }

  async take(source: TableLine): Promise<void> {
    await this.#add(source)
    this.#read += 1
    if (this.#read % BATCH === 0) await this.#checkpoint()
  }

  async #add(source: TableLine): Promise<void> {
    const draft = await this.#draftOf(source)
    if (draft === null) return
    if (draft.kind === 'store') {
      await this.#flush()
      await this.#guarded(source, () => this.#writeStoreLine(draft))
      return
    }
    const store = draft.store ?? this.#request.storeSlug
    const needsStore = draft.kind === 'product' || draft.category.owner === 'store'
    if (store === undefined && needsStore) {
      this.#refuse(source, NO_STORE)
      return
    }
    const key = keyOf(draft)
    const isOther = store !== this.#batchStore || draft.kind !== this.#batchKind
    if (isOther || this.#batch.has(key)) await this.#flush()
    this.#batchStore = store
    this.#batchKind = draft.kind
    this.#batch.set(key, { line: source.line, source, draft })
  }

  async finish(): Promise<ImportReport> {
    await this.#checkpoint()
    return this.#report()
  }

  /** Writes the lines taken so far, and settles them. */
  async #checkpoint(): Promise<void> {
    await this.#flush()
    await this.#reportProgress()
    const { database, onSettled } = this.#request
    if (!onSettled || this.#read === this.#settledRead) return
    const settled = this.#settledWith(NOTHING, this.#read)
    await database.transaction((tx) => onSettled(tx, settled))
    this.#saveSettled(settled)
  }

  #settledWith({ created, updated, unchanged }: WriteCounts, read: number): SettledLines {
    return {
      read,
      created: this.#created + created,
      updated: this.#updated + updated,
      unchanged: this.#unchanged + unchanged,
      refused: this.#refusedBefore + this.#refused.length,
      newlyRefused: this.#refused,
    }
  }

  #saveSettled({ read, refused }: SettledLines): void {
    if (!this.#request.onSettled) return
    this.#settledRead = read
    this.#refusedBefore = refused
    this.#refused = []
  }

  #report(): ImportReport {
    return {
      read: this.#read,
      created: this.#created,
      updated: this.#updated,
      unchanged: this.#unchanged,
      refused: this.#refused.toSorted((a, b) => a.line - b.line),
    }
  }

  async #reportProgress(): Promise<void> {
    await this.#request.onProgress?.(this.#report())
  }

  #refuse(source: TableLine, reason: string): void {
    const cells = cellsOf(source)
    this.#refused.push({ line: source.line, reason, ...(cells && { source: cells }) })
  }

  async #draftOf(source: TableLine): Promise<Draft | null> {
    if ('problem' in source) {
      this.#refuse(source, source.problem)
      return null
    }
    this.#defaultLocale ??= await this.#localeOfStore()
    try {
      return withCategoryNames(this.#readLine(source.value, this.#defaultLocale), source)
    } catch (error) {
      if (!(error instanceof InvalidLine)) throw error
      this.#refuse(source, error.message)
      return null
    }
  }

  /** The language of flat lines, which do not name one. */
  async #localeOfStore(): Promise<string> {
    const { database, storeSlug } = this.#request
    if (storeSlug === undefined) return 'en'
    const store = await database.transaction((tx) => storeForWriting(tx, storeSlug))
    return store?.locales[0] ?? 'en'
  }

  async #writeStoreLine({ store }: StoreDraft): Promise<void> {
    const { database, ids, now, onSettled } = this.#request
    const { counts, settled } = await database.transaction(async (tx) => {
      await this.#keepPictures(tx, store)
      const counts = countsOf([await writeStore(tx, store, { ids, now })])
      const settled = this.#settledWith(counts, this.#read + 1)
      await onSettled?.(tx, settled)
      return { counts, settled }
    })
    this.#defaultLocale = null
    this.#count(counts)
    this.#saveSettled(settled)
    await this.#reportProgress()
  }

  #count({ created, updated, unchanged }: WriteCounts): void {
    this.#created += created
    this.#updated += updated
    this.#unchanged += unchanged
  }

  async #flush(): Promise<void> {
    if (this.#batch.size === 0) return
    const lines = [...this.#batch.values()]
    this.#batch = new Map()
    await this.#writeOrHalve(lines, true)
    await this.#reportProgress()
  }

  /**
   * Writes lines together. If PostgreSQL rejects one, writes halves, until the bad line is alone. Only the last half of a batch
   * settles it, because progress within a batch is not stored.
   */
  async #writeOrHalve(lines: readonly LineRead[], settles: boolean): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    if (lines.length === 1) return this.#guarded(first.source, () => this.#write(lines, settles))
    try {
      await this.#write(lines, settles)
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      const middle = Math.ceil(lines.length / 2)
      await this.#writeOrHalve(lines.slice(0, middle), false)
      await this.#writeOrHalve(lines.slice(middle), settles)
    }
  }

  /** Refuses the line instead of failing, if the line is at fault. */
  async #guarded(source: TableLine, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      this.#refuse(source, error.message)
    }
  }

  async #write(lines: readonly LineRead[], settles: boolean): Promise<void> {
    const { database, onSettled } = this.#request
    const { cache, counts, settled } = await database.transaction(async (tx) => {
      const { cache, counts } = await this.#writeIn(tx, lines)
      const settled = settles ? this.#settledWith(counts, this.#read) : null
      await onSettled?.(tx, settled)
      return { cache, counts, settled }
    })
    this.#categoryCaches.set(this.#batchStore, cache)
    this.#count(counts)
    if (settled) this.#saveSettled(settled)
  }

  async #writeIn(
    tx: Transaction,
    read: readonly LineRead[],
  ): Promise<{ readonly cache: CategoryCache; readonly counts: WriteCounts }> {
    const { ids, now } = this.#request
    const slug = this.#batchStore
    const lines = slug === undefined ? read : await this.#completedNow(tx, slug, read)
    await this.#keepPictures(
      tx,
      lines.map(({ draft }) => draft),
    )
    const products = lines.flatMap(({ draft }) => (draft.kind === 'product' ? [draft.product] : []))
    const categories = lines.flatMap(({ draft }) => (draft.kind === 'category' ? [draft.category] : []))
    const currency = products[0]?.skus[0]?.prices[0]?.currency ?? 'EUR'
    const store = slug === undefined ? null : await this.#storeForImport(tx, slug, currency)
    const cache = await this.#categoriesOf(tx, store)
    if (store !== null && products.length > 0) {
      const { beforeProducts } = this.#request
      const counts = await writeDrafts(tx, { store, cache }, products, { ids, now, beforeProducts })
      return { cache, counts }
    }
    return { cache, counts: await cache.save(tx, categories, { ids, now, locale: store?.locales[0] ?? 'en' }) }
  }

  async #keepPictures(tx: Transaction, drafts: unknown): Promise<void> {
    const { mediaUrl } = this.#request
    const [removed] = mediaUrl === undefined ? [] : await keepShownPictures(tx, drafts, mediaUrl)
    if (removed) throw new InvalidLine(removed.message)
  }

  /** Completes products of a table again, if someone has changed the catalog since their stored values were looked up. */
  async #completedNow(tx: Transaction, slug: string, lines: readonly LineRead[]): Promise<readonly LineRead[]> {
    if (!lines.some(({ source }) => source.lookup)) return lines
    const store = await storeForWriting(tx, slug)
    if (store === undefined) return lines
    const [, revision] = await Promise.all([lockCatalog(tx, store.id), loadRevision(tx, catalogOf(store.id))])
    const isStale = ({ source }: LineRead) => source.lookup !== undefined && source.lookup.revision !== revision
    const ids = lines.flatMap((each) => (isStale(each) ? [keyOf(each.draft)] : []))
    if (ids.length === 0) return lines
    const known = await readLinesByExternalId(tx, slug, ids)
    return lines.map((each) => (isStale(each) ? this.#completed(each, known.get(keyOf(each.draft))) : each))
  }

  #completed({ line, source, draft }: LineRead, known: ProductLine | undefined): LineRead {
    const completed = source.lookup?.complete(known) ?? source
    if ('problem' in completed) throw new InvalidLine(completed.problem)
    const now = withCategoryNames(this.#readLine(completed.value, this.#defaultLocale ?? 'en'), completed)
    return { line, source, draft: now.kind === 'product' ? now : draft }
  }

  /** The categories of a store, reloaded if one was changed since the previous batch. */
  async #categoriesOf(tx: Transaction, store: WritableStore | null): Promise<CategoryCache> {
    const known = this.#categoryCaches.get(store?.slug)
    // A failed transaction leaves categories in the cache that do not exist.
    this.#categoryCaches.delete(store?.slug)
    if (known && known.revision === (await loadRevision(tx, MARKETPLACE_CATEGORIES))) return known
    return CategoryCache.read(tx, store?.id ?? null)
  }

  async #storeForImport(tx: Transaction, slug: string, currency: string): Promise<WritableStore> {
    const store = await storeForWriting(tx, slug)
    if (store !== undefined) return store
    if (slug !== this.#request.storeSlug) throw new InvalidLine(`There is no store ${slug}.`)
    const { ids, now } = this.#request
    await writeStore(tx, newStore(slug, currency), { ids, now })
    return present(await storeForWriting(tx, slug), 'the store that was just written')
  }
}

const NOTHING: SettledCounts = { read: 0, created: 0, updated: 0, unchanged: 0, refused: 0 }

/** The key of a line, unique within a batch. */
function keyOf(draft: BatchedDraft): string {
  if (draft.kind === 'product') return draft.product.externalId
  return `${draft.category.owner ?? ''}:${draft.category.path.join('/')}`
}

/** New categories get their names from the table, not from their slugs. */
function withCategoryNames(draft: Draft, { categories }: TableLine): Draft {
  if (draft.kind !== 'product' || !categories) return draft
  return { ...draft, product: { ...draft.product, categories } }
}

/** The cells of a refused line: those of its rows, or the whole line as JSON. */
function cellsOf(source: TableLine): readonly (readonly string[])[] | null {
  if (source.rows) return source.rows.map(({ cells }) => cells)
  return 'value' in source ? [[JSON.stringify(source.value)]] : null
}

const NO_STORE = 'The line has no store, and the import has none either.'

/** The countries of a store created by an import. */
const COUNTRIES =
  'US CA GB IE DE AT CH FR BE NL LU ES PT IT GR DK SE NO FI PL CZ SK SI HU RO BG HR EE LV LT CY MT AU NZ JP'.split(' ')

/** A store created with defaults. A store line can change it. */
function newStore(slug: string, currency: string): StoreLine {
  return {
    type: 'store',
    slug,
    names: { en: nameOfSlug(slug) },
    currencies: [currency],
    locales: ['en'],
    countries: COUNTRIES,
    pricesIncludeTax: false,
  }
}
