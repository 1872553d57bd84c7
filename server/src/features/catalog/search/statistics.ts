import { enqueue, type JobHandler } from '../../../platform/jobs/index.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { VOCABULARY_JOB } from '../writing/vocabulary.ts'

const COUNT_EVERY_MS = 60_000
/** Before this share of a collection has changed, the weights of its words change little. */
const CHANGED_SHARE = 0.1
/** With more documents than this, words are counted in a sample. A word that the sample misses counts as rare. */
const COUNTED_MAX = 50_000

interface LocaleRow {
  readonly locale: string
  readonly documents: number
  /** Documents that were listed or rewritten since the last count. */
  readonly changed: number
  readonly counted: number
}

// Reads only the primary key. It includes superseded rows of the last hour, which do not matter.
const readLocales = statement<LocaleRow>(
  'catalog.read_counted_locales',
  `select document.locale, count(*)::integer as documents,
     (count(*) filter (where counted.locale is null or document.listed_by >= counted.counted_at))::integer as changed,
     coalesce(max(counted.documents), 0) as counted
   from search_documents document left join search_statistics counted on counted.locale = document.locale
   group by document.locale order by document.locale`,
)
const forgetTerms = statement('catalog.forget_search_terms', 'delete from search_terms where locale = $1')
// Terms of whole codes, names and categories, which begin with `=`, are left out.
const countTerms = statement(
  'catalog.count_search_terms',
  `insert into search_terms (locale, term, documents)
   select $1, word, greatest(2, round(ndoc / $2::real))::integer
   from ts_stat(format(
     'select document from search_documents tablesample system (%s) repeatable (1) where superseded_by is null and locale = %L',
     100 * $2::real, $1::text))
   where ndoc > 1 and word not like '=%'`,
)
const countDocuments = statement(
  'catalog.count_search_documents',
  `insert into search_statistics (locale, documents, name_length, kind_length, facts_length, description_length, counted_at)
   select $1, count(*), coalesce(avg(name_length), 1), coalesce(avg(kind_length), 1), coalesce(avg(facts_length), 1),
     coalesce(avg(description_length), 1), pg_snapshot_xmin(pg_current_snapshot())
   from search_documents where superseded_by is null and locale = $1 having count(*) > 0
   on conflict (locale) do update set documents = excluded.documents, name_length = excluded.name_length,
     kind_length = excluded.kind_length, facts_length = excluded.facts_length,
     description_length = excluded.description_length, counted_at = excluded.counted_at`,
)
const lockCount = statement(
  'catalog.lock_search_statistics',
  `select pg_advisory_xact_lock(hashtextextended('search_statistics', 0))`,
)

/**
 * Counts the words and lengths that searches rank by, in each locale of which a tenth has changed since the last count.
 *
 * @returns the locales that were counted
 */
export async function countSearchStatistics(tx: Transaction): Promise<readonly string[]> {
  // Two nodes that count at once would write the same rows.
  await tx.rows(lockCount)
  const locales = await tx.rows(readLocales)
  const changed = locales.filter(
    ({ documents, changed: since, counted }) => since > 0 && since >= CHANGED_SHARE * Math.max(documents, counted),
  )
  for (const { locale, documents } of changed) {
    tx.write(forgetTerms, [locale])
    tx.write(countTerms, [locale, Math.min(1, COUNTED_MAX / documents)])
    tx.write(countDocuments, [locale])
  }
  return changed.map(({ locale }) => locale)
}

/** Later, because an import changes a tenth many times, and the words of all products take a second for each 20,000. */
const VOCABULARY_AFTER_MS = 3_600_000

/** Counts every minute, if enough has changed; then, within an hour, the vocabulary too. */
export const searchStatisticsJob: JobHandler = async (_job, { database, now, ids }) => {
  await database.transaction(async (tx) => {
    if ((await countSearchStatistics(tx)).length === 0) return
    enqueue(tx, { kind: VOCABULARY_JOB, subject: '', runAt: new Date(now.getTime() + VOCABULARY_AFTER_MS) }, ids)
  })
  return new Date(now.getTime() + COUNT_EVERY_MS)
}
