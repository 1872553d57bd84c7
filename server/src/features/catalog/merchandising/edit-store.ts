import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Kept, keptByRevision, type RevisionContext } from '../../../platform/revisions/kept-by-revision.ts'
import { NO_EDITS, SearchEdits, type SearchRule, type SearchSynonyms, type ShippedName } from './search-edits.ts'

/** The revision subject of operators' edits of searches. */
export const SEARCH_EDITS = 'search-edits'

interface Stored {
  readonly id: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}
export type StoredRule = SearchRule & Stored
export type StoredSynonyms = SearchSynonyms & Stored

const readRules = statement<StoredRule>(
  'catalog.read_search_rules',
  `select id, query, language, pins, hidden, redirect, version, created_at, updated_at from search_rules order by id`,
)
const readSynonyms = statement<StoredSynonyms>(
  'catalog.read_search_synonyms',
  `select id, language, source, words, version, created_at, updated_at from search_synonyms order by id`,
)

const readSwitchedOff = statement<ShippedName>(
  'catalog.read_switched_off_synonyms',
  'select language, word from search_shipped_off order by language, word',
)

export function listSearchRules(reader: Reader): Promise<StoredRule[]> {
  return reader.rows(readRules)
}

export function listSearchSynonyms(reader: Reader): Promise<StoredSynonyms[]> {
  return reader.rows(readSynonyms)
}

export function listSwitchedOff(reader: Reader): Promise<ShippedName[]> {
  return reader.rows(readSwitchedOff)
}

async function readSearchEdits(reader: Reader): Promise<SearchEdits> {
  const [rules, synonyms, off] = await Promise.all([
    listSearchRules(reader),
    listSearchSynonyms(reader),
    listSwitchedOff(reader),
  ])
  return new SearchEdits(rules, synonyms, off)
}

/** Gives a search the edits of operators. */
export type EditsSource = Kept<SearchEdits>

/** Keeps the edits in memory, so that a search needs no further query. */
export function cachedSearchEdits(primary: Reader): EditsSource {
  return keptByRevision([SEARCH_EDITS], () => readSearchEdits(primary))
}

/** The edits for a list. Without a query it is not a search, and has none. */
export async function searchEditsFor(
  { q }: { readonly q?: string },
  source: EditsSource,
  context: RevisionContext,
): Promise<SearchEdits> {
  return q === undefined ? NO_EDITS : source(context)
}

const lockEdits = statement(
  'catalog.lock_search_edits',
  `select pg_advisory_xact_lock(hashtextextended('search_edits', 0))`,
)
const saveRuleRow = statement(
  'catalog.save_search_rule',
  `insert into search_rules (id, query, words, language, pins, hidden, redirect, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $8)
   on conflict (id) do update set query = excluded.query, words = excluded.words, pins = excluded.pins,
     hidden = excluded.hidden, redirect = excluded.redirect, version = search_rules.version + 1,
     updated_at = excluded.updated_at`,
)
const deleteRuleRow = statement('catalog.delete_search_rule', 'delete from search_rules where id = $1')
const saveSynonymsRow = statement(
  'catalog.save_search_synonyms',
  `insert into search_synonyms (id, language, source, words, created_at, updated_at) values ($1, $2, $3, $4, $5, $5)
   on conflict (id) do update set language = excluded.language, source = excluded.source, words = excluded.words,
     version = search_synonyms.version + 1, updated_at = excluded.updated_at`,
)
const deleteSynonymsRow = statement('catalog.delete_search_synonyms', 'delete from search_synonyms where id = $1')
const switchOffRows = statement(
  'catalog.switch_synonyms_off',
  `insert into search_shipped_off (language, word, switched_at)
   select language, word, $3 from unnest($1::text[], $2::text[]) as said (language, word)
   on conflict (language, word) do nothing`,
)
const switchOnRows = statement(
  'catalog.switch_synonyms_on',
  `delete from search_shipped_off
   where (language, word) in (select language, word from unnest($1::text[], $2::text[]) as said (language, word))`,
)
const readKnownProducts = statement<{ id: string }>(
  'catalog.read_placed_products',
  'select id from products where id = any($1::text[])',
)

/** Serializes changes of edits: whether two queries share a rule is decided by their words, not by a constraint. */
export async function lockSearchEdits(tx: Transaction): Promise<void> {
  await tx.rows(lockEdits)
}

export function writeRule(tx: Transaction, id: string, words: string, rule: SearchRule, now: Date): void {
  const { query, language, pins, hidden, redirect } = rule
  tx.write(saveRuleRow, [id, query, words, language, pins, hidden, redirect, now], { rows: 1 })
}

export function removeRule(tx: Transaction, id: string): void {
  tx.write(deleteRuleRow, [id], { rows: 1 })
}

export function writeSynonyms(tx: Transaction, id: string, { language, source, words }: SearchSynonyms, now: Date) {
  tx.write(saveSynonymsRow, [id, language, source, words, now], { rows: 1 })
}

export function removeSynonyms(tx: Transaction, id: string): void {
  tx.write(deleteSynonymsRow, [id], { rows: 1 })
}

export function writeSwitchedOff(tx: Transaction, names: readonly ShippedName[], now: Date): void {
  tx.write(switchOffRows, [names.map(({ language }) => language), names.map(({ word }) => word), now])
}

export function writeSwitchedOn(tx: Transaction, names: readonly ShippedName[]): void {
  tx.write(switchOnRows, [names.map(({ language }) => language), names.map(({ word }) => word)])
}

export async function knownProducts(reader: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  return new Set((await reader.rows(readKnownProducts, [[...ids]])).map(({ id }) => id))
}
