import { operation } from '../operation.ts'
import { LanguageQuery } from '../schemas/catalog.ts'
import { Slug } from '../schemas/common.ts'
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
    summary: 'Get the site bootstrap configuration.',
    description:
      'Languages, currencies, countries, the category tree, and links to the legal documents and contact channels.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    query: LanguageQuery,
    data: Bootstrap,
    response: 'BootstrapResponse',
    refusals: ['unsupported_locale'],
  }),
  listLegalDocuments: operation({
    method: 'GET',
    path: '/api/v1/legal/documents',
    tag,
    summary: 'List the legal documents in force.',
    description:
      'The published version of each document in the best matching language, with the language that was served.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    query: LanguageQuery,
    data: shortList(LegalDocument, 'The documents.'),
    response: 'LegalDocumentListResponse',
    refusals: [],
  }),
  listContactChannels: operation({
    method: 'GET',
    path: '/api/v1/public/contact',
    tag,
    summary: 'List the contact channels.',
    description: 'In the order in which to offer them.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    query: LanguageQuery,
    data: shortList(ContactChannel, 'The channels.'),
    response: 'ContactChannelListResponse',
    refusals: [],
  }),
  getRuntimeConfig: operation({
    method: 'GET',
    path: '/api/v1/runtime-config',
    tag,
    summary: 'Get the runtime configuration.',
    description:
      'Every number a client would otherwise guess: limits, windows, quotas, retention, the public keys of quotes, and the capabilities with their blockers.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    data: RuntimeConfig,
    response: 'RuntimeConfigResponse',
    refusals: [],
  }),
  getStoreDecoration: operation({
    method: 'GET',
    path: '/api/v1/storefront-decorations/merchants/{slug}',
    tag,
    summary: 'Get the published decoration of a store.',
    description: 'Ordered blocks of known types. Drafts are never included.',
    auth: isPublic,
    stability: 'stable',
    idempotency: 'none',
    idSource: 'assigned',
    params: bySlug,
    query: LanguageQuery,
    data: Decoration,
    response: 'StoreDecorationResponse',
    refusals: ['not_found'],
  }),
}
