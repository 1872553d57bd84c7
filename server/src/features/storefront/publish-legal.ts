import { createHash } from 'node:crypto'
import { LegalDocument } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import { validate } from '../../platform/http/parse.ts'
import { checker } from '../../platform/http/schema-check.ts'
import { enqueue, type JobHandlers } from '../../platform/jobs/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import type { LegalVersion } from './legal.ts'
import {
  addText,
  addVersion,
  findVersion,
  type LegalText,
  lockVersion,
  type OwnedVersion,
  readTexts,
  versionsOf,
} from './legal-store.ts'
import { faultOfRichText } from './rich-text.ts'
import { LEGAL } from './subjects.ts'

const { type, version, locale, title, content } = LegalDocument.properties

/** A document in one language, as input. */
export const LegalPublication = Type.Object({ type, version, locale, title, content }, { additionalProperties: false })
export type LegalPublication = Static<typeof LegalPublication>
const check = checker(LegalPublication)

const TAKES_EFFECT_JOB = 'storefront.legal_takes_effect'
/** The clocks of nodes differ by less, and a request that began before this time has ended. */
const SETTLED_AFTER_MS = 15_000

interface PublishContext {
  /** The owner; `null` for the marketplace. */
  readonly storeId: string | null
  /** Default: now. All languages of a version take effect at the same time. */
  readonly effectiveAt?: Date | undefined
  readonly ids: IdSource
  readonly now: Date
}

/**
 * Publishes a document in one language. A published version can get further languages, but its texts never change, because
 * customers have accepted them. Publishing the same text again changes nothing.
 *
 * Refusals: `validation_failed`, `unknown_field`.
 */
export async function publishLegalDocument(
  tx: Transaction,
  input: LegalPublication,
  { storeId, effectiveAt, ids, now }: PublishContext,
): Promise<'published' | 'unchanged'> {
  validate(check, LegalPublication, 'body', input)
  const fault = faultOfRichText(input.content, 'content/text')
  if (fault) refuse('validation_failed', { faults: [fault] })

  const known = await lockVersion(tx, { storeId, type: input.type, version: input.version })
  if (known && effectiveAt && known.effective_at.getTime() !== effectiveAt.getTime()) {
    refuseChange('effectiveAt', `This version takes effect at ${known.effective_at.toISOString()} in all languages.`)
  }
  if (known?.locales.includes(input.locale)) {
    const [text] = await readTexts(tx, [{ id: known.id, locale: input.locale }])
    if (text && isSame(text, input)) return 'unchanged'
    refuseChange('version', 'This version was published with another text. Publish the text as a new version.')
  }

  const published = known ?? newVersion(tx, input, { storeId, effectiveAt: effectiveAt ?? now, ids, now })
  addText(tx, {
    document_id: published.id,
    locale: input.locale,
    title: input.title,
    format: input.content.format,
    body: input.content.text,
    sha256: createHash('sha256').update(input.content.text).digest(),
    published_at: now,
  })
  bumpRevision(tx, LEGAL)
  return 'published'
}

function newVersion(
  tx: Transaction,
  input: LegalPublication,
  { storeId, effectiveAt, ids, now }: PublishContext & { readonly effectiveAt: Date },
): LegalVersion {
  const version: LegalVersion = {
    id: ids.next('leg'),
    store_id: storeId,
    type: input.type,
    version: input.version,
    effective_at: effectiveAt,
    published_at: now,
    locales: [],
  }
  addVersion(tx, version)
  if (effectiveAt > now) enqueue(tx, { kind: TAKES_EFFECT_JOB, subject: version.id, runAt: effectiveAt }, ids)
  return version
}

function isSame(text: LegalText, { title, content }: LegalPublication): boolean {
  return text.title === title && text.format === content.format && text.body === content.text
}

function refuseChange(field: string, message: string): never {
  refuseField(field, 'already_published', message)
}

/** All versions of one owner, newest first, including future ones. */
export function listLegalVersions(reader: Reader, storeId: string | null): Promise<readonly LegalVersion[]> {
  return versionsOf(reader, storeId)
}

/** A version with its texts, of any owner, in force or not. */
export async function readLegalVersion(
  reader: Reader,
  id: string,
): Promise<{ readonly version: OwnedVersion; readonly texts: readonly LegalText[] } | null> {
  const version = await findVersion(reader, id)
  if (!version) return null
  const texts = await readTexts(
    reader,
    version.locales.map((each) => ({ id, locale: each })),
  )
  return { version, texts }
}

/**
 * Invalidates cached responses when a version takes effect, and once more when it has for everyone: until then, a node whose clock is
 * behind caches the version before it.
 */
export function legalJobs(): JobHandlers {
  return {
    [TAKES_EFFECT_JOB]: async ({ subject }, { database, now }) => {
      const version = await findVersion(database.reader, subject)
      if (version && version.effective_at > now) return version.effective_at
      await database.transaction(async (tx) => bumpRevision(tx, LEGAL))
      const settledAt = version && new Date(version.effective_at.getTime() + SETTLED_AFTER_MS)
      return settledAt && settledAt > now ? settledAt : undefined
    },
  }
}
