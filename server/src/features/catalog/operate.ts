import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { InvalidLine } from '../../platform/line-files/invalid-line.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { CategoryLine, ProductLine, StoreLine } from './catalogue-line.ts'
import { CategoryBook } from './category-book.ts'
import { writeDrafts } from './draft-writes.ts'
import type { Draft } from './import-draft.ts'
import { type LineReader, lineReader } from './import-read.ts'
import { readProductLines } from './product-lines.ts'
import { storeForWriting, writeStore } from './store-writes.ts'

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
export function draftOf(line: object): Draft {
  reading ??= lineReader()
  try {
    return reading(line, 'en')
  } catch (error) {
    throw refusalOf(error)
  }
}

/** `/skus/0/prices: must be array.` says where it is and what is wrong. */
function refusalOf(error: unknown): unknown {
  if (!(error instanceof InvalidLine)) return error
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
  const book = await CategoryBook.read(tx, store?.id ?? null)
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
  const book = await CategoryBook.read(tx, store.id)
  await writeDrafts(tx, { store, book }, [draft.product], writing)
}

const inCategory = statement<{ slug: string; ids: string[] }>(
  'catalog.products_in_category',
  `select store.slug, array_agg(product.id order by product.id) as ids
   from products product join stores store on store.id = product.store_id
   where $1 = any(product.lineage) group by store.slug order by store.slug`,
)
const forgetHashes = statement(
  'catalog.forget_hashes',
  'update products set content_hash = null where id = any($1::text[])',
)

/** Products that are written together. */
const BATCH = 200

/** Writes all products in or below a category anew, because where they stand has changed although they have not. */
export async function rewriteProducts(tx: Transaction, categoryId: string, writing: Writing): Promise<void> {
  for (const { slug, ids } of await tx.rows(inCategory, [categoryId])) {
    const store = present(await storeForWriting(tx, slug), 'a product has its store')
    const book = await CategoryBook.read(tx, store.id)
    for (let from = 0; from < ids.length; from += BATCH) {
      const batch = ids.slice(from, from + BATCH)
      tx.write(forgetHashes, [batch])
      const drafts = (await readProductLines(tx, batch)).map(({ line }) => draftOf(line))
      const products = drafts.flatMap((draft) => (draft.kind === 'product' ? [draft.product] : []))
      await writeDrafts(tx, { store, book }, products, writing)
    }
  }
}
