import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { DecorationContent } from './decoration.ts'

export interface DraftRow {
  readonly store_id: string
  readonly content: DecorationContent
  readonly version: number
  readonly updated_at: Date
}

export interface DecorationRow {
  readonly store_id: string
  readonly version: number
  readonly content: DecorationContent
  readonly content_sha256: Buffer
  readonly published_at: Date
}

const COLUMNS = 'store_id, version, content, content_sha256, published_at'

const readDraft = statement<DraftRow>(
  'storefront.read_draft',
  'select store_id, content, version, updated_at from decoration_drafts where store_id = $1',
)
const selectDraftForUpdate = statement<DraftRow>(
  'storefront.lock_draft',
  'select store_id, content, version, updated_at from decoration_drafts where store_id = $1 for update',
)
const insertDraft = statement(
  'storefront.insert_draft',
  'insert into decoration_drafts (store_id, content, created_at, updated_at) values ($1, $2, $3, $3) on conflict do nothing',
)
const updateDraft = statement(
  'storefront.update_draft',
  `update decoration_drafts set content = $2, version = $3, updated_at = $4 where store_id = $1 and version = $3 - 1`,
)
const latest = statement<DecorationRow>(
  'storefront.latest_decoration',
  `select ${COLUMNS} from decorations where store_id = $1 order by version desc limit 1`,
)
const byVersion = statement<DecorationRow>(
  'storefront.decoration_version',
  `select ${COLUMNS} from decorations where store_id = $1 and version = $2`,
)
const list = statement<Omit<DecorationRow, 'content'>>(
  'storefront.list_decorations',
  'select store_id, version, content_sha256, published_at from decorations where store_id = $1 order by version desc',
)
const insert = statement(
  'storefront.insert_decoration',
  'insert into decorations (store_id, version, content, content_sha256, published_at) values ($1, $2, $3, $4, $5)',
)
const activeStore = statement<{ id: string; locales: readonly string[] }>(
  'storefront.store_by_slug',
  `select id, locales from stores where slug = $1 and status = 'active'`,
)

export function findDraft(reader: Reader, storeId: string): Promise<DraftRow | undefined> {
  return reader.row(readDraft, [storeId])
}

export function lockDraft(tx: Transaction, storeId: string): Promise<DraftRow | undefined> {
  return tx.row(selectDraftForUpdate, [storeId])
}

/** Adds the first draft of a store. False if there is one, also of a transaction that was concurrent. */
export async function addDraft(
  tx: Transaction,
  storeId: string,
  content: DecorationContent,
  now: Date,
): Promise<boolean> {
  return (await tx.change(insertDraft, [storeId, JSON.stringify(content), now])) === 1
}

export function changeDraft(
  tx: Transaction,
  { store_id, content, version }: Omit<DraftRow, 'updated_at'>,
  now: Date,
): void {
  tx.write(updateDraft, [store_id, JSON.stringify(content), version, now], { rows: 1 })
}

/** The published decoration of a store. */
export function latestDecoration(reader: Reader, storeId: string): Promise<DecorationRow | undefined> {
  return reader.row(latest, [storeId])
}

export function findDecoration(reader: Reader, storeId: string, version: number): Promise<DecorationRow | undefined> {
  return reader.row(byVersion, [storeId, version])
}

/** The published versions of a store, newest first. */
export function listDecorations(reader: Reader, storeId: string) {
  return reader.rows(list, [storeId])
}

export function addDecoration(tx: Transaction, row: DecorationRow): void {
  const { store_id, version, content, content_sha256, published_at } = row
  tx.write(insert, [store_id, version, JSON.stringify(content), content_sha256, published_at])
}

/** The active store with a slug, also a gated one: decorations are public. */
export function findActiveStore(reader: Reader, slug: string) {
  return reader.row(activeStore, [slug])
}
