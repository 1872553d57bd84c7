import { LEGAL_DOCUMENT_TYPES, type LegalDocument } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { RevisionCache } from '../../platform/revisions/revision-cache.ts'
import type { Revisions } from '../../platform/revisions/revisions.ts'
import {
  ACCEPTED_ON,
  type AcceptedDocument,
  faultsOfAcceptance,
  type LegalType,
  type LegalVersion,
  requestedLocale,
  servedLocale,
} from './legal.ts'
import {
  type AcceptedVersion,
  findVersion,
  type LegalText,
  readTexts,
  type TitledVersion,
  versionsAccepted,
  versionsInForce,
} from './legal-store.ts'
import { readSiteSettings } from './site-settings.ts'
import { LEGAL, SITE } from './subjects.ts'

interface LegalQuery {
  readonly now: Date
  readonly languages: readonly string[]
  /** Stores whose documents are included with the marketplace's. */
  readonly storeIds?: readonly string[]
  /** Served if no requested language is available. Default: the first of the site. */
  readonly defaultLocale?: string
}

/** A document without its text. */
export interface LegalHead {
  readonly id: string
  readonly type: LegalType
  readonly version: string
  readonly title: string
}

/** The documents in force, each in the best matching language. */
export async function documentsInForce(reader: Reader, query: LegalQuery): Promise<LegalDocument[]> {
  const versions = await localizedInForce(reader, query)
  const texts = new Map((await readTexts(reader, versions)).map((text) => [text.document_id, text]))
  return versions.flatMap((version) => {
    const text = texts.get(version.id)
    return text ? [presentDocument(version, text, query.languages)] : []
  })
}

/** The documents in force, without their texts. */
export async function headsInForce(reader: Reader, query: LegalQuery): Promise<LegalHead[]> {
  return (await localizedInForce(reader, query)).map(headOf)
}

/** The documents to accept on registration or at checkout. */
export async function documentsToAccept(
  reader: Reader,
  on: keyof typeof ACCEPTED_ON,
  query: LegalQuery,
): Promise<LegalHead[]> {
  const required: readonly LegalType[] = ACCEPTED_ON[on]
  return (await headsInForce(reader, query)).filter(({ type }) => required.includes(type))
}

/** Loads the documents to accept, for a page that shows them. The acceptance itself is checked by `checkAcceptance`. */
export type LoadDocumentsToAccept = typeof documentsToAccept

/** Caches the documents to accept, by stores and language, until one is published or takes effect. */
export function documentsByRevision(revisions: Pick<Revisions, 'of'>): LoadDocumentsToAccept {
  const cache = new RevisionCache<LegalHead[]>(revisions)
  return (reader, on, query) => {
    const key = [on, query.languages.join(' '), ...(query.storeIds ?? [])].join('/')
    return cache.get(key, [SITE, LEGAL], () => documentsToAccept(reader, on, query))
  }
}

/** Accepted documents with titles in the best matching language. Documents that were never published are left out. */
export async function acceptedHeads(
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  { languages, storeIds = [] }: Pick<LegalQuery, 'languages' | 'storeIds'>,
): Promise<LegalHead[]> {
  if (accepted.length === 0) return []
  const versions = await versionsAccepted(reader, accepted, storeIds)
  return headsOfAccepted(versions, languages)
}

/** The same for versions from the columns of a joined row. */
export function headsOfAccepted(versions: readonly AcceptedVersion[], languages: readonly string[]): LegalHead[] {
  return inLanguages(versions, languages, null).map(headOf)
}

/** Refuses `validation_failed` with faults below `acceptedDocuments` if a document is not in force or missing. */
export async function checkAcceptance(
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  on: keyof typeof ACCEPTED_ON,
  { now, storeIds }: Pick<LegalQuery, 'now' | 'storeIds'>,
): Promise<void> {
  const faults = faultsOfAcceptance(accepted, await versionsInForce(reader, now, storeIds), ACCEPTED_ON[on])
  if (faults.length > 0) refuse('validation_failed', { faults })
}

/** A published version by id, or the marketplace's version in force by type, with its store. */
export async function findLegalDocument(
  reader: Reader,
  key: { readonly id: string } | { readonly type: LegalType },
  query: Pick<LegalQuery, 'now' | 'languages'>,
): Promise<{ readonly document: LegalDocument; readonly storeId: string | null } | null> {
  const [version, settings] = await Promise.all([
    'id' in key
      ? findVersion(reader, key.id)
      : versionsInForce(reader, query.now).then((all) => all.find(({ type }) => type === key.type)),
    readSiteSettings(reader),
  ])
  if (!version) return null
  // As in the links to it, so that they have its title.
  const locale = servedLocale(query.languages, version.locales, settings?.locales?.[0] ?? null)
  const [text] = locale === undefined ? [] : await readTexts(reader, [{ id: version.id, locale }])
  return text ? { document: presentDocument(version, text, query.languages), storeId: version.store_id } : null
}

type Localized<Version> = Version & { readonly locale: string }

/** Chooses the version first, then its language: an older text in a better language is not in force. */
async function localizedInForce(
  reader: Reader,
  { now, languages, storeIds, defaultLocale }: LegalQuery,
): Promise<readonly Localized<TitledVersion>[]> {
  const [versions, settings] = await Promise.all([versionsInForce(reader, now, storeIds), readSiteSettings(reader)])
  return inLanguages(versions, languages, defaultLocale ?? settings?.locales?.[0] ?? null)
}

function inLanguages<Version extends AcceptedVersion>(
  versions: readonly Version[],
  languages: readonly string[],
  preferred: string | null,
): readonly Localized<Version>[] {
  return versions
    .flatMap((version) => {
      const locale = servedLocale(languages, version.locales, preferred)
      return locale === undefined ? [] : [{ ...version, locale }]
    })
    .toSorted((a, b) => LEGAL_DOCUMENT_TYPES.indexOf(a.type) - LEGAL_DOCUMENT_TYPES.indexOf(b.type))
}

function headOf({ id, type, version, titles, locale }: Localized<AcceptedVersion>): LegalHead {
  return { id, type, version, title: titles[locale] ?? type }
}

function presentDocument({ type, version, effective_at }: LegalVersion, text: LegalText, languages: readonly string[]) {
  const requested = requestedLocale(languages, text.locale)
  return {
    type,
    locale: text.locale,
    requestedLocale: requested,
    fallback: matchLocale([requested], [text.locale]) === undefined,
    version,
    title: text.title,
    content: { format: text.format, text: text.body },
    sha256: text.sha256.toString('hex'),
    effectiveAt: effective_at.toISOString(),
    publishedAt: text.published_at.toISOString(),
  } satisfies LegalDocument
}
