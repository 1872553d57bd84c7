import type { Decoration } from '@vitrine/contract'
import { refuse } from '../../kernel/refusal.ts'
import { checker, validate } from '../../platform/http/parse.ts'
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
  lockedDraft,
} from './decoration-store.ts'
import { decorationOf } from './subjects.ts'

const check = checker(DecorationContent)

/** Whether somebody else has changed a draft since it was looked at is asked by `expectedVersion`. */
export interface DraftChange {
  readonly expectedVersion?: number | undefined
  readonly now: Date
}

/**
 * Keeps how a store might look. Nobody but an operator sees it.
 *
 * Refusals: `validation_failed`, `unknown_field`, `version_conflict`.
 */
export async function saveDraft(
  tx: Transaction,
  storeId: string,
  content: DecorationContent,
  { expectedVersion, now }: DraftChange,
): Promise<{ readonly version: number }> {
  validate(check, DecorationContent, 'body', content)
  const details = faultsOfDecoration(content)
  if (details.length > 0) refuse('validation_failed', { details })

  const draft = await lockedDraft(tx, storeId)
  const currentVersion = draft?.version ?? 0
  refuseStale(expectedVersion, currentVersion)
  if (!draft) addDraft(tx, storeId, content, now)
  else changeDraft(tx, { store_id: storeId, content, version: currentVersion + 1 }, now)
  return { version: currentVersion + 1 }
}

/**
 * A draft as it would look, in the language that fits best.
 *
 * Refusals: `not_found` where there is no draft.
 */
export async function previewDraft(
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
 * Shows the draft to everybody, as a new version. What is shown already is not published again.
 *
 * Refusals: `not_found` where there is no draft, `version_conflict`.
 */
export async function publishDraft(
  tx: Transaction,
  storeId: string,
  { expectedVersion, now }: DraftChange,
): Promise<{ readonly version: number; readonly result: 'published' | 'unchanged' }> {
  const draft = await lockedDraft(tx, storeId)
  if (!draft) refuse('not_found')
  refuseStale(expectedVersion, draft.version)
  const current = await latestDecoration(tx, storeId)

  const hash = hashOfContent(draft.content)
  if (current?.content_sha256.equals(hash)) return { version: current.version, result: 'unchanged' }
  const version = (current?.version ?? 0) + 1

  addDecoration(tx, { store_id: storeId, version, content: draft.content, content_sha256: hash, published_at: now })
  bumpRevision(tx, decorationOf(storeId))
  return { version, result: 'published' }
}

/**
 * Makes an older version the draft again, to be looked at and published once more.
 *
 * Refusals: `not_found`, `version_conflict`.
 */
export async function takeUpVersion(
  tx: Transaction,
  storeId: string,
  version: number,
  change: DraftChange,
): Promise<{ readonly version: number }> {
  const published = await findDecoration(tx, storeId, version)
  if (!published) refuse('not_found')
  return saveDraft(tx, storeId, published.content, change)
}

/** What is worked on, and what everybody sees, in all languages; `null` where there is none. */
export async function readDecorating(reader: Reader, storeId: string) {
  const [draft, published] = await Promise.all([findDraft(reader, storeId), latestDecoration(reader, storeId)])
  return { draft: draft ?? null, published: published ?? null }
}

/** Every version that a store has published, newest first. */
export async function listVersions(reader: Reader, storeId: string) {
  const rows = await listDecorations(reader, storeId)
  return rows.map(({ version, content_sha256, published_at }) => ({
    version,
    contentHash: content_sha256.toString('hex'),
    publishedAt: published_at,
  }))
}

function refuseStale(expectedVersion: number | undefined, currentVersion: number): void {
  if (expectedVersion === undefined || expectedVersion === currentVersion) return
  refuse('version_conflict', { conflict: { expectedVersion, currentVersion } })
}
