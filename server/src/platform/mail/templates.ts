import type { Language } from '../../kernel/languages/languages.ts'
import type { DefaultWords, MailWords } from '../../kernel/languages/mail-words.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import type { NewMail } from './store.ts'

/** A kind of mail whose texts an operator can edit. */
export interface EditableMail<Sample> {
  readonly kind: string
  /** Whether each store can have its own texts. Otherwise only the marketplace has them. */
  readonly isOfStores: boolean
  readonly words: DefaultWords
  readonly placeholders: readonly string[]
  /** Composes a mail from sample data, for a preview. */
  readonly sample: (sample: Sample) => NewMail
}

/** Identifies the texts of a mail. `storeId` is `null` for the marketplace. */
interface TemplateKey {
  readonly storeId: string | null
  readonly kind: string
  readonly language: Language
}

/** Texts that an operator has written. */
export interface EditedWords extends TemplateKey, MailWords {}

/**
 * The latest texts of the marketplace and of stores as JSON, without those that were reset to the default. For the SELECT list of
 * a larger statement.
 *
 * @param stores a parameter of the statement, such as `$1`: the ids of stores
 * @param kinds another parameter: a pattern of LIKE
 */
export function editedWordsSql(stores: string, kinds: string): string {
  return `(select coalesce(jsonb_agg(latest), '[]') from (
    select distinct on (store_id, kind, language) store_id as "storeId", kind, language, subject, heading, introduction, closing
    from mail_templates where (store_id is null or store_id = any (${stores}::text[])) and kind like ${kinds}
    order by store_id, kind, language, version desc) as latest where subject is not null)`
}

const read = statement<{ readonly edited: readonly EditedWords[] }>(
  'mail.read_templates',
  `select ${editedWordsSql('$1', '$2')} as edited`,
)

/** The edited texts of the mails whose kind begins with `prefix`. */
export async function readEditedWords(
  reader: Reader,
  prefix: string,
  storeIds: readonly string[] = [],
): Promise<readonly EditedWords[]> {
  return (await reader.row(read, [storeIds, `${prefix}%`]))!.edited
}

/**
 * The edited texts of a mail: those of its store, else of the marketplace; `undefined` if neither has any. A mail about several
 * stores has those of the marketplace.
 */
export function wordsInForce(
  edited: readonly EditedWords[],
  {
    kind,
    language,
    storeIds,
  }: { readonly kind: string; readonly language: Language; readonly storeIds: readonly string[] },
): MailWords | undefined {
  const candidates = edited.filter((each) => each.kind === kind && each.language === language)
  const ofStore = storeIds.length === 1 ? candidates.find(({ storeId }) => storeId === storeIds[0]) : undefined
  return ofStore ?? candidates.find(({ storeId }) => storeId === null)
}

/** A version of the texts of a mail. `words` is `null` if they were reset to the default. */
export interface TemplateVersion {
  readonly version: number
  readonly words: MailWords | null
  readonly createdAt: Date
}

interface VersionRow {
  readonly version: number
  readonly subject: string | null
  readonly heading: string | null
  readonly introduction: string | null
  readonly closing: string | null
  readonly created_at: Date
}

const VERSIONS_MAX = 100
const versions = statement<VersionRow>(
  'mail.template_versions',
  `select version, subject, heading, introduction, closing, created_at from mail_templates
   where store_id is not distinct from $1 and kind = $2 and language = $3 order by version desc limit ${VERSIONS_MAX}`,
)

/** The versions of the texts of a mail, newest first. */
export async function listTemplateVersions(
  reader: Reader,
  { storeId, kind, language }: TemplateKey,
): Promise<readonly TemplateVersion[]> {
  const rows = await reader.rows(versions, [storeId, kind, language])
  return rows.map(({ version, subject, heading, introduction, closing, created_at }) => ({
    version,
    words: subject === null ? null : { subject, heading: heading!, introduction: introduction!, closing: closing! },
    createdAt: created_at,
  }))
}

const insert = statement(
  'mail.insert_template',
  `insert into mail_templates (store_id, kind, language, version, subject, heading, introduction, closing, created_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9) on conflict do nothing`,
)

/**
 * Saves the texts of a mail as their next version; `null` resets them to the default.
 *
 * @returns whether it was the next version: another operator may have saved it
 */
export async function saveTemplate(
  tx: Transaction,
  { storeId, kind, language }: TemplateKey,
  { version, words, createdAt }: TemplateVersion,
): Promise<boolean> {
  const { subject = null, heading = null, introduction = null, closing = null } = words ?? {}
  const row = [storeId, kind, language, version, subject, heading, introduction, closing, createdAt]
  return (await tx.change(insert, row)) === 1
}
