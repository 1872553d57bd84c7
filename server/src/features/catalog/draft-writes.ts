import { present } from '../../kernel/assert.ts'
import type { IdSource } from '../../kernel/ids.ts'
import type { Transaction } from '../../platform/postgres/index.ts'
import type { CategoryBook } from './category-book.ts'
import type { CategoryPath, ProductDraft } from './import-draft.ts'
import type { WritingStore } from './placed-product.ts'
import { type WriteCounts, writeProducts } from './product-writes.ts'

/** Writes products of one store as their drafts say, with the categories that they are the first to name. */
export async function writeDrafts(
  tx: Transaction,
  { store, book }: { readonly store: WritingStore; readonly book: CategoryBook },
  drafts: readonly ProductDraft[],
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<WriteCounts> {
  const missing = missingPaths(book, drafts)
  if (missing.length > 0) await book.add(tx, missing, { ids, now, locale: store.locales[0]! })
  const products = drafts.map((draft) => ({
    draft,
    categories: draft.categories.map((path) => present(book.find(path.slugs), 'a category that was just added')),
  }))
  return writeProducts(tx, store, products, { ids, now })
}

function missingPaths(book: CategoryBook, drafts: readonly ProductDraft[]): readonly CategoryPath[] {
  const missing = new Map<string, CategoryPath>()
  for (const path of drafts.flatMap(({ categories }) => categories)) {
    if (book.find(path.slugs) === undefined) missing.set(path.slugs.join('/'), path)
  }
  return [...missing.values()]
}
