import type { Decoration } from '@vitrine/contract'
import { present } from '../../kernel/assert.ts'
import { refuse, refuseStale } from '../../kernel/refusal.ts'
import { validate } from '../../platform/http/parse.ts'
import { checker } from '../../platform/http/schema-check.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { DecorationContent, faultsOfDecoration, hashOfContent, presentDecoration } from './decoration.ts'
import {
  addDecoration,
  addDraft,
  changeDraft,
  findDecoration,
  findDraft,
  latestDecoration,
  listDecorations,
  lockDraft,
} from './decoration-store.ts'
import { decorationOf } from './subjects.ts'

const check = checker(DecorationContent)

interface DraftChange {
  readonly expectedVersion?: number | undefined
  readonly now: Date
}

/**
 * Saves the draft of a store's decoration. Only operators see it.
 *
 * Refusals: `validation_failed`, `unknown_field`, `version_conflict`.
 */
export async function saveDecorationDraft(
  tx: Transaction,
  storeId: string,
  content: DecorationContent,
  { expectedVersion, now }: DraftChange,
): Promise<{ readonly version: number }> {
  validate(check, DecorationContent, 'body', content)
  const faults = faultsOfDecoration(content)
  if (faults.length > 0) refuse('validation_failed', { faults })

  let draft = await lockDraft(tx, storeId)
  if (!draft) {
    refuseStale(0, expectedVersion)
    if (await addDraft(tx, storeId, content, now)) return { version: 1 }
    // A concurrent transaction has added the first draft meanwhile.
    draft = present(await lockDraft(tx, storeId), 'the draft that was added')
  }
  refuseStale(draft.version, expectedVersion)
  changeDraft(tx, { store_id: storeId, content, version: draft.version + 1 }, now)
  return { version: draft.version + 1 }
}

/**
 * Presents the draft in the best matching language.
 *
 * Refusals: `not_found` if there is no draft.
 */
export async function previewDecorationDraft(
  reader: Reader,
  storeId: string,
  { languages, now }: { readonly languages: readonly string[]; readonly now: Date },
): Promise<Decoration> {
  const [draft, current] = await Promise.all([findDraft(reader, storeId), latestDecoration(reader, storeId)])
  if (!draft) refuse('not_found')
  const version = (current?.version ?? 0) + 1
  return presentDecoration({ storeId, version, publishedAt: now, content: draft.content }, languages, null)
}

/**
 * Publishes the draft as a new version, unless it equals the current one.
 *
 * Refusals: `not_found` if there is no draft, `version_conflict`.
 */
export async function publishDecorationDraft(
  tx: Transaction,
  storeId: string,
  { expectedVersion, now }: DraftChange,
): Promise<{ readonly version: number; readonly result: 'published' | 'unchanged' }> {
  const draft = await lockDraft(tx, storeId)
  if (!draft) refuse('not_found')
  refuseStale(draft.version, expectedVersion)
  const current = await latestDecoration(tx, storeId)

  const hash = hashOfContent(draft.content)
  if (current?.content_sha256.equals(hash)) return { version: current.version, result: 'unchanged' }
  const version = (current?.version ?? 0) + 1

  addDecoration(tx, { store_id: storeId, version, content: draft.content, content_sha256: hash, published_at: now })
  bumpRevision(tx, decorationOf(storeId))
  return { version, result: 'published' }
}

/**
 * Copies a published version into the draft.
 *
 * Refusals: `not_found`, `version_conflict`.
 */
export async function restoreVersion(
  tx: Transaction,
  storeId: string,
  version: number,
  change: DraftChange,
): Promise<{ readonly version: number }> {
  const published = await findDecoration(tx, storeId, version)
  if (!published) refuse('not_found')
  return saveDecorationDraft(tx, storeId, published.content, change)
}

/** A store, for the design that it gets if it has none. */
interface StoreOfDesign {
  readonly id: string
  readonly name: string
  /** Its first language. */
  readonly locale: string
}

/** The theme of a store without a design. */
export const PLAIN_THEME: DecorationContent['theme'] = {
  primaryColor: '#17594a',
  accentColor: '#b3541e',
  backgroundColor: '#fffdf8',
  textColor: '#1d1b18',
  font: 'serif',
  cornerRadius: 8,
}

/**
 * Publishes the design of a store with another color. The draft gets the color too, so that publishing the draft does not revert it.
 * The caller has locked the store.
 *
 * Refusals: `validation_failed`, `version_conflict`.
 */
export async function publishColor(
  tx: Transaction,
  store: StoreOfDesign,
  primaryColor: string,
  { expectedVersion, now }: DraftChange,
): Promise<{ readonly version: number }> {
  const [draft, current] = await Promise.all([lockDraft(tx, store.id), latestDecoration(tx, store.id)])
  refuseStale(current?.version ?? 0, expectedVersion)
  const colored = (of: DecorationContent) => ({ ...of, theme: { ...of.theme, primaryColor } })
  const content = colored(current?.content ?? plainDesign(store))
  validate(check, DecorationContent, 'body', content)

  const version = (current?.version ?? 0) + 1
  addDecoration(tx, {
    store_id: store.id,
    version,
    content,
    content_sha256: hashOfContent(content),
    published_at: now,
  })
  if (draft) {
    changeDraft(tx, { store_id: store.id, content: colored(draft.content), version: draft.version + 1 }, now)
  }
  bumpRevision(tx, decorationOf(store.id))
  return { version }
}

/** A home page with the name of the store. */
function plainDesign({ name, locale }: StoreOfDesign): DecorationContent {
  const home = { slug: 'home', title: name, blocks: [{ id: 'hero', type: 'hero' as const, props: { heading: name } }] }
  return { theme: PLAIN_THEME, pages: { [locale]: [home] } }
}

/** The draft and the published version, in all languages. */
export async function readDecorating(reader: Reader, storeId: string) {
  const [draft, published] = await Promise.all([findDraft(reader, storeId), latestDecoration(reader, storeId)])
  return { draft: draft ?? null, published: published ?? null }
}

/** The published versions of a store, newest first. */
export async function listDecorationVersions(reader: Reader, storeId: string) {
  const rows = await listDecorations(reader, storeId)
  return rows.map(({ version, content_sha256, published_at }) => ({
    version,
    contentHash: content_sha256.toString('hex'),
    publishedAt: published_at,
  }))
}
