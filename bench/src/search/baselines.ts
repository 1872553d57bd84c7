import MiniSearch from 'minisearch'
import type pg from 'pg'

/** A product in a catalog file. */
export interface CatalogLine {
  readonly id: string
  readonly title: string
  readonly brand?: string | null
  readonly description?: string | null
  readonly categoryPath?: readonly string[]
  readonly attributes?: Readonly<Record<string, unknown>>
}

/** Finds the ids of the best products, the best first. */
export type Baseline = (query: string, depth: number) => Promise<readonly string[]> | readonly string[]

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{Letter}\p{Number}]+/gu) ?? []

const fieldsOf = ({ title, brand, description, categoryPath, attributes }: CatalogLine) => ({
  name: title,
  kind: [brand ?? '', ...(categoryPath ?? [])].join(' '),
  facts: Object.values(attributes ?? {})
    .filter((value) => typeof value === 'string')
    .join(' '),
  description: description ?? '',
})

/** @see Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009 */
const K = 1.2
const B = 0.75

/** Plain BM25 over all text as one field, with a plural `s` cut off. */
export function bm25(lines: readonly CatalogLine[]): Baseline {
  const termsOf = (text: string) => wordsOf(text).map((word) => word.replace(/(?<=..[^s])s$/u, ''))
  const postings = new Map<string, Map<number, number>>()
  const lengths = lines.map((line, at) => {
    const terms = termsOf(Object.values(fieldsOf(line)).join(' '))
    for (const term of terms) {
      const posting = postings.get(term) ?? new Map<number, number>()
      postings.set(term, posting.set(at, (posting.get(at) ?? 0) + 1))
    }
    return terms.length
  })
  const usual = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  return (query, depth) => {
    const scores = new Map<number, number>()
    for (const term of new Set(termsOf(query))) {
      const posting = postings.get(term) ?? new Map<number, number>()
      const idf = Math.log(1 + (lines.length - posting.size + 0.5) / (posting.size + 0.5))
      for (const [at, count] of posting) {
        const weight = (count * (K + 1)) / (count + K * (1 - B + (B * lengths[at]!) / usual))
        scores.set(at, (scores.get(at) ?? 0) + idf * weight)
      }
    }
    const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, depth)
    return best.map(([at]) => lines[at]!.id)
  }
}

/** MiniSearch as its documentation shows it: prefixes, misspelled words, the name counting twice. */
export function miniSearch(lines: readonly CatalogLine[]): Baseline {
  const index = new MiniSearch({
    fields: ['name', 'kind', 'facts', 'description'],
    tokenize: (text) => [...wordsOf(text)],
  })
  index.addAll(lines.map((line) => ({ id: line.id, ...fieldsOf(line) })))
  return (query, depth) =>
    index
      .search(query, { prefix: true, fuzzy: 0.2, boost: { name: 2 } })
      .slice(0, depth)
      .map(({ id }) => String(id))
}

/** PostgreSQL alone: any of the words, ranked by `ts_rank_cd`, over the search documents of Vitrine. */
export function tsRankCd(client: pg.Client): Baseline {
  return async (query, depth) => {
    const words = wordsOf(query).map((word) => `'${word}'`)
    const { rows } = await client.query<{ slug: string }>(
      `select product.slug from search_documents document join products product on product.id = document.product_id
       where document.document @@ to_tsquery('english', $1) and document.locale = 'en' and document.superseded_by is null
       order by ts_rank_cd(document.document, to_tsquery('english', $1)) desc, product.id limit $2`,
      [words.join(' | '), depth],
    )
    return rows.map(({ slug }) => slug)
  }
}
