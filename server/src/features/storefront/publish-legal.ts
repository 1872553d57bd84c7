import { createHash } from 'node:crypto'
import { LegalDocument } from '@vitrine/contract'
import { type Static, Type } from 'typebox'
import type { IdSource } from '../../kernel/ids.ts'
import { refuse } from '../../kernel/refusal.ts'
import { checker, validate } from '../../platform/http/parse.ts'
import { enqueue, type JobHandlers } from '../../platform/jobs/index.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import type { LegalVersion } from './legal.ts'
import { addText, addVersion, findVersion, type LegalText, lockVersion, readTexts, versionsOf } from './legal-store.ts'
import { faultOfRichText } from './rich-text.ts'
import { LEGAL } from './subjects.ts'

const { type, version, locale, title, content } = LegalDocument.properties

/** A document in one language, as an operator publishes it. */
export const LegalPublication = Type.Object({ type, version, locale, title, content }, { additionalProperties: false })
export type LegalPublication = Static<typeof LegalPublication>
const check = checker(LegalPublication)

const TAKES_EFFECT_JOB = 'storefront.legal_takes_effect'

export interface Publishing {
  /** Whose document it is; `null` for the marketplace's own. */
  readonly storeId: string | null
  /** From when it is in force; at once where absent. It is that of the version: each of its languages has the same. */
  readonly effectiveAt?: Date | undefined
  readonly ids: IdSource
  readonly now: Date
}

/**
 * Publishes a document in one language. A version that is published may come in further languages, and never in another
 * text: somebody has agreed to it. The same text again changes nothing.
 *
 * Refusals: `validation_failed`, `unknown_field`.
 */
export async function publishLegalDocument(
  tx: Transaction,
  wanted: LegalPublication,
  { storeId, effectiveAt, ids, now }: Publishing,
): Promise<'published' | 'unchanged'> {
  validate(check, LegalPublication, 'body', wanted)
  const fault = faultOfRichText(wanted.content, '/content/text')
  if (fault) refuse('validation_failed', { details: [fault] })

  const known = await lockVersion(tx, { storeId, type: wanted.type, version: wanted.version })
  if (known && effectiveAt && known.effective_at.getTime() !== effectiveAt.getTime()) {
    refuseChange('/effectiveAt', `This version takes effect at ${known.effective_at.toISOString()}, in each language.`)
  }
  if (known?.locales.includes(wanted.locale)) {
    const [text] = await readTexts(tx, [{ id: known.id, locale: wanted.locale }])
    if (text && isSame(text, wanted)) return 'unchanged'
    refuseChange('/version', 'This version is published with another text. Publish that text as a new version.')
  }

  const published = known ?? newVersion(tx, wanted, { storeId, effectiveAt: effectiveAt ?? now, ids, now })
  addText(tx, {
    document_id: published.id,
    locale: wanted.locale,
    title: wanted.title,
    format: wanted.content.format,
    body: wanted.content.text,
    sha256: createHash('sha256').update(wanted.content.text).digest(),
    published_at: now,
  })
  bumpRevision(tx, LEGAL)
  return 'published'
}

function newVersion(
  tx: Transaction,
  wanted: LegalPublication,
  { storeId, effectiveAt, ids, now }: Publishing & { readonly effectiveAt: Date },
): LegalVersion {
  const version: LegalVersion = {
    id: ids.next('leg'),
    store_id: storeId,
    type: wanted.type,
    version: wanted.version,
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

function refuseChange(pointer: string, message: string): never {
  refuse('validation_failed', { details: [{ in: 'body', pointer, code: 'already_published', message }] })
}

/** Every version that one owner has published, newest first, those to come included. */
export function listLegalVersions(reader: Reader, storeId: string | null): Promise<readonly LegalVersion[]> {
  return versionsOf(reader, storeId)
}

/** A version with its texts, whoever's it is and whether or not it is in force; `null` where there is none. */
export async function readLegalVersion(
  reader: Reader,
  id: string,
): Promise<{ readonly version: LegalVersion; readonly texts: readonly LegalText[] } | null> {
  const version = await findVersion(reader, id)
  if (!version) return null
  const texts = await readTexts(
    reader,
    version.locales.map((each) => ({ id, locale: each })),
  )
  return { version, texts }
}

/** Time changes what is in force without anybody writing: kept answers are told when it does. */
export function legalJobs(): JobHandlers {
  return {
    [TAKES_EFFECT_JOB]: async (_job, { database }) => {
      await database.transaction(async (tx) => bumpRevision(tx, LEGAL))
      return undefined
    },
  }
}
