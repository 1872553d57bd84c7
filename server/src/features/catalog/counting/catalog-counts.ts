import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '../../../platform/observe/logger.ts'
import { textArray } from '../../../platform/postgres/decode.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { MARKETPLACE_CATEGORIES } from '../subjects.ts'
import { Columns, type ListedProduct } from './columns.ts'

/** Products per read: about 10 ms of work, after which other requests have their turn. */
const BATCH = 500
/**
 * How long requests wait for a load that has just begun. Most catalogs are loaded by then: 19,406 products in 0.6 s. If PostgreSQL counts
 * for each request meanwhile, with 16 at a time, both take far longer.
 */
const LOAD_WAIT_MS = 1_000

interface StateRow {
  /** All transactions before this one have ended. */
  readonly oldest: string
  readonly epoch: number
  /** Grows when a standby becomes the primary. The new primary may lack the last changes. */
  readonly timeline: number
  /** Changes of transactions before this one may have been swept. */
  readonly swept_before: string
  /** The revision of the categories; `null` before the first one. */
  readonly categories: bigint | null
  readonly change_id: bigint | null
  readonly changed_by: string | null
  /** `null`: too many to list. */
  readonly product_ids: readonly string[] | null
}

// One statement, so that the state and the changes have one snapshot: a transaction that ends in between would never be read.
const readChanges = statement<StateRow>(
  'catalog.read_changes',
  `select state.*, change.id as change_id, change.changed_by::text, change.product_ids
   from (select pg_snapshot_xmin(pg_current_snapshot())::text as oldest, epoch,
     (select timeline_id from pg_control_checkpoint()) as timeline, changes_swept_before::text as swept_before,
     (select revision from revisions where subject = '${MARKETPLACE_CATEGORIES}') as categories
     from listing_epoch) as state
   left join catalog_changes change on change.changed_by >= (select $1::text::xid8) and change.id <> all((select $2::bigint[])::bigint[])`,
)
const readArchived = statement<{ id: string }>(
  'catalog.read_archived_categories',
  'select id from categories where archived_at is not null',
)
const readIds = statement<{ id: string }>(
  'catalog.read_ids_to_count',
  'select id from products where id > $1 order by id limit $2',
)

interface FactsRow {
  readonly product_id: string
  readonly store_id: string
  readonly currency: string
  readonly locales: string
  readonly brand: string | null
  readonly lineage: string
  readonly option_values: string
  readonly price_min: number
  readonly price_max: number
  readonly live: boolean
  readonly test: boolean
}

const sellable = (environment: string) =>
  `exists (select from stock_levels stock where stock.product_id = listed.product_id and stock.environment = '${environment}'
     and stock.offered and (not stock.counted or stock.on_hand > stock.held))`
/** A row for each currency: all locales of a product are listed with the same facts. */
const readFacts = statement<FactsRow>(
  'catalog.read_facts_to_count',
  `select listed.*, ${sellable('live')} as live, ${sellable('test')} as test from (
     select product_id, currency, min(store_id) as store_id, min(brand) as brand, min(lineage)::text as lineage,
       min(option_values)::text as option_values, min(price_min)::float8 as price_min, max(price_max)::float8 as price_max,
       string_agg(locale, ' ' order by locale) as locales
     from listings where product_id = any($1::text[]) and superseded_by is null
     group by product_id, currency) as listed
   order by product_id`,
)

/** How far the changes have been read: all of the transactions before `oldest`, and of later ones those in `read`. */
interface Position {
  readonly oldest: bigint
  readonly epoch: number
  readonly timeline: number
  /** The transactions of changes that have been read, keyed by the id of the change. */
  readonly read: ReadonlyMap<bigint, bigint>
}

/** The archived categories, and the revision of the categories before they were read. */
interface Archived {
  readonly revision: bigint | null
  readonly ids: ReadonlySet<string>
}

/** All that is kept in memory. */
interface KeptCatalog {
  readonly columns: Columns
  readonly sizeAtFirst: number
  position: Position
  archived: Archived
}

interface CatalogCountsDeps {
  /** Reads the primary, not a replica. */
  readonly reader: Reader
  readonly log: Pick<Logger, 'warn' | 'debug'>
  /** How long a request waits for a load that has just begun. */
  readonly loadWaitMs?: number
}

/** The columns as of now, and the archived categories. */
interface CurrentColumns {
  readonly columns: Columns
  readonly archivedCategories: ReadonlySet<string>
}

/**
 * Keeps the columns of the catalog in the memory of this process. They are loaded in the background, a second after the start or by the
 * first use. Each use first reads the changes, so that counts are never older than the page that they are shown with.
 *
 * @see docs/decisions/0090-count-facets-in-memory.md
 */
export class CatalogCounts {
  readonly #deps: CatalogCountsDeps
  #kept: KeptCatalog | null = null
  #building: Promise<void> | null = null
  /** Ends with the load, or a moment after its begin. */
  #loadedSoon: Promise<void> = Promise.resolve()
  #refreshing: Promise<void> | null = null
  #refreshingNext: Promise<void> | null = null
  #isStopped = false

  constructor(deps: CatalogCountsDeps) {
    this.#deps = deps
  }

  /** The size of the columns in memory. */
  get bytes(): number {
    return this.#kept?.columns.bytes ?? 0
  }

  /** The columns as of now or later; `null` while they are not loaded and PostgreSQL has to count. A short load is waited for. */
  async current(): Promise<CurrentColumns | null> {
    // The last changes may have made the columns useless: then they are being loaded again.
    return (await this.#refreshed()) ?? (this.#building === null ? null : this.#refreshed())
  }

  async #refreshed(): Promise<CurrentColumns | null> {
    if (this.#kept === null) {
      this.#build()
      await this.#loadedSoon
      if (this.#kept === null) return null
    }
    try {
      await this.#refresh()
      return this.#kept && { columns: this.#kept.columns, archivedCategories: this.#kept.archived.ids }
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'could not read changes of the catalog; counting in PostgreSQL')
      return null
    }
  }

  /** Loads the columns if necessary, and waits for them. */
  async ready(): Promise<void> {
    if (this.#kept === null) this.#build()
    await this.#building
  }

  /** Loads the columns and reads changes between requests, so that the next one has little to wait for. Never fails. */
  async keepUp(): Promise<void> {
    if (this.#kept === null) await this.ready()
    else if (this.#refreshing === null) await this.current()
  }

  /** Stops reading, and waits for the reads that are running. */
  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.allSettled([this.#building, this.#refreshing, this.#refreshingNext])
  }

  #build(): void {
    if (this.#isStopped || this.#building !== null) return
    this.#building = this.#readAll()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, 'could not read the catalog for counting'))
      .finally(() => {
        this.#building = null
      })
    this.#loadedSoon = Promise.race([
      this.#building,
      pause(this.#deps.loadWaitMs ?? LOAD_WAIT_MS, undefined, { ref: false }),
    ])
  }

  async #readAll(): Promise<void> {
    const { reader, log } = this.#deps
    const columns = new Columns()
    const none = { oldest: 0n, read: new Map() }
    // Changes from here on are read again.
    const [state] = await reader.rows(readChanges, [LAST_TRANSACTION, []])
    let last = ''
    for (;;) {
      const ids = (await reader.rows(readIds, [last, BATCH])).map(({ id }) => id)
      if (ids.length === 0 || this.#isStopped) break
      await this.#readInto(columns, ids)
      last = ids.at(-1)!
    }
    if (this.#isStopped) return
    const archived = await this.#readArchived(state!.categories)
    this.#kept = { columns, sizeAtFirst: columns.bytes, position: positionAfter(none, [state!]), archived }
    log.debug({ products: columns.size, bytes: columns.bytes }, 'facets are counted in memory')
  }

  /** Starts after this call: a refresh that is running may have started before a change that the caller knows of. */
  #refresh(): Promise<void> {
    if (this.#refreshing === null) {
      this.#refreshing = this.#readChanges().finally(() => {
        this.#refreshing = null
      })
      return this.#refreshing
    }
    this.#refreshingNext ??= this.#refreshing
      .catch(() => {})
      .then(() => {
        this.#refreshingNext = null
        return this.#refresh()
      })
    return this.#refreshingNext
  }

  async #readChanges(): Promise<void> {
    const kept = this.#kept
    if (kept === null) return
    const { columns, position } = kept
    const rows = await this.#deps.reader.rows(readChanges, [String(position.oldest), [...position.read.keys()]])
    if (!isComplete(position, rows)) {
      this.#kept = null
      this.#build()
      return
    }
    const ids = [...new Set(rows.flatMap((row) => row.product_ids ?? []))]
    for (let from = 0; from < ids.length; from += BATCH) await this.#readInto(columns, ids.slice(from, from + BATCH))
    const { categories } = rows[0]!
    // Reading thousands of them for each list would take longer than to count it.
    if (categories !== kept.archived.revision) kept.archived = await this.#readArchived(categories)
    kept.position = positionAfter(position, rows)
    // Removed products and unused values keep their places.
    if (columns.bytes > kept.sizeAtFirst * 2 + SLACK_BYTES) this.#build()
  }

  async #readArchived(revision: bigint | null): Promise<Archived> {
    const rows = await this.#deps.reader.rows(readArchived)
    return { revision, ids: new Set(rows.map(({ id }) => id)) }
  }

  /** Loads the current facts of these products. */
  async #readInto(columns: Columns, ids: readonly string[]): Promise<void> {
    const rows = await this.#deps.reader.rows(readFacts, [ids])
    const byProduct = Map.groupBy(rows, (row) => row.product_id)
    for (const id of ids) {
      const offers = byProduct.get(id)
      if (offers === undefined) columns.remove(id)
      else columns.set(listedProduct(offers as [FactsRow, ...FactsRow[]]))
    }
  }
}

/** No transaction id is higher. */
const LAST_TRANSACTION = String(2n ** 63n)
const SLACK_BYTES = 1_000_000

function positionAfter({ oldest, read }: Pick<Position, 'oldest' | 'read'>, rows: readonly StateRow[]): Position {
  const { oldest: oldestNow, epoch, timeline } = rows[0]!
  const all = [
    ...read,
    ...rows.flatMap((row): [bigint, bigint][] =>
      row.change_id === null ? [] : [[row.change_id, BigInt(row.changed_by!)]],
    ),
  ]
  const next = BigInt(oldestNow) > oldest ? BigInt(oldestNow) : oldest
  return { oldest: next, epoch, timeline, read: new Map(all.filter(([, changedBy]) => changedBy >= next)) }
}

/** Whether the changes are complete: none is swept, each lists its products, and it is the same database. */
function isComplete({ oldest, epoch, timeline }: Position, rows: readonly StateRow[]): boolean {
  const [now] = rows
  const isSame = now!.epoch === epoch && now!.timeline === timeline && BigInt(now!.swept_before) <= oldest
  return isSame && rows.every((row) => row.change_id === null || row.product_ids !== null)
}

/** Parses an array of PostgreSQL. Most need no real parser, which would take half of the time of loading a catalog. */
function parsedArray(text: string): readonly string[] {
  if (text === '{}') return []
  return /["\\]/.test(text) ? textArray(text).map(String) : text.slice(1, -1).split(',')
}

function listedProduct(rows: readonly [FactsRow, ...FactsRow[]]): ListedProduct {
  const [{ product_id: id, store_id: storeId, locales, brand, lineage, live, test }] = rows
  return {
    id,
    storeId,
    locales: locales.split(' '),
    brand,
    lineage: parsedArray(lineage),
    sellableIn: [...(live ? (['live'] as const) : []), ...(test ? (['test'] as const) : [])],
    offers: rows.map((row) => ({
      currency: row.currency,
      priceMin: row.price_min,
      priceMax: row.price_max,
      optionValues: parsedArray(row.option_values),
    })),
  }
}
