import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import { InvalidLine, isInvalidLine } from '../../../platform/line-files/invalid-line.ts'
import { parseLine, type SourceLine } from '../../../platform/line-files/line-file.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
import { loadRevision } from '../../../platform/revisions/revisions.ts'
import { MARKETPLACE_CATEGORIES } from '../subjects.ts'
import { CategoryCache } from '../writing/category-cache.ts'
import { writeDrafts } from '../writing/draft-writes.ts'
import type { StoreLine } from '../writing/line-schema.ts'
import { type Draft, nameOfSlug, type ProductDraft } from '../writing/product-draft.ts'
import type { WritableStore } from '../writing/product-write-context.ts'
import { storeForWriting, writeStore } from '../writing/store-writes.ts'
import { lineReader } from './line-reader.ts'

/** Products per transaction. More hold the lock longer, fewer need more commits. */
const BATCH = 500

export interface ImportRequest {
  readonly database: Pick<Database, 'transaction'>
  readonly ids: IdSource
  /** The store of lines without one. Created, open and in English, if it does not exist. */
  readonly storeSlug?: string | undefined
  /** Parsed lines, or texts with one JSON object each. */
  readonly source: Iterable<SourceLine | string> | AsyncIterable<SourceLine | string>
  readonly now: Date
  /** Called and awaited after each batch, and after every 500 lines. */
  readonly onProgress?: (report: ImportReport) => void | Promise<void>
  /** Receives refused lines as they occur, instead of the report. */
  readonly onRefused?: (refused: RefusedLine) => void
}

/** A line that could not be imported, and why. */
export interface RefusedLine {
  readonly line: number
  readonly reason: string
}

/** The result of an import. Each line counts in exactly one of the last four. */
export interface ImportReport {
  readonly read: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  /** In order of lines; empty with `onRefused`. */
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
  readonly #categoryCaches = new Map<string, { readonly cache: CategoryCache; readonly revision: bigint }>()
  readonly #refused: RefusedLine[] = []
  #read = 0
  #created = 0
  #updated = 0
  #unchanged = 0
  #defaultLocale: string | null = null
  /** Products to be written together, of one store, with distinct ids. */
  #batch = new Map<string, ProductLineRead>()
  #batchStore = ''

  constructor(request: ImportRequest) {
    this.#request = request
  }

  async take(source: SourceLine): Promise<void> {
    this.#read += 1
    if (this.#read % BATCH === 0) await this.#reportProgress()
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

  async #reportProgress(): Promise<void> {
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

  /** The language of the flat form, which names none. */
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
      const store = slug === undefined ? null : await this.#storeForImport(tx, slug, 'EUR')
      const cache = await CategoryCache.read(tx, store?.id ?? null)
      return cache.save(tx, draft.category, { ids, now, locale: store?.locales[0] ?? 'en' })
    })
    // Stores or categories may have changed.
    this.#categoryCaches.clear()
    this.#defaultLocale = null
    this.#count(outcome)
    await this.#reportProgress()
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
    await this.#reportProgress()
  }

  /** Writes lines together. If PostgreSQL rejects one, writes halves, until the bad line is alone. */
  async #writeOrHalve(lines: readonly ProductLineRead[]): Promise<void> {
    const [first] = lines
    if (first === undefined) return
    if (lines.length === 1) return this.#guarded(first.line, () => this.#write(lines))
    try {
      await this.#write(lines)
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      this.#categoryCaches.clear()
      const middle = Math.ceil(lines.length / 2)
      await this.#writeOrHalve(lines.slice(0, middle))
      await this.#writeOrHalve(lines.slice(middle))
    }
  }

  /** Refuses the line instead of failing, if the line is at fault. */
  async #guarded(line: number, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!isInvalidLine(error)) throw error
      this.#categoryCaches.clear()
      this.#refuse(line, error.message)
    }
  }

  async #write(lines: readonly ProductLineRead[]): Promise<void> {
    const { database, ids, now } = this.#request
    const slug = this.#batchStore
    const counts = await database.transaction(async (tx) => {
      const store = await this.#storeForImport(tx, slug, lines[0]?.draft.skus[0]?.prices[0]?.currency ?? 'EUR')
      const cache = await this.#categoriesOf(tx, store)
      const drafts = lines.map(({ draft }) => draft)
      return writeDrafts(tx, { store, cache }, drafts, { ids, now })
    })
    this.#created += counts.created
    this.#updated += counts.updated
    this.#unchanged += counts.unchanged
  }

  /** The categories of a store, reloaded if one was changed since the previous batch. */
  async #categoriesOf(tx: Transaction, { id, slug }: WritableStore): Promise<CategoryCache> {
    const revision = await loadRevision(tx, MARKETPLACE_CATEGORIES)
    const known = this.#categoryCaches.get(slug)
    if (known?.revision === revision) return known.cache
    const cache = await CategoryCache.read(tx, id)
    this.#categoryCaches.set(slug, { cache, revision })
    return cache
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
