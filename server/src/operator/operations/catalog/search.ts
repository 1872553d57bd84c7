import type { OutputOf, operations } from '@vitrine/contract'
import type {
  OperatorSearchRule,
  OperatorSearchSynonyms,
  OperatorShippedSynonyms,
  operatorOperations,
} from '@vitrine/contract/operator'
import {
  deleteSearchRule as deleteRule,
  deleteSearchSynonyms as deleteSynonyms,
  listSearchRules as listRules,
  listSwitchedOff,
  listSearchSynonyms as listSynonyms,
  previewSearch as preview,
  readSearchInsight,
  SHIPPED_SYNONYMS,
  type ShippedName,
  type StoredRule,
  type StoredSynonyms,
  type SwitchedSynonyms,
  saveSearchRule as saveRule,
  saveSearchSynonyms as saveSynonyms,
  switched,
  switchShippedSynonyms as switchShipped,
} from '../../../features/catalog/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuseField } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/search/rules */
function listSearchRules(cursorSecret: Secret): OperatorHandler<Rows['listSearchRules']> {
  return async ({ query }, { reader }) => {
    const paging = pagingOf<string>(cursorSecret, ['search-rules', query.q], query)
    const rules = await listRules(reader)
    const found = rules.filter((rule) => isNamed(query.q, [rule.query, rule.redirect ?? '']))
    return paging.page(newestAfter(found, paging), ({ id }) => id, presentRule)
  }
}

/** PUT /operator/v1/search/rules */
const saveSearchRule: OperatorHandler<Rows['saveSearchRule']> = async ({ body }, { tx, ids, now, audit }) => {
  const { expectedVersion, ...rule } = body
  const { before, id } = await saveRule(tx, rule, { ids, now, expectedVersion })
  const subject = { type: 'search_rule', id }
  if (before) audit({ subject, ...changedFields({ ...presentRule(before) }, rule) })
  else audit({ subject, before: null, after: rule })
  return presentRule(present(await ruleOf(tx, id), 'a saved rule'))
}

/** DELETE /operator/v1/search/rules/{ruleId} */
const deleteSearchRule: OperatorHandler<Rows['deleteSearchRule']> = async ({ params, query }, { tx, audit }) => {
  const deleted = presentRule(await deleteRule(tx, params.ruleId, query.expectedVersion))
  audit({ subject: { type: 'search_rule', id: deleted.id }, before: deleted, after: null })
  return deleted
}

/** GET /operator/v1/search/synonyms */
function listSearchSynonyms(cursorSecret: Secret): OperatorHandler<Rows['listSearchSynonyms']> {
  return async ({ query }, { reader }) => {
    const paging = pagingOf<string>(cursorSecret, ['search-synonyms', query.q], query)
    const all = await listSynonyms(reader)
    const found = all.filter(({ source, words }) => isNamed(query.q, [source ?? '', ...words]))
    return paging.page(newestAfter(found, paging), ({ id }) => id, presentSynonyms)
  }
}

/** POST /operator/v1/search/synonyms */
const createSearchSynonyms: OperatorHandler<Rows['createSearchSynonyms']> = async (
  { body },
  { tx, ids, now, audit },
) => {
  const { id } = await saveSynonyms(tx, null, body, { ids, now, expectedVersion: undefined })
  audit({ subject: { type: 'search_synonyms', id }, before: null, after: body })
  return presentSynonyms(present(await synonymsOf(tx, id), 'saved synonyms'))
}

/** PUT /operator/v1/search/synonyms/{synonymsId} */
const updateSearchSynonyms: OperatorHandler<Rows['updateSearchSynonyms']> = async (
  { params: { synonymsId }, body },
  { tx, ids, now, audit },
) => {
  const { expectedVersion, ...synonyms } = body
  const { before } = await saveSynonyms(tx, synonymsId, synonyms, { ids, now, expectedVersion })
  const current = presentSynonyms(present(before, 'synonyms with an id'))
  audit({ subject: { type: 'search_synonyms', id: synonymsId }, ...changedFields({ ...current }, synonyms) })
  return presentSynonyms(present(await synonymsOf(tx, synonymsId), 'saved synonyms'))
}

/** DELETE /operator/v1/search/synonyms/{synonymsId} */
const deleteSearchSynonyms: OperatorHandler<Rows['deleteSearchSynonyms']> = async (
  { params, query },
  { tx, audit },
) => {
  const deleted = presentSynonyms(await deleteSynonyms(tx, params.synonymsId, query.expectedVersion))
  audit({ subject: { type: 'search_synonyms', id: deleted.id }, before: deleted, after: null })
  return deleted
}

/** GET /operator/v1/search/shipped-synonyms */
const listShippedSynonyms: OperatorHandler<Rows['listShippedSynonyms']> = async (_input, { reader }) =>
  presentShipped(await listSwitchedOff(reader))

/** PUT /operator/v1/search/shipped-synonyms */
const switchShippedSynonyms: OperatorHandler<Rows['switchShippedSynonyms']> = async (
  { body: { names, on } },
  { tx, now, audit },
) => {
  const before = await switchShipped(tx, names, { on, now })
  const after = await listSwitchedOff(tx)
  audit({ subject: { type: 'search_synonyms', id: 'shipped' }, before: { off: before }, after: { off: after } })
  return presentShipped(after)
}

const DAY_MS = 86_400_000
const DAYS = 14
const DAYS_MAX = 400

/** GET /operator/v1/search/insight */
const getSearchInsight: OperatorHandler<Rows['getSearchInsight']> = async ({ query }, { reader, now }) => {
  const to = query.to === undefined ? now.getTime() : timeOf('to', query.to)
  const from = query.from === undefined ? to - (DAYS - 1) * DAY_MS : timeOf('from', query.from)
  if (from > to || to - from >= DAYS_MAX * DAY_MS) {
    refuseField('from', 'not_possible', `Enter a day up to the last one, and at most ${DAYS_MAX} days before it.`)
  }
  const period = { from: dayOf(from), to: dayOf(to), locale: query.locale ?? null }
  const { days, top, empty, corrected } = await readSearchInsight(reader, period)
  const queries = (rows: typeof top) =>
    rows.map((row) => ({ query: row.query, correctedTo: row.corrected_to, ...countsOf(row) }))
  return {
    from: period.from,
    to: period.to,
    days: days.map((row) => ({ day: row.day, ...countsOf(row) })),
    top: queries(top),
    foundNothing: queries(empty),
    corrected: queries(corrected),
  }
}

const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10)

/** Refuses a day that the calendar does not have. */
function timeOf(field: string, day: string): number {
  const time = Date.parse(day)
  if (Number.isNaN(time) || dayOf(time) !== day) refuseField(field, 'not_possible', 'There is no such day.')
  return time
}

interface CountRow {
  readonly searches: number
  readonly found_nothing: number
  readonly corrected: number
  readonly edited: number
}

function countsOf({ searches, found_nothing: foundNothing, corrected, edited }: CountRow) {
  return { searches, foundNothing, corrected, edited }
}

/** POST /operator/v1/search/preview */
function previewSearch(cursorSecret: Secret): OperatorHandler<Rows['previewSearch']> {
  return async ({ body }, { reader, now }) => {
    const { rule, synonyms, shipped, ...query } = body
    // Public searches use the live environment.
    const deps = { cursorSecret, environment: 'live', now } as const
    const found = await preview(reader, { ...query, facets: ['none'] }, { rule, synonyms, shipped }, deps)
    const { locale, currency } = found.edited.meta
    return {
      locale,
      currency,
      edited: presentResult(found.edited),
      unedited: presentResult(found.unedited),
      rule: found.rule && presentRule(found.rule),
      placed: [...found.placed],
      shipped: found.shipped.map(presentSwitched),
    }
  }
}

export function searchOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listSearchRules: listSearchRules(cursorSecret),
    saveSearchRule,
    deleteSearchRule,
    listSearchSynonyms: listSearchSynonyms(cursorSecret),
    createSearchSynonyms,
    updateSearchSynonyms,
    deleteSearchSynonyms,
    listShippedSynonyms,
    switchShippedSynonyms,
    getSearchInsight,
    previewSearch: previewSearch(cursorSecret),
  }
}

function isNamed(q: string | undefined, texts: readonly string[]): boolean {
  return q === undefined || texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
}

/** Ids grow with time. */
function newestAfter<Row extends { readonly id: string }>(
  rows: readonly Row[],
  { after, limit }: { readonly after: string | null; readonly limit: number },
): readonly Row[] {
  return rows
    .filter(({ id }) => after === null || id < after)
    .toSorted((a, b) => (a.id < b.id ? 1 : -1))
    .slice(0, limit)
}

async function ruleOf(reader: Reader, id: string): Promise<StoredRule | undefined> {
  return (await listRules(reader)).find((rule) => rule.id === id)
}

async function synonymsOf(reader: Reader, id: string): Promise<StoredSynonyms | undefined> {
  return (await listSynonyms(reader)).find((synonyms) => synonyms.id === id)
}

function presentRule(rule: StoredRule): OperatorSearchRule {
  const { id, query, language, pins, hidden, redirect, version } = rule
  return { id, query, language, pins: [...pins], hidden: [...hidden], redirect, version, ...timesOf(rule) }
}

function presentSynonyms(synonyms: StoredSynonyms): OperatorSearchSynonyms {
  const { id, language, source, words, version } = synonyms
  return { id, language, source, words: [...words], version, ...timesOf(synonyms) }
}

function presentShipped(off: readonly ShippedName[]) {
  return { items: switched(SHIPPED_SYNONYMS, off).map(presentSwitched) }
}

function presentSwitched({ language, words, on }: SwitchedSynonyms): OperatorShippedSynonyms {
  return { language, words: [...words], on }
}

function timesOf({ created_at, updated_at }: StoredRule | StoredSynonyms) {
  return { createdAt: created_at.toISOString(), updatedAt: updated_at.toISOString() }
}

function presentResult({ data, meta }: OutputOf<typeof operations.searchCatalogProducts>) {
  const { page, correctedQuery, redirect } = meta
  return { items: data, totalCount: page.totalCount, correctedQuery, redirect }
}
