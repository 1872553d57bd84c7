import type { InputOf, OutputOf, operations, ProductSummary } from '@vitrine/contract'
import type { Environment } from '../../../kernel/environment.ts'
import type { PublicReadContext } from '../../../platform/http/handler.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { searchCatalogProducts } from '../operations/searchCatalogProducts.ts'
import { listOpenStores, resolveMarket } from '../reading/market-context.ts'
import { hydrateSummaries } from '../reading/product-store.ts'
import { presentSummaries } from '../reading/product-view.ts'
import { shippedSynonymsIn } from '../search/query.ts'
import { categoryNames } from '../search/suggestion-store.ts'
import type { ShippedSynonyms } from '../search/words/index.ts'
import { listSearchRules, listSearchSynonyms, listSwitchedOff, type StoredRule } from './edit-store.ts'
import {
  foldedName,
  isSameQuery,
  NO_EDITS,
  SearchEdits,
  type SearchRule,
  type SearchSynonyms,
  type ShippedName,
} from './search-edits.ts'

type Search = typeof operations.searchCatalogProducts

/** Edits that are not saved yet. */
interface SearchDraft {
  /** Replaces the saved rule of its query. If it has neither products nor a redirect, the query has no rule. Absent: the saved one. */
  readonly rule?: SearchRule | undefined
  /** In addition to those saved. */
  readonly synonyms?: readonly SearchSynonyms[] | undefined
  /** Shipped synonyms that are on or off, whatever is saved. */
  readonly shipped?: readonly (ShippedName & { readonly on: boolean })[] | undefined
}

interface SearchPreview {
  readonly edited: OutputOf<Search>
  readonly unedited: OutputOf<Search>
  /** The saved rule of the query. */
  readonly rule: StoredRule | null
  /** The pinned and hidden products of the rule, without those that shoppers cannot see. */
  readonly placed: readonly ProductSummary[]
  /** The shipped synonyms of the words of the query, and whether they are on with the draft. */
  readonly shipped: readonly SwitchedSynonyms[]
}

/** Runs a search with the saved edits and a draft, and without any edits, by the handler of the public operation. */
export async function previewSearch(
  reader: Reader,
  query: InputOf<Search>['query'],
  draft: SearchDraft,
  { cursorSecret, environment, now }: { cursorSecret: Secret; environment: Environment; now: Date },
): Promise<SearchPreview> {
  const [rules, synonyms, savedOff, stores] = await Promise.all([
    listSearchRules(reader),
    listSearchSynonyms(reader),
    listSwitchedOff(reader),
    listOpenStores(reader),
  ])
  const languages = query.locale === undefined ? [] : [query.locale]
  const context: PublicReadContext = {
    reader,
    now,
    languages,
    environment,
    dependsOn: () => {},
    revisionOf: () => '0',
    storeAccess: null,
    markPrivate: () => {},
    onAnswer: () => {},
  }
  const search = (edits: SearchEdits) =>
    searchCatalogProducts({
      cursorSecret,
      counts: null,
      editsOf: async () => edits,
      storesOf: async () => stores,
      categoriesOf: () => categoryNames(reader),
    })({ params: {}, query, body: null }, context)
  const market = resolveMarket(stores, { ...query, languages })
  const saved = new SearchEdits(rules, synonyms, []).ruleOf(query.q, market.locale)
  const shown = draft.rule ?? saved
  const { currency } = market
  const off = switchedOff(
    savedOff,
    (draft.shipped ?? []).map(({ on, ...name }) => ({ on, ...foldedName(name) })),
  )
  const [edited, unedited, placed] = await Promise.all([
    search(drafted({ rules, synonyms, off }, draft)),
    search(NO_EDITS),
    hydrateSummaries(reader, [...(shown?.pins ?? []), ...(shown?.hidden ?? [])], { environment, currency }),
  ])
  return {
    edited,
    unedited,
    rule: rules.find((each) => each === saved) ?? null,
    placed: presentSummaries(placed, market),
    shipped: switched(shippedSynonymsIn(query.q, market.locale), off),
  }
}

/** Shipped synonyms, and whether searches use them. */
export interface SwitchedSynonyms extends ShippedSynonyms {
  readonly on: boolean
}

export function switched(
  synonyms: readonly ShippedSynonyms[],
  off: readonly ShippedName[],
): readonly SwitchedSynonyms[] {
  return synonyms.map((each) => ({
    ...each,
    on: !off.some(isSame({ language: each.language, word: each.folded[0]! })),
  }))
}

const isSame = (one: ShippedName) => (other: ShippedName) => one.language === other.language && one.word === other.word

function switchedOff(
  saved: readonly ShippedName[],
  draft: NonNullable<SearchDraft['shipped']>,
): readonly ShippedName[] {
  return [...saved.filter((each) => !draft.some(isSame(each))), ...draft.filter(({ on }) => !on)]
}

interface Saved {
  readonly rules: readonly SearchRule[]
  readonly synonyms: readonly SearchSynonyms[]
  readonly off: readonly ShippedName[]
}

function drafted({ rules, synonyms: saved, off }: Saved, { rule, synonyms = [] }: SearchDraft): SearchEdits {
  const all = [...saved, ...synonyms]
  if (rule === undefined) return new SearchEdits(rules, all, off)
  const isReplaced = ({ query, language }: SearchRule) =>
    language === rule.language && isSameQuery(query, rule.query, language)
  const others = rules.filter((each) => !isReplaced(each))
  const isEmpty = rule.pins.length + rule.hidden.length === 0 && rule.redirect === null
  return new SearchEdits(isEmpty ? others : [rule, ...others], all, off)
}
