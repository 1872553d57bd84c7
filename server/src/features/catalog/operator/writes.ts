import type { IdSource } from '../../../kernel/ids.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import { InvalidLine } from '../../../platform/line-files/invalid-line.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { type LineReader, lineReader } from '../import/line-reader.ts'
import { CategoryCache } from '../writing/category-cache.ts'
import { writeDrafts } from '../writing/draft-writes.ts'
import type { CategoryLine, ProductLine, StoreLine } from '../writing/line-schema.ts'
import type { Draft } from '../writing/product-draft.ts'
import type { WriteOutcome } from '../writing/product-write-context.ts'
import { storeForWriting, writeStore } from '../writing/store-writes.ts'

/**
 * Writes by an operator: the same lines, validation and writes as an import, in the operator's transaction. A bad line is
 * refused as `validation_failed` with the invalid field.
 */

interface WriteContext {
  readonly ids: IdSource
  readonly now: Date
}

let readLine: LineReader | null = null

/** Maps a field of the line to the field of the request. */
type PlaceOf = (field: string) => string

/** The draft of a line. Refuses `validation_failed`. */
function draftOf(line: object, placeOf: PlaceOf = (field) => field): Draft {
  readLine ??= lineReader()
  try {
    return readLine(line, 'en')
  } catch (error) {
    throw refusalOf(error, placeOf)
  }
}

/** Splits `/skus/0/prices: must be array.` into field and message. */
function refusalOf(error: unknown, placeOf: PlaceOf): unknown {
  if (!(error instanceof InvalidLine)) return error
  const [, pointer = '', message = ''] = /^((?:\/[^:\s]*)?)(?:: )?([\s\S]*)$/.exec(error.message) ?? []
  const field = placeOf(error.field || pointer.slice(1))
  refuseField(field, 'not_possible', message)
}

/** Creates or updates a store. Refuses `validation_failed`. */
export async function saveStore(tx: Transaction, line: StoreLine, context: WriteContext): Promise<WriteOutcome> {
  const draft = draftOf(line)
  return draft.kind === 'store' ? writeStore(tx, draft.store, context) : 'unchanged'
}

/** Creates or updates a category. Refusals: `validation_failed`, `not_found` for its store. */
export async function saveCategory(tx: Transaction, line: CategoryLine, context: WriteContext): Promise<void> {
  const draft = draftOf(line)
  if (draft.kind !== 'category') return
  const store = draft.store === null ? null : ((await storeForWriting(tx, draft.store)) ?? refuse('not_found'))
  const cache = await CategoryCache.read(tx, store?.id ?? null)
  await cache.save(tx, [draft.category], { ...context, locale: store?.locales[0] ?? 'en' })
}

export interface ProductSaving {
  readonly line: ProductLine & { readonly store: string }
  /** The ids of existing SKUs, by their index in the line. A SKU keeps its id when its options change. */
  readonly skuIds?: readonly (string | undefined)[]
  readonly placeOf?: PlaceOf
}

/** Creates or updates a product. Refusals: `validation_failed`, `not_found` for its store. */
export async function saveProduct(
  tx: Transaction,
  { line, skuIds = [], placeOf }: ProductSaving,
  context: WriteContext,
): Promise<void> {
  const draft = draftOf(line, placeOf)
  if (draft.kind !== 'product') return
  const skus = draft.product.skus.map((sku, index) => {
    const id = skuIds[index]
    return id === undefined ? sku : { ...sku, id }
  })
  const store = (await storeForWriting(tx, line.store)) ?? refuse('not_found')
  const cache = await CategoryCache.read(tx, store.id)
  await writeDrafts(tx, { store, cache }, [{ ...draft.product, skus }], context)
}
