import type { Clock } from '../../../kernel/clock.ts'
import { type JobHandler, renewLease } from '../../../platform/jobs/index.ts'
import type { Database, Transaction } from '../../../platform/postgres/index.ts'
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

/** Counts the words of all products again. */
export const VOCABULARY_JOB = 'catalog.vocabulary'
/** Products per query. Folding the names of as many takes about 10 ms. */
const BATCH = 250
/** Words per transaction. */
const WORDS_BATCH = 1000

interface NamedRow {
  readonly id: string
  readonly store_id: string
  readonly names: readonly string[]
  readonly brand: string | null
  readonly lineage: readonly string[]
}

interface WordRow {
  readonly store_id: string
  readonly word: string
  readonly products: number
}

const readWords = statement<WordRow>('catalog.read_words', 'select store_id, word, products from search_words')
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
// A word that other writes have counted meanwhile is left as it is. In one order, as above.
const correctWords = statement(
  'catalog.correct_words',
  `with said as (
     select word, products, before from unnest($2::text[], $3::integer[], $4::integer[]) as said (word, products, before)
   ), locked as (
     select word from search_words known where store_id = $1
       and exists (select from said where said.word = known.word and said.before = known.products)
     order by word collate "C" for update
   ), gone as (
     delete from search_words where store_id = $1 and word in (select word from locked join said using (word) where said.products = 0)
   ), changed as (
     update search_words known set products = said.products from said join locked using (word)
     where known.store_id = $1 and known.word = said.word and said.products > 0
   )
   insert into search_words (store_id, word, products) select $1, word, products from said where before = 0
   on conflict (store_id, word) do nothing`,
)

/**
 * Counts the words of published products. Writes only add words: without this, those of archived products would stay, and a product
 * that is written often would count as many.
 */
export function vocabularyJob({ clock }: { readonly clock: Clock }): JobHandler {
  return async (job, { database, now, isStopping }) => {
    const { reader } = database
    // Before the products, so that a word of a product that is written in between is seen to have changed.
    const known = Map.groupBy(await reader.rows(readWords), (row) => row.store_id)
    const above = new Map((await reader.rows(readCategoryNames)).map(({ id, names }) => [id, Object.values(names)]))
    const counts = new Map([...known.keys()].map((storeId) => [storeId, new Map<string, number>()]))
    for (let after = ''; ; ) {
      if (isStopping()) return now
      if (!(await database.transaction((tx) => renewLease(tx, job, clock.now())))) return undefined
      const rows = await reader.rows(readNamed, [after])
      for (const { store_id: storeId, lineage, ...named } of rows) {
        const ofStore = counts.get(storeId) ?? new Map<string, number>()
        counts.set(storeId, ofStore)
        countWords([{ ...named, categories: lineage.flatMap((id) => above.get(id) ?? []) }], ofStore)
      }
      if (rows.length < BATCH) break
      after = rows.at(-1)!.id
    }
    for (const [storeId, ofStore] of counts) {
      const before = new Map((known.get(storeId) ?? []).map(({ word, products }) => [word, products]))
      await correctCounts(database, storeId, before, ofStore)
    }
    return undefined
  }
}

async function correctCounts(
  database: Database,
  storeId: string,
  before: WordCounts,
  after: WordCounts,
): Promise<void> {
  const words = [...new Set([...before.keys(), ...after.keys()])].sort()
  const wrong = words.filter((word) => before.get(word) !== after.get(word))
  for (let from = 0; from < wrong.length; from += WORDS_BATCH) {
    const some = wrong.slice(from, from + WORDS_BATCH)
    const numbers = [after, before].map((each) => some.map((word) => each.get(word) ?? 0))
    await database.transaction(async (tx) => tx.write(correctWords, [storeId, some, ...numbers]))
  }
}
