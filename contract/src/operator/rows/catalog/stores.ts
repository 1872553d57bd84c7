import { type Static, Type } from 'typebox'
import {
  CountryCode,
  CurrencyCode,
  Email,
  HttpUrl,
  id,
  Link,
  LocaleTag,
  Phone,
  Slug,
  Timestamp,
  Version,
} from '../../../schemas/common.ts'
import { closed, flag, integer, listOf, mapOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'

const tag = 'Stores'
const auth = { kind: 'operator', area: 'stores' } as const
const LOCALE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'

/** A text in each locale that has one. */
export const localized = (maxLength: number, description: string, example: string) =>
  mapOf(LOCALE, text(maxLength, 'The text.', example), 50, description, {
    examples: [{ en: example }],
    minProperties: 1,
  })

export const OperatorImage = closed('A picture.', {
  url: Link,
  alt: Type.Optional(localized(500, 'What the picture shows.', 'A linen shirt')),
  width: integer(1, 20_000, 'Pixels.', 800),
  height: integer(1, 20_000, 'Pixels.', 1000),
})

const Policy = closed('A policy of the store.', {
  type: oneOf(['returns', 'shipping', 'warranty', 'privacy', 'terms', 'imprint'], 'The kind.'),
  titles: localized(200, 'The heading.', 'Returns'),
  texts: Type.Optional(localized(20_000, 'The text.', 'Within 30 days.')),
  url: Type.Optional(Link),
})

const Descriptions = localized(5000, 'A paragraph about the store.', 'Washed linen.')

const profile = {
  names: localized(200, 'The name of the store.', 'Linen & Loom'),
  descriptions: Type.Optional(Descriptions),
  currencies: listOf(CurrencyCode, 50, 'The currencies. The first is the default.', { minItems: 1, uniqueItems: true }),
  locales: listOf(LocaleTag, 50, 'The languages. The first is the default.', { minItems: 1, uniqueItems: true }),
  countries: listOf(CountryCode, 250, 'The countries it sells to. The first is the default.', {
    minItems: 1,
    uniqueItems: true,
  }),
  pricesIncludeTax: flag('Whether its prices include tax.'),
  contact: Type.Optional(
    closed('The contact of the store.', {
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      url: Type.Optional(HttpUrl),
    }),
  ),
  logo: Type.Optional(OperatorImage),
  policies: Type.Optional(listOf(Policy, 20, 'The policies, in the order shown.')),
}
const Status = oneOf(
  ['active', 'suspended'],
  'A suspended store and its products are shown nowhere and sold to no one. Its orders stay, and it can be resumed.',
)
const Mode = oneOf(['open', 'password', 'challenge'], 'The access mode.')
const Purposes = listOf(
  oneOf(['register', 'password_reset'], 'A purpose.'),
  2,
  'The additional purposes that require a grant.',
)

export const OperatorStore = operatorNamed(
  'OperatorStore',
  closed('A store in the view of the operator.', {
    id: id('store', 'The id of the store.'),
    slug: Slug,
    name: text(200, 'Its name in its first locale.', 'Linen & Loom'),
    ...profile,
    status: Status,
    accessMode: Mode,
    hasPassword: flag('Whether it has a password.', false),
    requireGrant: Purposes,
    productCount: integer(0, 2_147_483_647, 'Its products, published or not.', 240),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorStore = Static<typeof OperatorStore>

const StaffId = id('stf', 'The id of the member.')
export const OperatorStaff = operatorNamed(
  'OperatorStaff',
  closed('A staff member of a store, who can grant apps access to it.', {
    id: StaffId,
    email: Email,
    status: oneOf(['active', 'blocked'], 'Whether they can sign in.'),
    createdAt: Timestamp,
  }),
)
export type OperatorStaff = Static<typeof OperatorStaff>

const params = closed('The store.', { storeSlug: Slug })
const STAFF_MAX = 1000

export const storeRows = {
  listStores: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores',
    tag,
    summary: 'List stores, in order of their slugs.',
    description: 'Suspended or not.',
    auth,
    query: closed('Page.', { ...listQuery, status: Type.Optional(Status) }),
    data: pageOf(OperatorStore, 'Stores, in order of their slugs.'),
    refusals: ['invalid_cursor'],
    store: 'filter',
  }),
  createStore: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores',
    tag,
    summary: 'Create a store.',
    description: 'It is active and open. Its slug cannot be changed.',
    auth,
    body: closed('The new store.', { slug: Slug, ...profile }),
    data: OperatorStore,
    refusals: ['name_taken'],
  }),
  getStore: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}',
    tag,
    summary: 'Get a store.',
    description: 'With its markets and access settings.',
    auth,
    params,
    data: OperatorStore,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  updateStore: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/stores/{storeSlug}',
    tag,
    summary: 'Update a store.',
    description: 'Absent fields stay unchanged. A currency with prices cannot be removed.',
    auth,
    params,
    body: closed(
      'Fields to update.',
      {
        ...Type.Partial(closed('The store.', profile)).properties,
        descriptions: Type.Optional(orNull(Descriptions, 'The descriptions; `null`: none.')),
        logo: Type.Optional(orNull(OperatorImage, 'The logo; `null`: none.')),
        status: Type.Optional(Status),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorStore,
    refusals: ['not_found', 'version_conflict', 'in_use'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  setStoreAccess: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores/{storeSlug}/access',
    tag,
    summary: 'Set the access settings of a store.',
    description: 'All its grants end at once, on all nodes.',
    auth,
    ownTransactions: true,
    params,
    body: closed('The access settings.', {
      mode: Mode,
      password: Type.Optional(text(128, 'The password. Absent: unchanged.', 'linen in the morning')),
      requireGrant: Type.Optional(Purposes),
    }),
    data: OperatorStore,
    refusals: ['not_found', 'password_too_weak'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  listStaff: operatorOperation({
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/staff',
    tag,
    summary: 'List the staff of a store.',
    description: 'They sign in on the consent page and grant apps access to their store.',
    auth,
    params,
    data: closed('The staff, by email address.', { items: listOf(OperatorStaff, STAFF_MAX, 'The staff.') }),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  createStaff: operatorOperation({
    method: 'POST',
    path: '/operator/v1/stores/{storeSlug}/staff',
    tag,
    summary: 'Create a staff member.',
    description: 'A person who works for two stores needs a password for each: it decides for which they sign in.',
    auth,
    ownTransactions: true,
    params,
    body: closed('The new member.', {
      email: Email,
      password: text(128, 'The password.', 'a long sentence of theirs'),
    }),
    data: OperatorStaff,
    freshProof: 'always',
    refusals: ['not_found', 'password_too_weak', 'name_taken'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  setStaffPassword: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/stores/{storeSlug}/staff/{staffId}/password',
    tag,
    summary: 'Set a new password for a staff member.',
    description:
      'For one who has forgotten it. They are signed out at once. The access that they granted to apps stays.',
    auth,
    ownTransactions: true,
    params: closed('The member.', { storeSlug: Slug, staffId: StaffId }),
    body: closed('The new password.', { password: text(128, 'The password.', 'a long sentence of theirs') }),
    data: OperatorStaff,
    freshProof: 'always',
    refusals: ['not_found', 'password_too_weak'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  removeStaff: operatorOperation({
    method: 'DELETE',
    path: '/operator/v1/stores/{storeSlug}/staff/{staffId}',
    tag,
    summary: 'Remove a staff member.',
    description: 'They are signed out at once, and the access that they granted to apps ends.',
    auth,
    params: closed('The member.', { storeSlug: Slug, staffId: StaffId }),
    data: closed('The removed staff member.', { id: StaffId, email: Email }),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
