import { type Static, Type } from 'typebox'
import { CountryCode, CurrencyCode, id, none, SAFE_INTEGER_MAX, Slug } from '../../../schemas/common.ts'
import { closed, formed, integer, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { localized } from './stores.ts'

const auth = { kind: 'operator' } as const
const RATES_MAX = 2000
const ZONES_MAX = 200
const METHODS_MAX = 20
const PLACES_MAX = 500
const STEPS_MAX = 200
const DAYS_MAX = 365

const Region = text(64, 'A part of the country, as addresses have it; absent: everywhere in it.', 'CA')
const TaxCategory = formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'What tax rates are chosen by.', 'standard')
const amount = (description: string, example: number) => integer(0, SAFE_INTEGER_MAX, description, example)

const TableVersion = integer(
  0,
  SAFE_INTEGER_MAX,
  'Grows with each change of the rules of the store, promotions too.',
  3,
)
const params = closed('The store.', { storeSlug: Slug })

export const OperatorTaxRate = operatorNamed(
  'OperatorTaxRate',
  closed('What is owed in a place, of goods of a category.', {
    country: CountryCode,
    region: Type.Optional(Region),
    category: TaxCategory,
    code: formed('^[a-z][a-z0-9_]{0,62}$', 63, 'Tells several rates of one place apart, such as gst and pst.', 'vat'),
    name: localized(120, 'What buyers read.', 'VAT'),
    rate: formed('^[0-9](\\.[0-9]{1,8})?$', 10, '`0.19` is 19 %. `0` says that it is known and untaxed.', '0.19'),
  }),
)
export type OperatorTaxRate = Static<typeof OperatorTaxRate>

const Place = closed('Where a zone holds. The closest wins: region, then country, then the rest of the world.', {
  country: formed('^([A-Z]{2}|\\*)$', 2, 'A country of ISO 3166-1 alpha-2; `*`: the rest of the world.', 'DE'),
  region: Type.Optional(Region),
})
const Step = closed('What it costs from here on.', {
  currency: CurrencyCode,
  from: amount('From here on, this included.', 0),
  upTo: orNull(integer(1, SAFE_INTEGER_MAX, 'Up to here, this not included.', 5000), '`null`: without end.'),
  amount: amount('What it costs, in minor units.', 490),
})
const RuleId = id('shp', 'Its id. Absent: it is new.')
const Method = closed('One way to ship. A cart keeps what it has chosen as long as the id stays.', {
  id: Type.Optional(RuleId),
  name: localized(120, 'What buyers read.', 'Parcel'),
  basis: oneOf(['subtotal', 'weight'], 'What its steps go by: the goods in minor units, or their weight in grams.'),
  minDays: integer(0, DAYS_MAX, 'How soon it may arrive.', 1),
  maxDays: integer(0, DAYS_MAX, 'How late it may arrive.', 3),
  taxCategory: TaxCategory,
  rates: listOf(Step, STEPS_MAX, 'Its steps. No two of one currency overlap; where there is none, it is not offered.'),
})

export const OperatorShippingZone = operatorNamed(
  'OperatorShippingZone',
  closed('Places that are shipped to in the same ways.', {
    id: Type.Optional(RuleId),
    name: text(120, 'For yourselves.', 'Germany'),
    places: listOf(Place, PLACES_MAX, 'Where it holds.'),
    methods: listOf(Method, METHODS_MAX, 'How it is shipped there.'),
  }),
)
export type OperatorShippingZone = Static<typeof OperatorShippingZone>

const TaxTable = closed('The tax table of a store.', {
  storeSlug: Slug,
  version: TableVersion,
  rates: listOf(OperatorTaxRate, RATES_MAX, 'All that match a place and a category apply together.'),
})
const ShippingTable = closed('The shipping table of a store.', {
  storeSlug: Slug,
  version: TableVersion,
  zones: listOf(OperatorShippingZone, ZONES_MAX, 'A place belongs to one zone of a store.'),
})
const expectedVersion = Type.Optional(TableVersion)

const tax = {
  tag: 'Tax',
  path: '/operator/v1/stores/{storeSlug}/tax-rates',
  auth,
  params,
  query: none,
  meta: null,
} as const
const shipping = {
  tag: 'Shipping',
  path: '/operator/v1/stores/{storeSlug}/shipping-zones',
  auth,
  params,
  query: none,
  meta: null,
} as const

export const taxAndShippingRows = {
  getTaxRates: operatorOperation({
    ...tax,
    method: 'GET',
    summary: 'Read what tax a store owes.',
    description:
      'Where a place and a category have no rate, the tax of a cart is not calculated, and it cannot be bought.',
    body: null,
    data: TaxTable,
    refusals: ['not_found'],
  }),
  saveTaxRates: operatorOperation({
    ...tax,
    method: 'PUT',
    summary: 'Save what tax a store owes.',
    description: 'The whole table. Carts are priced by it at once; quotes hold what they have promised.',
    body: closed('The table, whole.', {
      rates: listOf(OperatorTaxRate, RATES_MAX, 'The rates.'),
      expectedVersion,
    }),
    data: TaxTable,
    refusals: ['not_found', 'version_conflict'],
  }),
  getShippingZones: operatorOperation({
    ...shipping,
    method: 'GET',
    summary: 'Read how a store ships, and what it costs.',
    description: 'Where no zone holds, a store does not ship.',
    body: null,
    data: ShippingTable,
    refusals: ['not_found'],
  }),
  saveShippingZones: operatorOperation({
    ...shipping,
    method: 'PUT',
    summary: 'Save how a store ships, and what it costs.',
    description: 'The whole table. Carts are priced by it at once; quotes hold what they have promised.',
    body: closed('The table, whole.', {
      zones: listOf(OperatorShippingZone, ZONES_MAX, 'The zones.'),
      expectedVersion,
    }),
    data: ShippingTable,
    refusals: ['not_found', 'version_conflict'],
  }),
}
