import type { IdSource } from '../../../kernel/ids.ts'
import { refuse } from '../../../kernel/refusal.ts'
import { BadLine } from '../../../platform/lines/bad-line.ts'
import type { Transaction } from '../../../platform/postgres/access.ts'
import { type LineReader, lineReader } from '../import/line-reader.ts'
import { CategoryCache } from '../writing/category-cache.ts'
import { writeDrafts } from '../writing/draft-writes.ts'
import type { CategoryLine, ProductLine, StoreLine } from '../writing/line-schema.ts'
import type { Draft } from '../writing/product-draft.ts'
import { storeForWriting, writeStore } from '../writing/store-writes.ts'

/**
 * Writing by an operator: the same lines, the same checks and the same writes as an import, in the operator's transaction.
 * What a line cannot say is refused as `validation_failed`, at the place in the line.
 */

interface Writing {
  readonly ids: IdSource
  readonly now: Date
}

let reading: LineReader | null = null

/** What a line says. Refusals: `validation_failed`. */
function draftOf(line: object): Draft {
  reading ??= lineReader()
  try {
    return reading(line, 'en')
  } catch (error) {
    throw refusalOf(error)
  }
}

/** `/skus/0/prices: must be array.` says where it is and what is wrong. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof BadLine)) return error
  const [, pointer = '', message = ''] = /^((?:\/[^:\s]*)?)(?:: )?([\s\S]*)$/.exec(error.message) ?? []
  refuse('validation_failed', {
    details: [{ in: 'body', pointer: pointer === '/' ? '' : pointer, code: 'not_possible', message }],
  })
}

/** Writes a store as its line says. Refusals: `validation_failed`. */
export async function saveStore(tx: Transaction, line: StoreLine, writing: Writing): Promise<void> {
  const draft = draftOf(line)
  if (draft.kind === 'store') await writeStore(tx, draft.store, writing)
}

/** Writes a category as its line says. Refusals: `validation_failed`, `not_found` where its store is none. */
export async function saveCategory(tx: Transaction, line: CategoryLine, writing: Writing): Promise<void> {
  const draft = draftOf(line)
  if (draft.kind !== 'category') return
  const store = draft.store === null ? null : ((await storeForWriting(tx, draft.store)) ?? refuse('not_found'))
  const book = await CategoryCache.read(tx, store?.id ?? null)
  await book.describe(tx, draft.category, { ...writing, locale: store?.locales[0] ?? 'en' })
}

/** Writes a product of the store that its line names. Refusals: `validation_failed`, `not_found` where the store is none. */
export async function saveProduct(
  tx: Transaction,
  line: ProductLine & { readonly store: string },
  writing: Writing,
): Promise<void> {
  const draft = draftOf(line)
  if (draft.kind !== 'product') return
  const store = (await storeForWriting(tx, line.store)) ?? refuse('not_found')
  const book = await CategoryCache.read(tx, store.id)
  await writeDrafts(tx, { store, book }, [draft.product], writing)
}
