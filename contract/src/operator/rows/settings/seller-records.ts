import { type Static, Type } from 'typebox'
import { CountryCode, Email, Phone, Slug } from '../../../schemas/common.ts'
import { closed, formed, integer, leftOut, listOf, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const tag = 'Site'
const auth = { kind: 'operator', area: 'settings' } as const
const RecordVersion = integer(0, 2_147_483_647, 'Increases by one with each change; 0 if nothing was saved.', 3)
const StoreSlug = Type.Optional({ ...Slug, description: 'The store; absent: the marketplace.' })

const details = {
  legalName: text(200, 'The name of the company or person that sells.', 'Havelton Handel GmbH'),
  address: closed('The postal address, in the country of establishment.', {
    line1: text(200, 'The street address.', 'Lindenstraße 9'),
    line2: Type.Optional(leftOut(text(200, 'The second address line.', '2nd floor'))),
    postalCode: Type.Optional(text(20, 'The postal code.', '10969')),
    city: text(200, 'The city.', 'Berlin'),
    region: Type.Optional(leftOut(text(100, 'The state or province.', 'BE'))),
  }),
  country: CountryCode,
  vatIds: listOf(
    closed('A VAT registration.', {
      country: CountryCode,
      id: formed('^[A-Z]{2}[A-Z0-9+*]{2,18}$', 20, 'The VAT number with its prefix, without spaces.', 'DE136695976'),
    }),
    40,
    'The VAT registrations, at most one per country.',
  ),
  taxNumber: Type.Optional(text(50, 'The national tax number.', '37/123/45678')),
  registration: Type.Optional(text(200, 'The commercial register and its number.', 'Amtsgericht Berlin, HRB 12345 B')),
  representative: Type.Optional(text(200, 'The legal representative of the company.', 'Ada Example')),
  email: Email,
  phone: Type.Optional(Phone),
  timeZone: Type.Optional(
    formed(
      '^[A-Za-z][A-Za-z0-9_+/-]*$',
      64,
      'The IANA time zone of invoice dates and of the days in reports; absent: UTC.',
      'Europe/Berlin',
    ),
  ),
}

export const OperatorSellerRecord = operatorNamed(
  'OperatorSellerRecord',
  closed('The legal details of a seller.', {
    ...Type.Partial(closed('', details)).properties,
    version: RecordVersion,
  }),
)
export type OperatorSellerRecord = Static<typeof OperatorSellerRecord>

export const sellerRows = {
  getSellerRecord: operatorOperation({
    method: 'GET',
    path: '/operator/v1/seller-record',
    tag,
    summary: 'Get the legal details of a seller.',
    description: 'Of a store or the marketplace. Version 0: nothing was saved; a store then sells for the marketplace.',
    auth,
    query: closed('The seller.', { storeSlug: StoreSlug }),
    data: OperatorSellerRecord,
    refusals: ['not_found'],
    store: { slug: 'query', field: 'storeSlug' },
  }),
  saveSellerRecord: operatorOperation({
    method: 'PUT',
    path: '/operator/v1/seller-record',
    tag,
    summary: 'Save the legal details of a seller.',
    description: 'Applies to invoices issued from now on. Earlier ones stay as they are.',
    auth,
    body: closed('The complete record.', {
      storeSlug: StoreSlug,
      ...details,
      expectedVersion: Type.Optional(RecordVersion),
    }),
    data: OperatorSellerRecord,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'body', field: 'storeSlug' },
  }),
}
