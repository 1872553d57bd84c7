import type { JobHandlers } from '../../../platform/jobs/index.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { vocabularyOf } from '../search-text.ts'
import type { LocalizedText } from '../stored-json.ts'

/** The texts of a product that are in the vocabulary of its store. */
export interface NamedProduct {
  readonly names: readonly string[]
  readonly brand: string | null
  /** The names of its categories and those above them. */
  readonly categories: readonly string[]
}

/** Words with the number of products that contain them. */
type WordCounts = ReadonlyMap<string, number>

/** Counts the products that contain each word of the vocabulary. */
export function countWords(products: Iterable<NamedProduct>, counts = new Map<string, number>()): WordCounts {
  for (const { names, brand, categories } of products) {
    for (const word of vocabularyOf([...names, brand ?? '', ...categories])) {
      counts.set(word, (counts.get(word) ?? 0) + 1)
    }
  }
  return counts
}

const addWords = statement(
  'catalog.add_words',
  `insert into search_words (store_id, word, products)
   select $1, word, products from unnest($2::text[], $3::integer[]) as said (word, products)
   on conflict (store_id, word) do update set products = search_words.products + excluded.products`,
)

export function addToVocabulary(tx: Transaction, storeId: string, words: WordCounts): void {
  tx.write(addWords, [storeId, ...inOrder(words)])
}

/** In one order, so that writers of the same words do not deadlock. */
function inOrder(words: WordCounts): readonly [words: readonly string[], products: readonly number[]] {
  const sorted = [...words].sort(([a], [b]) => (a < b ? -1 : 1))
  return [sorted.map(([word]) => word), sorted.map(([, products]) => products)]
}

/** Counts the words of all products, after a change of what the vocabulary contains. */
const VOCABULARY_JOB = 'catalog.vocabulary'
/** Products per query. */
const BATCH = 2000

interface NamedRow {
  readonly id: string
  readonly store_id: string
  readonly names: readonly string[]
  readonly brand: string | null
  readonly lineage: readonly string[]
}

const readNamed = statement<NamedRow>(
  'catalog.read_names_of_products',
  `select id, store_id, brand, lineage,
     array(select name from product_texts where product_id = product.id) as names
   from products product where id > $1 and status = 'published' order by id limit ${BATCH}`,
)
const readCategoryNames = statement<{ id: string; names: LocalizedText }>(
  'catalog.read_names_of_categories',
  'select id, names from categories',
)
// Other writes may add words meanwhile. The greater count includes them, or lacks only the few of this moment.
const raiseWords = statement(
  'catalog.raise_words',
  `insert into search_words (store_id, word, products)
   select $1, word, products from unnest($2::text[], $3::integer[]) as said (word, products)
   on conflict (store_id, word) do update set products = excluded.products
   where search_words.products < excluded.products`,
)

/** A job that may be repeated: it adds words, and raises counts to the counted number. */
export const vocabularyJobs: JobHandlers = {
  [VOCABULARY_JOB]: async (_job, { database, now, isStopping }) => {
    const { reader } = database
    const above = new Map((await reader.rows(readCategoryNames)).map(({ id, names }) => [id, Object.values(names)]))
    const byStore = new Map<string, Map<string, number>>()
    for (let after = ''; ; ) {
      if (isStopping()) return now
      const rows = await reader.rows(readNamed, [after])
      for (const { store_id: storeId, lineage, ...named } of rows) {
        const counts = byStore.get(storeId) ?? new Map<string, number>()
        byStore.set(storeId, counts)
        countWords([{ ...named, categories: lineage.flatMap((id) => above.get(id) ?? []) }], counts)
      }
      if (rows.length < BATCH) break
      after = rows.at(-1)!.id
    }
    for (const [storeId, words] of byStore) {
      await database.transaction(async (tx) => tx.write(raiseWords, [storeId, ...inOrder(words)]))
    }
    return undefined
  },
}
