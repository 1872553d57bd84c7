import { type Static, Type } from 'typebox'
import { LocaleTag, Slug, Timestamp, Version } from '../../../schemas/common.ts'
import { closed, exampleOf, flag, formed, integer, listOf, mapOf, oneOf } from '../../../schemas/primitives.ts'
import { Decoration } from '../../../schemas/storefront.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Decorations'
const auth = { kind: 'operator', area: 'settings' } as const
const { theme, pages } = Decoration.properties
const DraftVersion = integer(0, 2_147_483_647, 'Increases by one with each change of the draft; 0 if there is none.', 3)
const params = closed('The store.', { storeSlug: Slug })
const ExpectedDraft = Type.Optional(DraftVersion)

const content = {
  theme,
  pages: mapOf(
    '^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,5}$',
    pages,
    50,
    'The pages of each language, by tag. The first page is the home page.',
    { minProperties: 1, examples: [{ en: exampleOf(pages) }] },
  ),
}

export const OperatorDecorationContent = operatorNamed(
  'OperatorDecorationContent',
  closed('The design of a store, in all its languages.', content),
)
export type OperatorDecorationContent = Static<typeof OperatorDecorationContent>

const PublishedVersion = closed('A published version.', {
  version: Version,
  contentHash: formed('^[0-9a-f]{64}$', 64, 'The SHA-256 of its content.', 'e3b0c44298fc1c14'.repeat(4)),
  publishedAt: Timestamp,
})

export const OperatorDecoration = operatorNamed(
  'OperatorDecoration',
  closed('The published design of a store and its draft.', {
    draft: Type.Optional(
      closed('The draft, visible to operators only.', {
        content: OperatorDecorationContent,
        version: Version,
        updatedAt: Timestamp,
      }),
    ),
    published: Type.Optional(
      closed('The published design.', {
        content: OperatorDecorationContent,
        version: Version,
        publishedAt: Timestamp,
      }),
    ),
    versions: listOf(PublishedVersion, 10_000, 'All versions, newest first.'),
  }),
)
export type OperatorDecoration = Static<typeof OperatorDecoration>

const draftSaved = closed('The saved draft.', { version: Version })

const Color = theme.properties.primaryColor
const Look = closed('The resulting colors of pages and mails.', {
  paper: Color,
  card: Color,
  ink: Color,
  soft: Color,
  line: Color,
  accent: Color,
  onAccent: Color,
  contrast: formed(
    '^[0-9]{1,2}\\.[0-9]$',
    4,
    'The contrast ratio of the chosen color and the card: `5.2` is 5.2:1.',
    '5.2',
  ),
  isAdjusted: flag('Whether the accent differs from the chosen color, because text in it would be illegible.'),
})

export const OperatorBrandingPreview = operatorNamed(
  'OperatorBrandingPreview',
  closed('The colors of the pages and mails of a store with a primary color.', { light: Look, dark: Look }),
)
export type OperatorBrandingPreview = Static<typeof OperatorBrandingPreview>

export const decorationRows = {
  previewStoreBranding: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores/{storeSlug}/branding/preview',
    tag,
    summary: 'Preview a color of a store.',
    description:
      'The colors of its checkout, account and order pages and mails. A color that is illegible as text is made darker in light and lighter in dark mode, until its contrast is 4.6:1.',
    auth,
    unaudited: true,
    params,
    body: closed('The color.', { primaryColor: Color }),
    data: OperatorBrandingPreview,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  saveStoreBranding: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/stores/{storeSlug}/branding',
    tag,
    summary: 'Set the color of a store.',
    description:
      'Publishes the design with this color at once; the draft gets it as well. A store without a design gets a home page with its name.',
    auth,
    params,
    body: closed('The color.', {
      primaryColor: Color,
      expectedVersion: Type.Optional(
        integer(0, 2_147_483_647, 'The published version the caller has seen; 0 if there is none.', 3),
      ),
    }),
    data: closed('The published version.', { version: Version }),
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  getStoreDecorationDraft: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/decoration',
    tag,
    summary: 'Get the design of a store and its draft.',
    description: 'The draft and all published versions.',
    auth,
    params,
    data: OperatorDecoration,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  previewStoreDecoration: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/decoration/preview',
    tag,
    summary: 'Preview the draft.',
    description: 'In one language, as it would be published.',
    auth,
    params,
    query: closed('The language.', { locale: LocaleTag }),
    data: Decoration,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  saveStoreDecorationDraft: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/stores/{storeSlug}/decoration/draft',
    tag,
    summary: 'Save a draft.',
    description: 'Only operators see it until it is published.',
    auth,
    params,
    body: closed('The whole draft.', { ...content, expectedVersion: ExpectedDraft }),
    data: draftSaved,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  publishStoreDecoration: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores/{storeSlug}/decoration/publish',
    tag,
    summary: 'Publish the draft.',
    description: 'Creates a new version. Identical content is not published again.',
    auth,
    params,
    body: closed('The expected version of the draft.', { expectedVersion: ExpectedDraft }),
    data: closed('The result.', {
      version: Version,
      result: oneOf(['published', 'unchanged'], 'Whether anything was published.'),
    }),
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  takeUpStoreDecoration: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores/{storeSlug}/decoration/take-up',
    tag,
    summary: 'Make an older version the draft again.',
    description: 'It can be edited and published again.',
    auth,
    params,
    body: closed('The version.', { version: Version, expectedVersion: ExpectedDraft }),
    data: draftSaved,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
