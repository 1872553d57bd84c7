import { type Static, Type } from 'typebox'
import { CountryCode, CurrencyCode, Image, LocaleTag, none, Timestamp } from '../../../schemas/common.ts'
import { closed, integer, leftOut, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Site'
const auth = { kind: 'operator' } as const
const SiteVersion = integer(0, 2_147_483_647, 'Grows by one with each change; 0 before anything was said.', 3)

const settings = {
  name: text(200, 'The name of the site.', 'Vitrine'),
  logo: Type.Optional(leftOut(Image)),
  locales: Type.Optional(
    listOf(LocaleTag, 50, 'What is offered; absent: what its open stores offer.', { minItems: 1 }),
  ),
  currencies: Type.Optional(
    listOf(CurrencyCode, 200, 'What is offered; absent: what its open stores offer.', { minItems: 1 }),
  ),
  countries: Type.Optional(
    listOf(CountryCode, 250, 'Who is sold to; absent: whom its open stores sell to.', { minItems: 1 }),
  ),
}

export const OperatorSite = operatorNamed(
  'OperatorSite',
  closed('What the site is.', {
    ...settings,
    version: SiteVersion,
    updatedAt: Type.Optional(Timestamp),
  }),
)
export type OperatorSite = Static<typeof OperatorSite>

export const siteRows = {
  getSite: operatorOperation({
    method: 'GET',
    path: '/operator/v1/site',
    tag,
    summary: 'Get site settings.',
    description: 'Its name, its logo and its markets.',
    auth,
    params: none,
    query: none,
    body: null,
    data: OperatorSite,
    meta: null,
    refusals: [],
  }),
  saveSite: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/site',
    tag,
    summary: 'Save site settings.',
    description: 'What is left out is what the open stores offer. The first of each list is the default.',
    auth,
    params: none,
    query: none,
    body: closed('The whole of it.', { ...settings, expectedVersion: Type.Optional(SiteVersion) }),
    data: OperatorSite,
    meta: null,
    refusals: ['version_conflict'],
  }),
}
