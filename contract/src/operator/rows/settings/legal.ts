import { type Static, Type } from 'typebox'
import { id, LocaleTag, RichText, Slug, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { DocumentVersion, LegalDocumentType } from '../../../schemas/storefront.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Legal documents'
const auth = { kind: 'operator', area: 'settings' } as const
const DocumentId = id('leg', 'The id of the version.')
const Title = text(200, 'Its title.', 'Terms of use')
const StoreSlug = Type.Optional(Slug)

const version = {
  id: DocumentId,
  type: LegalDocumentType,
  version: DocumentVersion,
  standing: oneOf(['to_come', 'in_force', 'replaced'], 'Whether the version is in force.'),
  effectiveAt: Timestamp,
  publishedAt: Timestamp,
}

export const OperatorLegalVersion = operatorNamed(
  'OperatorLegalVersion',
  closed('A published version of a document.', {
    ...version,
    locales: listOf(LocaleTag, 100, 'The languages it was published in.'),
  }),
)
export type OperatorLegalVersion = Static<typeof OperatorLegalVersion>

export const OperatorLegalDocument = operatorNamed(
  'OperatorLegalDocument',
  closed('A version with its texts.', {
    ...version,
    store: orNull(Slug, 'The store that it belongs to; `null`: the marketplace.'),
    texts: listOf(
      closed('The text in one language.', {
        locale: LocaleTag,
        title: Title,
        content: RichText,
        sha256: formed(
          '^[0-9a-f]{64}$',
          64,
          'The SHA-256 hash of the text, in hexadecimal.',
          'e3b0c44298fc1c14'.repeat(4),
        ),
        publishedAt: Timestamp,
      }),
      100,
      'The text in each language.',
    ),
  }),
)
export type OperatorLegalDocument = Static<typeof OperatorLegalDocument>

export const legalRows = {
  listLegalVersions: operatorOperation({
    method: 'GET',
    path: '/operator/v1/legal-documents',
    tag,
    summary: 'List all published versions.',
    description:
      'Of the marketplace or of a store. By type, newest first, including versions that are not in force yet.',
    auth,
    query: closed('The owner.', { storeSlug: StoreSlug }),
    data: closed('The versions.', {
      items: listOf(OperatorLegalVersion, 10_000, 'The versions, by type, newest first.'),
    }),
    refusals: ['not_found'],
    store: { slug: 'query', field: 'storeSlug' },
  }),
  getLegalDocument: operatorOperation({
    method: 'GET',
    path: '/operator/v1/legal-documents/{documentId}',
    tag,
    summary: 'Get a version.',
    description: 'With its texts in each language.',
    auth,
    params: closed('The version.', { documentId: DocumentId }),
    data: OperatorLegalDocument,
    refusals: ['not_found'],
    store: { object: 'legal_document', field: 'documentId' },
  }),
  publishLegalDocument: operatorOperation({
    method: 'POST',
    path: '/operator/v1/legal-documents',
    tag,
    summary: 'Publish a document in one language.',
    description:
      'Further languages can be added to a published version, but its texts never change. Publishing the same text again has no effect.',
    auth,
    body: closed('The document.', {
      storeSlug: StoreSlug,
      type: LegalDocumentType,
      version: DocumentVersion,
      locale: LocaleTag,
      title: Title,
      content: RichText,
      effectiveAt: Type.Optional(Timestamp),
    }),
    data: closed('The result.', {
      result: oneOf(['published', 'unchanged'], 'Whether anything was published.'),
      document: OperatorLegalVersion,
    }),
    refusals: ['not_found'],
    store: { slug: 'body', field: 'storeSlug' },
  }),
}
