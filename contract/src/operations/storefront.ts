import { operation } from '../operation.ts'
import { LanguageQuery } from '../schemas/catalog.ts'
import { none, Slug } from '../schemas/common.ts'
import { closed } from '../schemas/primitives.ts'
import { RuntimeConfig } from '../schemas/runtime-config.ts'
import { Bootstrap, ContactChannel, Decoration, LegalDocument, shortList } from '../schemas/storefront.ts'

const tag = 'Storefront'
const isPublic = { kind: 'public' } as const
const bySlug = closed('The slug.', { slug: Slug })

export const storefrontOperations = {
  getBootstrap: operation({
    method: 'GET',
    path: '/api/v1/bootstrap',
    tag,
    summary: 'Read what a shop needs before it draws its first page.',
    description:
      'Languages, currencies, countries, the category tree, and where the legal documents and the contact are.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: LanguageQuery,
    body: null,
    data: Bootstrap,
    meta: null,
    response: 'BootstrapResponse',
    refusals: [],
  }),
  listLegalDocuments: operation({
    method: 'GET',
    path: '/api/v1/legal/documents',
    tag,
    summary: 'List the legal documents that are in force.',
    description:
      'The published version of each document in the language that fits best, with the language that was served.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: LanguageQuery,
    body: null,
    data: shortList(LegalDocument, 'The documents.'),
    meta: null,
    response: 'LegalDocumentListResponse',
    refusals: [],
  }),
  listContactChannels: operation({
    method: 'GET',
    path: '/api/v1/public/contact',
    tag,
    summary: 'List the ways to reach the people behind the site.',
    description: 'In the order in which they should be offered.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: LanguageQuery,
    body: null,
    data: shortList(ContactChannel, 'The channels.'),
    meta: null,
    response: 'ContactChannelListResponse',
    refusals: [],
  }),
  getRuntimeConfig: operation({
    method: 'GET',
    path: '/api/v1/runtime-config',
    tag,
    summary: 'Read every number that a client would otherwise guess.',
    description:
      'Limits, windows, quotas, retention, the public keys of quotes, and the capabilities with what blocks them.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: none,
    query: none,
    body: null,
    data: RuntimeConfig,
    meta: null,
    response: 'RuntimeConfigResponse',
    refusals: [],
  }),
  getStoreDecoration: operation({
    method: 'GET',
    path: '/api/v1/storefront-decorations/merchants/{slug}',
    tag,
    summary: 'Read how a store has decorated its pages.',
    description: 'The published version: ordered blocks of known types. Drafts are never shown.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: bySlug,
    query: LanguageQuery,
    body: null,
    data: Decoration,
    meta: null,
    response: 'StoreDecorationResponse',
    refusals: ['not_found'],
  }),
}
