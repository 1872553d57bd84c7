import type { IdSource } from '../../../kernel/ids.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import { PHRASE_WORDS_MAX } from '../search/query.ts'
import { SHIPPED_SYNONYMS } from '../search/words/index.ts'
import { foldedText } from '../text-normalization.ts'
import {
  knownProducts,
  listSearchRules,
  listSearchSynonyms,
  listSwitchedOff,
  lockSearchEdits,
  removeRule,
  removeSynonyms,
  SEARCH_EDITS,
  type StoredRule,
  type StoredSynonyms,
  writeRule,
  writeSwitchedOff,
  writeSwitchedOn,
  writeSynonyms,
} from './edit-store.ts'
import {
  foldedName,
  isRedirect,
  isSameQuery,
  type SearchRule,
  type SearchSynonyms,
  type ShippedName,
} from './search-edits.ts'

/** Limited, because each process keeps them in memory. */
const RULES_MAX = 5000
const SYNONYMS_MAX = 2000

interface EditContext {
  readonly ids: IdSource
  readonly now: Date
  /** 0: there is none yet. */
  readonly expectedVersion: number | undefined
}

export interface Saved<Edit> {
  readonly before: Edit | null
  readonly id: string
}

interface Fault {
  readonly field: string
  readonly code: string
  readonly message: string
}

/**
 * Saves the rule for a query, in one language or in all. Queries that differ only in singular and plural share a rule.
 *
 * Refusals: `validation_failed`, `version_conflict`, `state_conflict` if there are too many.
 */
export async function saveSearchRule(
  tx: Transaction,
  rule: SearchRule,
  { ids, now, expectedVersion }: EditContext,
): Promise<Saved<StoredRule>> {
  await lockSearchEdits(tx)
  const [known, rules] = await Promise.all([knownProducts(tx, [...rule.pins, ...rule.hidden]), listSearchRules(tx)])
  refuseFaults(ruleFaults(rule, known))
  const same = rules.filter((each) => each.language === rule.language)
  const before =
    same.find((each) => foldedText(each.query) === foldedText(rule.query)) ??
    same.find((each) => isSameQuery(each.query, rule.query, rule.language)) ??
    null
  refuseStale(before?.version ?? 0, expectedVersion)
  if (before === null && rules.length >= RULES_MAX) refuse('state_conflict')

  const id = before?.id ?? ids.next('srl')
  writeRule(tx, id, foldedText(rule.query), rule, now)
  bumpRevision(tx, SEARCH_EDITS)
  return { before, id }
}

/** Deletes a rule. Refusals: `not_found`, `version_conflict`. */
export async function deleteSearchRule(tx: Transaction, id: string, expectedVersion?: number): Promise<StoredRule> {
  await lockSearchEdits(tx)
  const before = (await listSearchRules(tx)).find((each) => each.id === id) ?? refuse('not_found')
  refuseStale(before.version, expectedVersion)
  removeRule(tx, id)
  bumpRevision(tx, SEARCH_EDITS)
  return before
}

/**
 * Creates synonyms, or changes those with an id.
 *
 * Refusals: `not_found`, `validation_failed`, `version_conflict`, `state_conflict` if there are too many.
 */
export async function saveSearchSynonyms(
  tx: Transaction,
  id: string | null,
  synonyms: SearchSynonyms,
  { ids, now, expectedVersion }: EditContext,
): Promise<Saved<StoredSynonyms>> {
  await lockSearchEdits(tx)
  const all = await listSearchSynonyms(tx)
  const before = id === null ? null : (all.find((each) => each.id === id) ?? refuse('not_found'))
  refuseStale(before?.version ?? 0, expectedVersion)
  refuseFaults(synonymFaults(synonyms))
  if (before === null && all.length >= SYNONYMS_MAX) refuse('state_conflict')

  const saved = id ?? ids.next('syn')
  writeSynonyms(tx, saved, synonyms, now)
  bumpRevision(tx, SEARCH_EDITS)
  return { before, id: saved }
}

/** Deletes synonyms. Refusals: `not_found`, `version_conflict`. */
export async function deleteSearchSynonyms(
  tx: Transaction,
  id: string,
  expectedVersion?: number,
): Promise<StoredSynonyms> {
  await lockSearchEdits(tx)
  const before = (await listSearchSynonyms(tx)).find((each) => each.id === id) ?? refuse('not_found')
  refuseStale(before.version, expectedVersion)
  removeSynonyms(tx, id)
  bumpRevision(tx, SEARCH_EDITS)
  return before
}

/**
 * Switches shipped synonyms off, or on again.
 *
 * Refusals: `validation_failed` if no shipped synonyms have the name.
 *
 * @returns the synonyms that were off before
 */
export async function switchShippedSynonyms(
  tx: Transaction,
  names: readonly ShippedName[],
  { on, now }: { readonly on: boolean; readonly now: Date },
): Promise<readonly ShippedName[]> {
  const folded = names.map(foldedName)
  await lockSearchEdits(tx)
  refuseFaults(shippedFaults(folded))
  const before = await listSwitchedOff(tx)
  if (on) writeSwitchedOn(tx, folded)
  else writeSwitchedOff(tx, folded, now)
  bumpRevision(tx, SEARCH_EDITS)
  return before
}

/** The faults of folded names of shipped synonyms. */
function shippedFaults(names: readonly ShippedName[]): Fault[] {
  const isShipped = ({ language, word }: ShippedName) =>
    SHIPPED_SYNONYMS.some((each) => each.language === language && each.folded[0] === word)
  return names.flatMap((name, index) =>
    isShipped(name) ? [] : [{ field: `names/${index}`, code: 'unknown', message: 'No such synonyms ship.' }],
  )
}

/** The faults of a rule, by field. */
export function ruleFaults({ query, pins, hidden, redirect }: SearchRule, known: ReadonlySet<string>): Fault[] {
  const productFaults = (field: string, productIds: readonly string[]) =>
    productIds.flatMap((id, index): Fault[] => {
      const place = { field: `${field}/${index}` }
      if (!known.has(id)) return [{ ...place, code: 'unknown', message: 'There is no such product.' }]
      if (productIds.indexOf(id) < index)
        return [{ ...place, code: 'not_unique', message: 'The product is listed twice.' }]
      return []
    })
  const isEmpty = pins.length + hidden.length === 0 && redirect === null
  return [
    ...wordFaults('query', query),
    ...productFaults('pins', pins),
    ...productFaults('hidden', hidden),
    ...(hidden.some((id) => pins.includes(id))
      ? [{ field: 'hidden', code: 'not_possible', message: 'A product cannot be pinned and hidden.' }]
      : []),
    ...(redirect !== null && !isRedirect(redirect)
      ? [{ field: 'redirect', code: 'not_possible', message: 'Enter a path such as /sale, or an https URL.' }]
      : []),
    ...(isEmpty ? [{ field: 'pins', code: 'required', message: 'Pin or hide a product, or set a redirect.' }] : []),
  ]
}

/** The faults of synonyms, by field. */
export function synonymFaults({ source, words }: SearchSynonyms): Fault[] {
  const said = words.map(foldedText)
  return [
    ...(source === null ? [] : phraseFaults('source', source)),
    ...words.flatMap((word, index) => phraseFaults(`words/${index}`, word)),
    ...said.flatMap((word, index) => {
      const isRepeated = said.indexOf(word) < index || (source !== null && word === foldedText(source))
      return isRepeated ? [{ field: `words/${index}`, code: 'not_unique', message: 'The word is listed twice.' }] : []
    }),
    ...(source === null && words.length < 2
      ? [{ field: 'words', code: 'required', message: 'Enter at least two words that mean the same.' }]
      : []),
  ]
}

function wordFaults(field: string, text: string): Fault[] {
  if (foldedText(text) !== '') return []
  return [{ field, code: 'not_possible', message: 'Enter letters or digits.' }]
}

function phraseFaults(field: string, text: string): Fault[] {
  if (foldedText(text).split(' ').length <= PHRASE_WORDS_MAX) return wordFaults(field, text)
  return [{ field, code: 'not_possible', message: `Enter at most ${PHRASE_WORDS_MAX} words.` }]
}

function refuseFaults(faults: readonly Fault[]): void {
  if (faults.length > 0) refuse('validation_failed', { faults })
}
