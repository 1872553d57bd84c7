import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { InvalidLine, isInvalidLine } from '../../platform/line-files/invalid-line.ts'
import { parseLine, type SourceLine } from '../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../platform/postgres/index.ts'
import { loadRevision } from '../../platform/revisions/revisions.ts'
import type { StoreLine } from './catalogue-line.ts'
import { CategoryBook } from './category-book.ts'
import { writeDrafts } from './draft-writes.ts'
import { type Draft, nameOfSlug, type ProductDraft } from './import-draft.ts'
import { lineReader } from './import-read.ts'
import type { WritingStore } from './placed-product.ts'
import { storeForWriting, writeStore } from './store-writes.ts'
import { MARKETPLACE_CATEGORIES } from './subjects.ts'

/** Products that are written by one transaction. More make a longer lock, fewer more commits. */
const BATCH = 500

export interface ImportRequest {
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  /** The store of lines that name none. Made, open and in English, where there is none with this slug. */
  readonly storeSlug?: string | undefined
  /** Lines that were read already, or texts of one JSON object each. */
  readonly source: Iterable<SourceLine | string> | AsyncIterable<SourceLine | string>
  readonly now: Date
  /** Told after each batch, and after as many lines of which none could be taken. Waited for. */
  readonly onProgress?: (report: ImportReport) => void | Promise<void>
  /** Takes the lines that cannot be taken, as they are met, where there may be more than the report should hold. */
  readonly onRefused?: (refused: RefusedLine) => void
}

/** A line that cannot be taken, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}

/** What became of the lines of a file. Each is in exactly one of the last four. */
export interface ImportReport {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** In order of their lines; empty where `onRefused` takes them. */
  readonly refused: readonly RefusedLine[]
}

/**
 * Writes the lines of a catalogue into the database, in batches of their own transactions: an import that was stopped is
 * begun again, and passes over what is written. A line that cannot be taken is reported with its number and its reason,
 * and takes no other with it. Nothing is removed.
 *
 * Errors: what the source throws, and failures of the database that are no line's fault.
 */
export async function importCatalogue(request: ImportRequest): Promise<ImportReport> {
  const run = new ImportRun(request)
  let number = 0
  for await (const line of request.source) {
    number += 1
    await run.take(typeof line === 'string' ? parseLine(number, line) : line)
  }
  return run.finish()
}

interface ProductLineRead {
  readonly line: number
  readonly draft: ProductDraft
}

class ImportRun {
  readonly #request: ImportRequest
  readonly #readLine = lineReader()
  readonly #books = new Map<string, { readonly book: CategoryBook; readonly revision: bigint }>()
  readonly #refused: RefusedLine[] = []
  #read = 0
  #created = 0
  #updated = 0
  #unchanged = 0
  #defaultLocale: string | null = null
  /** Products that wait to be written together, all of one store, no two with the same id. */
  #batch = new Map<string, ProductLineRead>()
  #batchStore = ''

  constructor(request: ImportRequest) {
    this.#request = request
  }

  async take(source: SourceLine): Promise<void> {
    this.#read += 1
    if (this.#read % BATCH === 0) await this.#tell()
    const draft = await this.#draftOf(source)
    if (draft === null) return
    if (draft.kind !== 'product') {
      await this.#flush()
      await this.#guarded(source.line, () => this.#writeOne(draft))
      return
    }
    const store = draft.store ?? this.#request.storeSlug
    if (store === undefined) {
      this.#refuse(source.line, NO_STORE)
      return
    }
    const { externalId } = draft.product
    if (store !== this.#batchStore || this.#batch.has(externalId) || this.#batch.size >= BATCH) await this.#flush()
    this.#batchStore = store
    this.#batch.set(externalId, { line: source.line, draft: draft.product })
  }

  async finish(): Promise<ImportReport> {
    await this.#flush()
    return this.#report()
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

  async #tell(): Promise<void> {
    await this.#request.onProgress?.(this.#report())
  }

  #refuse(line: number, reason: string): void {
    if (this.#request.onRefused) this.#request.onRefused({ line, reason })
    else this.#refused.push({ line, reason })
  }

  async #draftOf(source: SourceLine): Promise<Draft | null> {
    if ('problem' in source) {
      this.#refuse(source.line, source.problem)
      return null
    }
    this.#defaultLocale ??= await this.#localeOfStore()
    try {
      return this.#readLine(source.value, this.#defaultLocale)
    } catch (error) {
      if (!(error instanceof InvalidLine)) throw error
      this.#refuse(source.line, error.message)
      return null
    }
  }

  /** Texts of the flat form name no language: they are in the store's first one. */
  async #localeOfStore(): Promise<string> {
    const { database, storeSlug } = this.#request
    if (storeSlug === undefined) return 'en'
    const store = await database.transaction((tx) => storeForWriting(tx, storeSlug))
    return store?.locales[0] ?? 'en'
  }

  async #writeOne(draft: Exclude<Draft, { kind: 'product' }>): Promise<void> {
    const { database, ids, now, storeSlug } = this.#request
    const outcome = await database.transaction(async (tx) => {
      if (draft.kind === 'store') return writeStore(tx, draft.store, { ids, now })
      const slug = draft.store ?? storeSlug
      if (slug === undefined && draft.category.owner === 'store') throw new InvalidLine(NO_STORE)
      const store = slug === undefined ? null : await this.#openStore(tx, slug, 'EUR')
      const book = await CategoryBook.read(tx, store?.id ?? null)
      return book.describe(tx, draft.category, { ids, now, locale: store?.locales[0] ?? 'en' })
    })
    // What is known of stores and categories may no longer be what is written.
    this.#books.clear()
    this.#defaultLocale = null
    this.#count(outcome)
    await this.#tell()
  }

  #count(outcome: 'created' | 'updated' | 'unchanged'): void {
    if (outcome === 'created') this.#created += 1
    else if (outcome === 'updated') this.#updated += 1
    else this.#unchanged += 1
  }

  async #flush(): Promise<void> {
    if (this.#batch.size === 0) return
    const lines = [...this.#batch.values()]
    this.#batch = new Map()
    await this.#writeOrHalve(lines)
    await this.#tell()
  }

  /** Writes lines together; where PostgreSQL refuses one of them, in halves, until that one stands alone. */
  async #writeOrHalve(lines: readonly ProductLineRead[]): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    if (lines.length === 1) return this.#guarded(first.line, () => this.#write(lines))
    try {
      await this.#write(lines)
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      this.#books.clear()
      const middle = Math.ceil(lines.length / 2)
      await this.#writeOrHalve(lines.slice(0, middle))
      await this.#writeOrHalve(lines.slice(middle))
    }
  }

  /** Reports a line instead of failing, where the fault is the line's. */
  async #guarded(line: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      this.#books.clear()
      this.#refuse(line, error.message)
    }
  }

  async #write(lines: readonly ProductLineRead[]): Promise<void> {
    const { database, ids, now } = this.#request
    const slug = this.#batchStore
    const counts = await database.transaction(async (tx) => {
      const store = await this.#openStore(tx, slug, lines[0]?.draft.skus[0]?.prices[0]?.currency ?? 'EUR')
      const book = await this.#bookOf(tx, store)
      const drafts = lines.map(({ draft }) => draft)
      return writeDrafts(tx, { store, book }, drafts, { ids, now })
    })
    this.#created += counts.created
    this.#updated += counts.updated
    this.#unchanged += counts.unchanged
  }

  /** The categories of a store, read anew where somebody has renamed, moved or made one since the batch before. */
  async #bookOf(tx: Transaction, { id, slug }: WritingStore): Promise<CategoryBook> {
    const revision = await loadRevision(tx, MARKETPLACE_CATEGORIES)
    const known = this.#books.get(slug)
    if (known?.revision === revision) return known.book
    const book = await CategoryBook.read(tx, id)
    this.#books.set(slug, { book, revision })
    return book
  }

  async #openStore(tx: Transaction, slug: string, currency: string): Promise<WritingStore> {
    const store = await storeForWriting(tx, slug)
    if (store !== undefined) return store
    if (slug !== this.#request.storeSlug) throw new InvalidLine(`There is no store ${slug}.`)
    const { ids, now } = this.#request
    await writeStore(tx, newStore(slug, currency), { ids, now })
    return present(await storeForWriting(tx, slug), 'the store that was just written')
  }
}

const NO_STORE = 'It names no store, and the import is for none.'

/** Where a store that has not said otherwise sells. */
const COUNTRIES =
  'US CA GB IE DE AT CH FR BE NL LU ES PT IT GR DK SE NO FI PL CZ SK SI HU RO BG HR EE LV LT CY MT AU NZ JP'.split(' ')

/** A store of which nothing is known but what it is called. A line of its own says better. */
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
