import { LEGAL_DOCUMENT_TYPES, type LegalDocument } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
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
  findVersion,
  type LegalText,
  readTexts,
  type TitledVersion,
  versionsAccepted,
  versionsInForce,
} from './legal-store.ts'
import { readSiteSettings } from './site-settings.ts'

/** Who reads, and when. */
export interface LegalReading {
  readonly now: Date
  readonly languages: readonly string[]
  /** Stores whose own documents are read as well, beside the marketplace's. */
  readonly storeIds?: readonly string[]
}

/** A document that somebody is to accept, and where its text is found. */
export interface LegalHead {
  readonly id: string
  readonly type: LegalType
  readonly version: string
  readonly title: string
}

/** The documents that are in force, each in the language that fits best. */
export async function documentsInForce(reader: Reader, reading: LegalReading): Promise<LegalDocument[]> {
  const chosen = await chosenInForce(reader, reading)
  const texts = new Map((await readTexts(reader, chosen)).map((text) => [text.document_id, text]))
  return chosen.flatMap((version) => {
    const text = texts.get(version.id)
    return text ? [viewDocument(version, text, reading.languages)] : []
  })
}

/** The same without their texts. */
export async function headsInForce(reader: Reader, reading: LegalReading): Promise<LegalHead[]> {
  return (await chosenInForce(reader, reading)).map(headOf)
}

/** What has to be accepted by who becomes a customer, or buys. Empty where nothing is published. */
export async function documentsToAccept(
  reader: Reader,
  on: keyof typeof ACCEPTED_ON,
  reading: LegalReading,
): Promise<LegalHead[]> {
  const demanded: readonly LegalType[] = ACCEPTED_ON[on]
  return (await headsInForce(reader, reading)).filter(({ type }) => demanded.includes(type))
}

/** What somebody has accepted, as it is called in the language that fits best: what we never published is left out. */
export async function acceptedHeads(
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  { languages, storeIds = [] }: Omit<LegalReading, 'now'>,
): Promise<LegalHead[]> {
  if (accepted.length === 0) return []
  const versions = await versionsAccepted(reader, accepted, storeIds)
  return inLanguages(versions, languages, null).map(headOf)
}

/**
 * Refuses what somebody cannot have accepted, and what is missing.
 *
 * Refusals: `validation_failed`, naming the document below `/acceptedDocuments`.
 */
export async function checkAcceptance(
  reader: Reader,
  accepted: readonly AcceptedDocument[],
  on: keyof typeof ACCEPTED_ON,
  { now, storeIds }: Omit<LegalReading, 'languages'>,
): Promise<void> {
  const details = faultsOfAcceptance(accepted, await versionsInForce(reader, now, storeIds), ACCEPTED_ON[on])
  if (details.length > 0) refuse('validation_failed', { details })
}

/** A published version by its id, or the marketplace's that is in force by its type; `null` where there is none. */
export async function findLegalDocument(
  reader: Reader,
  wanted: { readonly id: string } | { readonly type: LegalType },
  reading: Omit<LegalReading, 'storeIds'>,
): Promise<LegalDocument | null> {
  const version =
    'id' in wanted
      ? await findVersion(reader, wanted.id)
      : (await versionsInForce(reader, reading.now)).find(({ type }) => type === wanted.type)
  if (!version) return null
  const locale = servedLocale(reading.languages, version.locales, null)
  const [text] = locale === undefined ? [] : await readTexts(reader, [{ id: version.id, locale }])
  return text ? viewDocument(version, text, reading.languages) : null
}

type Chosen = TitledVersion & { readonly locale: string }

/** The version of each document, then its language: an older text in a better language is not in force. */
async function chosenInForce(reader: Reader, { now, languages, storeIds }: LegalReading): Promise<readonly Chosen[]> {
  const [versions, settings] = await Promise.all([versionsInForce(reader, now, storeIds), readSiteSettings(reader)])
  return inLanguages(versions, languages, settings?.locales?.[0] ?? null)
}

function inLanguages(
  versions: readonly TitledVersion[],
  languages: readonly string[],
  preferred: string | null,
): readonly Chosen[] {
  return versions
    .flatMap((version) => {
      const locale = servedLocale(languages, version.locales, preferred)
      return locale === undefined ? [] : [{ ...version, locale }]
    })
    .toSorted((a, b) => LEGAL_DOCUMENT_TYPES.indexOf(a.type) - LEGAL_DOCUMENT_TYPES.indexOf(b.type))
}

function headOf({ id, type, version, titles, locale }: Chosen): LegalHead {
  return { id, type, version, title: titles[locale] ?? type }
}

function viewDocument({ type, version, effective_at }: LegalVersion, text: LegalText, languages: readonly string[]) {
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
