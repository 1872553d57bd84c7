import assert from 'node:assert/strict'
import { type Operation, operations } from '@vitrine/contract'
import { storeGrants } from '../../../server/src/features/access/index.ts'
import {
  type CatalogCounts,
  catalogOperations,
  type ImportReport,
  importCatalog,
} from '../../../server/src/features/catalog/index.ts'
import type { Environment } from '../../../server/src/kernel/environment.ts'
import { idSource } from '../../../server/src/kernel/ids.ts'
import type { Database } from '../../../server/src/platform/postgres/index.ts'
import { testClock } from '../clock.ts'
import { testRandomness } from '../randomness.ts'
import { assertMatches } from '../schema.ts'

/** A product line with one SKU, unless overridden. */
export function productLine(id: string, more: Readonly<Record<string, unknown>> = {}) {
  const { price = 1000, stock = 10, ...rest } = more
  return {
    id,
    names: { en: `Product ${id}` },
    skus: [{ code: id.toUpperCase(), prices: [{ currency: 'EUR', amount: price }], stock }],
    ...rest,
  }
}

export function storeLine(slug: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    type: 'store',
    slug,
    names: { en: slug },
    currencies: ['EUR'],
    locales: ['en'],
    countries: ['DE'],
    pricesIncludeTax: true,
    ...more,
  }
}

export interface CallInput {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly languages?: readonly string[]
  readonly environment?: Environment
  /** The store of the calling installation. */
  readonly storeId?: string | null
}

type CatalogOperationId = keyof ReturnType<typeof catalogOperations>

/** The catalog on its own database, without HTTP: imports lines, and calls operations as the pipeline does. */
export function catalogOn(database: Database, counts: CatalogCounts | null = null) {
  const clock = testClock()
  const ids = idSource(clock, testRandomness())
  const grants = storeGrants(Buffer.alloc(32, 8))
  /** The revision of all subjects. It grows with each import. */
  let revision = 1
  const handlers = catalogOperations({ cursorSecret: Buffer.alloc(32, 7), grants, reader: database.reader, counts })

  return {
    clock,
    import(lines: readonly (object | string)[], storeSlug?: string): Promise<ImportReport> {
      const source = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
      revision += 1
      return importCatalog({ database, ids, storeSlug, source, now: clock.now() })
    },
    /** Imports lines, and fails if one is refused. */
    async has(lines: readonly object[], storeSlug?: string): Promise<void> {
      assert.deepEqual((await this.import(lines, storeSlug)).refused, [])
    },
    /** Calls an operation, and fails if the response does not match its schema. */
    // biome-ignore lint/suspicious/noExplicitAny: each test knows the response of its operation
    async call(operationId: CatalogOperationId, input: CallInput = {}): Promise<any> {
      const { params = {}, query = {}, languages = ['en'], environment = 'live', storeId = null } = input
      const context = {
        reader: database.reader,
        now: clock.now(),
        languages,
        environment,
        storeAccess: null,
        markPrivate: () => {},
        onAnswer: () => {},
        principal: { installationId: 'ins_test', storeId },
        dependsOn: () => {},
        revisionOf: () => String(revision),
      }
      const handler = handlers[operationId] as unknown as (input: object, context: object) => Promise<object>
      const answer = await handler({ params, query, body: null }, context)
      const row = operations[operationId] as Operation
      const { data, meta } = row.meta ? (answer as { data: unknown; meta: unknown }) : { data: answer, meta: null }
      assertMatches(row.data, data)
      if (row.meta) assertMatches(row.meta, meta)
      return answer
    },
    /** Reads all pages of a list with its cursors. `between` runs before each page except the first. */
    async walk(operationId: CatalogOperationId, input: CallInput = {}, between: () => Promise<void> = async () => {}) {
      const pages: { id: string; slug: string; name: string }[][] = []
      let cursor: string | undefined
      do {
        if (cursor !== undefined) await between()
        const query = { ...input.query, ...(cursor === undefined ? {} : { cursor }) }
        const { data, meta } = await this.call(operationId, { ...input, query })
        pages.push(data)
        cursor = meta.page.nextCursor ?? undefined
      } while (cursor !== undefined)
      return pages.flat()
    },
  }
}
