import { type Static, Type } from 'typebox'
import { CountryCode, CurrencyCode, Image, LocaleTag, Timestamp } from '../../../schemas/common.ts'
import { closed, integer, leftOut, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Site'
const auth = { kind: 'operator', area: 'settings' } as const
const SiteVersion = integer(0, 2_147_483_647, 'Increases by one with each change; 0 if nothing was saved.', 3)

const settings = {
  name: text(200, 'The name of the site.', 'Vitrine'),
  logo: Type.Optional(leftOut(Image)),
  locales: Type.Optional(listOf(LocaleTag, 50, 'The languages; absent: those of its open stores.', { minItems: 1 })),
  currencies: Type.Optional(
    listOf(CurrencyCode, 200, 'The currencies; absent: those of its open stores.', { minItems: 1 }),
  ),
  countries: Type.Optional(
    listOf(CountryCode, 250, 'The countries it sells to; absent: those of its open stores.', { minItems: 1 }),
  ),
}

export const OperatorSite = operatorNamed(
  'OperatorSite',
  closed('The site settings.', {
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
    description: 'The name, logo and markets of the site.',
    auth,
    data: OperatorSite,
    refusals: [],
    store: 'no_store',
  }),
  saveSite: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/site',
    tag,
    summary: 'Save site settings.',
    description: 'Absent lists are taken from the open stores. The first entry of each list is the default.',
    auth,
    body: closed('The complete record.', { ...settings, expectedVersion: Type.Optional(SiteVersion) }),
    data: OperatorSite,
    refusals: ['version_conflict'],
  }),
}
