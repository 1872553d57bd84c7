import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { AcceptedDocument, LegalType, LegalVersion } from './legal.ts'

const VERSION = `document.id, document.store_id, document.type, document.version, document.effective_at, document.published_at,
  array(select locale from legal_texts where document_id = document.id order by locale) as locales`

/** A version with its titles by language. */
export type TitledVersion = LegalVersion & { readonly titles: Readonly<Record<string, string>> }

/** A version with the slug of its store; `null`: the marketplace. */
export type OwnedVersion = LegalVersion & { readonly store_slug: string | null }

const TITLED = `${VERSION},
  coalesce((select jsonb_object_agg(locale, title) from legal_texts where document_id = document.id), '{}') as titles`

/**
 * What takes effect as it is published is in force for all who see it: the clock of the publisher may be ahead of theirs, and their
 * request may have begun before.
 */
const IS_EFFECTIVE = '(document.effective_at <= $1 or document.effective_at <= document.published_at)'

/** The latest effective version of each type and owner. */
const inForce = statement<TitledVersion>(
  'storefront.legal_in_force',
  `select distinct on (document.store_id, document.type) ${TITLED}
   from legal_documents document
   where ${IS_EFFECTIVE} and (document.store_id is null or document.store_id = any ((select $2::text[])::text[]))
   order by document.store_id, document.type, document.effective_at desc, document.published_at desc, document.id desc`,
)
const missing = statement<{ type: LegalType }>(
  'storefront.missing_documents',
  `select type from unnest($2::text[]) with ordinality as wanted (type, at)
   where not exists (select from legal_documents document
       where document.type = wanted.type and ${IS_EFFECTIVE} and document.store_id is null)
     and (not exists (select from stores where status = 'active') or exists (select from stores where status = 'active'
       and not exists (select from legal_documents document where document.type = wanted.type
         and ${IS_EFFECTIVE} and document.store_id = stores.id)))
   order by at`,
)
const all = statement<LegalVersion>(
  'storefront.legal_versions',
  `select ${VERSION} from legal_documents document where document.store_id is not distinct from $1
   order by document.type, document.effective_at desc, document.published_at desc, document.id desc`,
)

/** A document in one language. */
export interface LegalText {
  readonly document_id: string
  readonly locale: string
  readonly title: string
  readonly format: 'plain' | 'markdown'
  readonly body: string
  readonly sha256: Buffer
  readonly published_at: Date
}

const TEXT = 'text.document_id, text.locale, text.title, text.format, text.body, text.sha256, text.published_at'
const texts = statement<LegalText>(
  'storefront.legal_texts',
  `select ${TEXT} from legal_texts text
   join unnest($1::text[], $2::text[]) as wanted (document_id, locale) using (document_id, locale)`,
)

/** Serializes concurrent publishing of the same version. */
const lock = statement('storefront.lock_legal', `select pg_advisory_xact_lock(hashtextextended('legal documents', 0))`)
const find = statement<LegalVersion>(
  'storefront.find_legal',
  `select ${VERSION} from legal_documents document
   where document.store_id is not distinct from $1 and document.type = $2 and document.version = $3`,
)
const byId = statement<OwnedVersion>(
  'storefront.legal_by_id',
  `select ${VERSION}, (select slug from stores where id = document.store_id) as store_slug from legal_documents document where document.id = $1`,
)
const ACCEPTED = (types: string, versions: string, storeIds: string) =>
  `select distinct on (document.type, document.version) ${TITLED}
   from legal_documents document
     join unnest(${types}::text[], ${versions}::text[]) as accepted (type, version) using (type, version)
   where document.store_id is null or document.store_id = any (${storeIds}::text[])
   order by document.type, document.version, document.store_id nulls first`
const ofAccepted = statement<TitledVersion>('storefront.legal_of_accepted', ACCEPTED('$1', '$2', '$3'))
const insertVersion = statement(
  'storefront.insert_legal_version',
  `insert into legal_documents (id, store_id, type, version, effective_at, published_at) values ($1, $2, $3, $4, $5, $6)`,
)
const insertText = statement(
  'storefront.insert_legal_text',
  `insert into legal_texts (document_id, locale, title, format, body, sha256, published_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

/** The versions in force of the marketplace and of these stores. */
export function versionsInForce(reader: Reader, now: Date, storeIds: readonly string[] = []): Promise<TitledVersion[]> {
  return reader.rows(inForce, [now, storeIds])
}

/** The types for which some active store has no document in force, neither its own nor the marketplace's. */
export async function missingDocuments(
  reader: Reader,
  types: readonly LegalType[],
  now: Date,
): Promise<readonly LegalType[]> {
  return (await reader.rows(missing, [now, types])).map(({ type }) => type)
}

/** All versions of one owner, newest first. */
export function versionsOf(reader: Reader, storeId: string | null): Promise<LegalVersion[]> {
  return reader.rows(all, [storeId])
}

export function findVersion(reader: Reader, id: string): Promise<OwnedVersion | undefined> {
  return reader.row(byId, [id])
}

/** An accepted version, as JSON. */
export type AcceptedVersion = Omit<TitledVersion, 'effective_at' | 'published_at'>

/** Selects the versions of `versionsAccepted`, as a JSON array of {@link AcceptedVersion}. */
export function acceptedVersionsSql(types: string, versions: string, storeIds: string): string {
  return `(select coalesce(jsonb_agg(accepted), '[]') from (${ACCEPTED(types, versions, storeIds)}) as accepted)`
}

/** The accepted versions, in force or not. One of the marketplace takes precedence over a store's with the same type and version. */
export function versionsAccepted(
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  storeIds: readonly string[],
): Promise<TitledVersion[]> {
  const [types, versions] = [accepted.map(({ type }) => type), accepted.map(({ version }) => version)]
  return reader.rows(ofAccepted, [types, versions, storeIds])
}

interface TextKey {
  readonly id: string
  readonly locale: string
}

export function readTexts(reader: Reader, keys: readonly TextKey[]): Promise<LegalText[]> {
  return reader.rows(texts, [keys.map(({ id }) => id), keys.map(({ locale }) => locale)])
}

export async function lockVersion(
  tx: Transaction,
  { storeId, type, version }: { readonly storeId: string | null; readonly type: LegalType; readonly version: string },
): Promise<LegalVersion | undefined> {
  const [, found] = await Promise.all([tx.rows(lock), tx.row(find, [storeId, type, version])])
  return found
}

export function addVersion(tx: Transaction, version: Omit<LegalVersion, 'locales'>): void {
  const { id, store_id, type, effective_at, published_at } = version
  tx.write(insertVersion, [id, store_id, type, version.version, effective_at, published_at])
}

export function addText(tx: Transaction, text: LegalText): void {
  const { document_id, locale, title, format, body, sha256, published_at } = text
  tx.write(insertText, [document_id, locale, title, format, body, sha256, published_at])
}
