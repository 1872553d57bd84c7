import { catalogOperations, type Database, SEARCH_WEIGHTS, storeGrants } from '@vitrine/server'
import { meanOf, type Ratings, type Relevance, relevanceOf } from './relevance.ts'

type Weights = typeof SEARCH_WEIGHTS
/** The weights without one part of the ranking. */
const ABLATIONS: Readonly<Record<string, Partial<Weights>>> = {
  'rare words tell more': { rarity: 0 },
  'fields weigh differently': { name: 1, kind: 1, facts: 1, description: 1 },
  'long fields tell less': { length: 0 },
  'accessories come later': { accessory: 1 },
  'words in order': { phrase: 0 },
  'categories that are named': { category: 0 },
  synonyms: { synonym: 0 },
}
/** Weights that could have been chosen instead. */
const ALTERNATIVES: readonly Partial<Weights>[] = [
  {},
  { name: 3 },
  { name: 5 },
  { kind: 1 },
  { kind: 3 },
  { facts: 0.5 },
  { description: 0.5 },
  { length: 0.2 },
  { length: 0.6 },
  { saturation: 1 },
  { saturation: 4 },
  { accessory: 0.6 },
  { accessory: 0.8 },
  { phrase: 0.2 },
  { category: 0.1 },
]
const FOLDS = 5

type Results = readonly Relevance[]

/** Searches in this process, so that weights can be changed. */
export async function variantsOf(
  database: Database,
  queries: ReadonlyMap<string, Ratings>,
  idOf: (slug: string) => string,
) {
  const handlers = catalogOperations({
    counts: null,
    reader: database.reader,
    cursorSecret: Buffer.alloc(32),
    grants: storeGrants(Buffer.alloc(32)),
  })
  const context = {
    reader: database.reader,
    now: new Date(0),
    languages: ['en'],
    environment: 'live' as const,
    storeAccess: null,
    markPrivate: () => {},
    dependsOn: () => {},
    revisionOf: () => '1',
    onAnswer: () => {},
  }
  const chosen = { ...SEARCH_WEIGHTS }
  const resultsWith = async (weights: Partial<Weights>): Promise<Results> => {
    Object.assign(SEARCH_WEIGHTS, chosen, weights)
    const results: Relevance[] = []
    for (const [q, ratings] of queries) {
      const query = { q, locale: 'en', currency: 'USD', limit: 50, facets: ['none'] }
      const input = { params: {}, query, body: null }
      const { data } = await handlers.searchCatalogProducts(input as never, context as never)
      results.push(
        relevanceOf(
          data.map(({ slug }) => idOf(slug)),
          ratings,
        ),
      )
    }
    Object.assign(SEARCH_WEIGHTS, chosen)
    return results
  }
  const ablations: Record<string, ReturnType<typeof meanOf>> = {}
  for (const [part, weights] of Object.entries(ABLATIONS)) ablations[part] = meanOf(await resultsWith(weights))
  const alternatives: Results[] = []
  for (const weights of ALTERNATIVES) alternatives.push(await resultsWith(weights))
  return { without: ablations, crossValidated: crossValidated(alternatives) }
}

/**
 * Cross-validates the choice among the alternatives: the best one for four parts of the queries ranks the fifth.
 */
export function crossValidated(alternatives: readonly Results[]) {
  const isHeldOut = (at: number, fold: number) => at % FOLDS === fold
  const goodness = (results: Results) => {
    const { condensed, raw } = meanOf(results)
    return condensed + raw
  }
  const heldOut = Array.from({ length: FOLDS }, (_, fold) => {
    const trained = alternatives.map((results) => goodness(results.filter((_result, at) => !isHeldOut(at, fold))))
    return alternatives[trained.indexOf(Math.max(...trained))]!.filter((_result, at) => isHeldOut(at, fold))
  })
  return { folds: FOLDS, ...meanOf(heldOut.flat()), byFold: heldOut.map(meanOf) }
}
