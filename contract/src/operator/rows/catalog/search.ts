import { type Static, Type } from 'typebox'
import { ProductSummary, SearchMeta, SearchRedirect } from '../../../schemas/catalog.ts'
import { CountryCode, CurrencyCode, id, LocaleTag, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, flag, formed, integer, leftOut, listOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Search'
const auth = { kind: 'operator', area: 'catalog' } as const
const RuleId = id('srl', 'The id of the rule.')
const SynonymsId = id('syn', 'The id of the synonyms.')
const Query = text(200, 'What a shopper types. Case, accents, singular and plural do not matter.', 'linen shirt')
const Language = orNull(formed('^[a-z]{2,3}$', 3, 'A language.', 'en'), 'The language; `null`: every language.')
const products = (maxItems: number, description: string) =>
  listOf(id('prod', 'The id of the product.'), maxItems, description)
const PhraseOf = (description: string) => text(100, description, 'sofa')
const ExpectedVersion = Type.Optional(integer(0, 2_147_483_647, 'The version the caller has seen; `0`: none yet.', 1))

const rule = {
  query: Query,
  language: Language,
  pins: products(50, 'The products at the top, in this order, when the result is sorted by relevance.'),
  hidden: products(200, 'The products that are left out.'),
  redirect: orNull(SearchRedirect, 'The page to show instead; `null`: none.'),
}
const synonyms = {
  language: Language,
  source: orNull(
    PhraseOf('The word that a shopper types.'),
    'A word that finds the others too, but is not found by them; `null`: all are equivalent.',
  ),
  words: listOf(PhraseOf('One to three words.'), 20, 'The words.', { minItems: 1 }),
}
const shippedName = {
  language: formed('^[a-z]{2,3}$', 3, 'Their language.', 'en'),
  word: PhraseOf('Their first word.'),
}
const SHIPPED_MAX = 1000
const stored = { version: Version, createdAt: Timestamp, updatedAt: Timestamp }

export const OperatorSearchRule = operatorNamed(
  'OperatorSearchRule',
  closed('The rule for a query.', { id: RuleId, ...rule, ...stored }),
)
export type OperatorSearchRule = Static<typeof OperatorSearchRule>

export const OperatorSearchSynonyms = operatorNamed(
  'OperatorSearchSynonyms',
  closed('Synonyms: equivalent words, or words that another word finds.', { id: SynonymsId, ...synonyms, ...stored }),
)
export type OperatorSearchSynonyms = Static<typeof OperatorSearchSynonyms>

export const OperatorShippedSynonyms = operatorNamed(
  'OperatorShippedSynonyms',
  closed('Synonyms that ship with the service.', {
    language: shippedName.language,
    words: listOf(PhraseOf('One to three words.'), 20, 'The words. The first one names them.', { minItems: 1 }),
    on: flag('Whether searches use them.'),
  }),
)
export type OperatorShippedSynonyms = Static<typeof OperatorShippedSynonyms>
const ShippedList = closed('All shipped synonyms.', {
  items: listOf(OperatorShippedSynonyms, SHIPPED_MAX, 'The synonyms, by language.'),
})

const Result = closed('The first page of a search.', {
  items: listOf(ProductSummary, 100, 'The products.'),
  totalCount: integer(0, 2_147_483_647, 'The number of products found.', 12),
  correctedQuery: SearchMeta.properties.correctedQuery,
  redirect: SearchMeta.properties.redirect,
})

export const OperatorSearchPreview = operatorNamed(
  'OperatorSearchPreview',
  closed('The results of a query with and without edits.', {
    locale: LocaleTag,
    currency: CurrencyCode,
    edited: Result,
    unedited: Result,
    rule: orNull(OperatorSearchRule, 'The saved rule for the query; `null`: none.'),
    placed: listOf(ProductSummary, 250, 'The pinned and hidden products, as far as shoppers see them.'),
    shipped: listOf(OperatorShippedSynonyms, 100, 'The shipped synonyms with words of the query, as edited.'),
  }),
)
export type OperatorSearchPreview = Static<typeof OperatorSearchPreview>

const SHOWN_DAYS_MAX = 400
const Day = formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'A day in UTC.', '2026-11-21')
const count = (description: string, example: number) => integer(0, 2_147_483_647, description, example)
const counts = {
  searches: count('Searches.', 120),
  foundNothing: count('Searches that found nothing.', 4),
  corrected: count('Searches that were corrected.', 7),
  edited: count('Searches with results that an operator has edited.', 0),
}
const queries = (description: string) =>
  listOf(
    closed('A query.', {
      query: text(80, 'Its words, in lower case and without accents.', 'linen shirt'),
      ...counts,
      correctedTo: orNull(Query, 'The last correction; `null`: never corrected.'),
    }),
    50,
    description,
  )

export const OperatorSearchInsight = operatorNamed(
  'OperatorSearchInsight',
  closed('Search statistics.', {
    from: Day,
    to: Day,
    days: listOf(closed('A day with searches.', { day: Day, ...counts }), SHOWN_DAYS_MAX, 'Days, oldest first.'),
    top: queries('The most frequent queries.'),
    foundNothing: queries('The queries that most often found nothing.'),
    corrected: queries('The queries that were most often corrected.'),
  }),
)
export type OperatorSearchInsight = Static<typeof OperatorSearchInsight>

const expecting = closed('The expected version.', { expectedVersion: ExpectedVersion })
const ruleParams = closed('The rule.', { ruleId: RuleId })
const synonymsParams = closed('The synonyms.', { synonymsId: SynonymsId })

export const searchRows = {
  listSearchRules: operatorOperation({
    method: 'GET',
    path: '/operator/v1/search/rules',
    tag,
    summary: 'List search rules, newest first.',
    description: 'Pinned and hidden products and redirects.',
    auth,
    query: closed('Page.', listQuery),
    data: pageOf(OperatorSearchRule, 'Rules, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  saveSearchRule: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/search/rules',
    tag,
    summary: 'Save the rule for a query.',
    description:
      'Creates or replaces the rule for the query in the language. Every search uses it at once. Singular and plural of the same words share a rule.',
    auth,
    body: closed('The whole rule.', { ...rule, expectedVersion: ExpectedVersion }),
    data: OperatorSearchRule,
    refusals: ['version_conflict', 'state_conflict'],
  }),
  deleteSearchRule: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/search/rules/{ruleId}',
    tag,
    summary: 'Delete a rule.',
    description: 'The query then shows its unedited results.',
    auth,
    params: ruleParams,
    query: expecting,
    data: OperatorSearchRule,
    refusals: ['not_found', 'version_conflict'],
  }),
  listSearchSynonyms: operatorOperation({
    method: 'GET',
    path: '/operator/v1/search/synonyms',
    tag,
    summary: 'List synonyms, newest first.',
    description: 'Those that operators have created. The synonyms that ship with the service apply too.',
    auth,
    query: closed('Page.', listQuery),
    data: pageOf(OperatorSearchSynonyms, 'Synonyms, newest first.'),
    refusals: ['invalid_cursor'],
  }),
  createSearchSynonyms: operatorOperation({
    method: 'POST',
    path: '/operator/v1/search/synonyms',
    tag,
    summary: 'Create synonyms.',
    description: 'Every search uses them at once.',
    auth,
    body: closed('The synonyms.', synonyms),
    data: OperatorSearchSynonyms,
    idempotencyKey: true,
    refusals: ['state_conflict'],
  }),
  updateSearchSynonyms: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/search/synonyms/{synonymsId}',
    tag,
    summary: 'Replace synonyms.',
    description: 'Every search uses them at once.',
    auth,
    params: synonymsParams,
    body: closed('The synonyms.', { ...synonyms, expectedVersion: ExpectedVersion }),
    data: OperatorSearchSynonyms,
    refusals: ['not_found', 'version_conflict'],
  }),
  deleteSearchSynonyms: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/search/synonyms/{synonymsId}',
    tag,
    summary: 'Delete synonyms.',
    description: 'Those that ship with the service stay.',
    auth,
    params: synonymsParams,
    query: expecting,
    data: OperatorSearchSynonyms,
    refusals: ['not_found', 'version_conflict'],
  }),
  listShippedSynonyms: operatorOperation({
    method: 'GET',
    path: '/operator/v1/search/shipped-synonyms',
    tag,
    summary: 'List the synonyms that ship with the service.',
    description: 'Each can be switched off.',
    auth,
    data: ShippedList,
    refusals: [],
  }),
  switchShippedSynonyms: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/search/shipped-synonyms',
    tag,
    summary: 'Switch shipped synonyms off, or on again.',
    description: 'Takes effect in every search at once. They stay off when a later version adds words to them.',
    auth,
    body: closed('Which ones, and whether searches use them.', {
      on: flag('Whether searches use them.', false),
      names: listOf(closed('Shipped synonyms.', shippedName), SHIPPED_MAX, 'Which ones.', { minItems: 1 }),
    }),
    data: ShippedList,
    refusals: [],
  }),
  getSearchInsight: operatorOperation({
    method: 'GET',
    path: '/operator/v1/search/insight',
    tag,
    summary: 'Get search statistics.',
    description:
      'Per day, with the most frequent queries, those that found nothing, and those that were corrected. A query is shown once it was searched three times in the period. No personal data is kept.',
    auth,
    query: closed('The period, by default the last 14 days, and the language.', {
      from: Type.Optional(Day),
      to: Type.Optional(Day),
      locale: Type.Optional(LocaleTag),
    }),
    data: OperatorSearchInsight,
    refusals: [],
  }),
  previewSearch: operatorOperation({
    method: 'POST',
    path: '/operator/v1/search/preview',
    tag,
    summary: 'Preview a search with and without edits.',
    description: 'Searched like every public search. Nothing is saved.',
    auth,
    unaudited: true,
    body: closed('The query, its market, and edits that are not saved yet.', {
      q: Query,
      locale: Type.Optional(LocaleTag),
      currency: Type.Optional(CurrencyCode),
      country: Type.Optional(CountryCode),
      limit: Type.Optional(integer(1, 100, 'Products per result.', 24)),
      rule: Type.Optional(leftOut(closed('Replaces the saved rule. Empty: no rule.', rule))),
      synonyms: Type.Optional(leftOut(listOf(closed('Synonyms.', synonyms), 10, 'In addition to the saved ones.'))),
      shipped: Type.Optional(
        leftOut(
          listOf(
            closed('Shipped synonyms.', { ...shippedName, on: flag('Whether the search uses them.', false) }),
            100,
            'Replaces their saved settings.',
          ),
        ),
      ),
    }),
    data: OperatorSearchPreview,
    refusals: ['unsupported_locale', 'unsupported_currency'],
  }),
}
