import type { OperatorLegalVersion, operatorOperations } from '@vitrine/contract/operator'
import {
  type LegalVersion,
  listLegalVersions as list,
  publishLegalDocument as publish,
  readLegalVersion,
  standingOfVersion,
} from '../../../features/storefront/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { ownerOf } from './owner.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/legal-documents */
const listLegalVersions: OperatorHandler<Rows['listLegalVersions']> = async ({ query }, { reader, now }) => {
  const versions = await list(reader, await ownerOf(reader, query.storeSlug))
  return { items: versions.map((version) => presentVersion(version, versions, now)) }
}

/** GET /operator/v1/legal-documents/{documentId} */
const getLegalDocument: OperatorHandler<Rows['getLegalDocument']> = async ({ params }, { reader, now }) => {
  const { version, texts } = (await readLegalVersion(reader, params.documentId)) ?? refuse('not_found')
  const { locales: _locales, ...head } = presentVersion(version, await list(reader, version.store_id), now)
  return {
    ...head,
    store: version.store_slug,
    texts: texts.map(({ locale, title, format, body, sha256, published_at }) => ({
      locale,
      title,
      content: { format, text: body },
      sha256: sha256.toString('hex'),
      publishedAt: published_at.toISOString(),
    })),
  }
}

/** POST /operator/v1/legal-documents */
const publishLegalDocument: OperatorHandler<Rows['publishLegalDocument']> = async ({ body }, context) => {
  const { tx, ids, now, audit } = context
  const { storeSlug, effectiveAt: requestedAt, ...input } = body
  const storeId = await ownerOf(tx, storeSlug)
  const effectiveAt = requestedAt === undefined ? undefined : new Date(requestedAt)

  const result = await publish(tx, input, { storeId, effectiveAt, ids, now })

  const versions = await list(tx, storeId)
  const { type, version, locale, title } = input
  const published = versions.find((each) => each.type === type && each.version === version)
  const document = presentVersion(present(published, 'just published'), versions, now)
  const after = { result, type, version, locale, title, effectiveAt: document.effectiveAt, ...(storeId && { storeId }) }
  audit({ subject: { type: 'legal_document', id: document.id }, before: null, after })
  return { result, document }
}

export const legalOperations = { listLegalVersions, getLegalDocument, publishLegalDocument }

function presentVersion(row: LegalVersion, ofOwner: readonly LegalVersion[], now: Date): OperatorLegalVersion {
  const { id, type, version, effective_at, published_at, locales } = row
  return {
    id,
    type,
    version,
    standing: standingOfVersion(row, ofOwner, now),
    effectiveAt: effective_at.toISOString(),
    publishedAt: published_at.toISOString(),
    locales: [...locales],
  }
}
