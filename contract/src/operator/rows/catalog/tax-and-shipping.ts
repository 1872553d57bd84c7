import { type Static, Type } from 'typebox'
import {
  CountryCode,
  CurrencyCode,
  Environment,
  id,
  none,
  SAFE_INTEGER_MAX,
  Slug,
  Timestamp,
} from '../../../schemas/common.ts'
import { closed, formed, integer, listOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { localized } from './stores.ts'

const auth = { kind: 'operator', area: 'settings' } as const
const RATES_MAX = 2000
const ZONES_MAX = 200
const METHODS_MAX = 20
const PLACES_MAX = 500
const STEPS_MAX = 200
const DAYS_MAX = 365

const Region = text(64, 'A region as in addresses; absent: the whole country.', 'CA')
const Day = formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'A day, included.', '2026-03-31')
const TaxCategory = formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'The tax category.', 'standard')
const amount = (description: string, example: number) => integer(0, SAFE_INTEGER_MAX, description, example)

const TableVersion = integer(
  0,
  SAFE_INTEGER_MAX,
  'Increases with each change of the rules of the store, including promotions.',
  3,
)
const params = closed('The store.', { storeSlug: Slug })

const PostalCode = formed('^[A-Za-z0-9 -]{1,20}$', 20, 'The beginning of a postal code.', '35')

export const OperatorTaxRate = operatorNamed(
  'OperatorTaxRate',
  closed('A tax rate of a place and a tax category.', {
    country: CountryCode,
    region: Type.Optional(Region),
    postalCodes: Type.Optional(
      closed('Only these postal codes, both ends included. It replaces the rate with the same code there.', {
        from: PostalCode,
        to: PostalCode,
      }),
    ),
    category: TaxCategory,
    code: formed('^[a-z][a-z0-9_]{0,62}$', 63, 'Distinguishes several rates of one place, such as gst and pst.', 'vat'),
    name: localized(120, 'The name shown to shoppers.', 'VAT'),
    rate: formed('^[0-9](\\.[0-9]{1,8})?$', 10, '`0.19` is 19 %. `0` means untaxed.', '0.19'),
  }),
)
export type OperatorTaxRate = Static<typeof OperatorTaxRate>

export const OperatorTaxScheme = operatorNamed(
  'OperatorTaxScheme',
  closed('The country of establishment of a store and its tax scheme.', {
    country: CountryCode,
    kind: oneOf(
      ['destination', 'origin', 'exempt'],
      '`destination`: rates of the destination, as with the One Stop Shop. `origin`: consumers of other EU member states pay the rates of the country of the store, below the EU-wide threshold. `exempt`: a small business that charges no tax.',
    ),
  }),
)
export type OperatorTaxScheme = Static<typeof OperatorTaxScheme>

const Place = closed('A place of a zone. The most specific wins: region, then country, then the rest of the world.', {
  country: formed('^([A-Z]{2}|\\*)$', 2, 'A country of ISO 3166-1 alpha-2; `*`: the rest of the world.', 'DE'),
  region: Type.Optional(Region),
})
const Step = closed('A price step.', {
  currency: CurrencyCode,
  from: amount('Lower limit, inclusive.', 0),
  upTo: orNull(integer(1, SAFE_INTEGER_MAX, 'Upper limit, exclusive.', 5000), '`null`: unlimited.'),
  amount: amount('The price in minor units.', 490),
})
const RuleId = id('shp', 'The id. Absent for a new entry.')
const Method = closed('A shipping method. A cart keeps its selection as long as the id stays the same.', {
  id: Type.Optional(RuleId),
  name: localized(120, 'The name shown to shoppers.', 'Parcel'),
  basis: oneOf(['subtotal', 'weight'], 'The basis of its steps: the subtotal in minor units, or the weight in grams.'),
  minDays: integer(0, DAYS_MAX, 'The shortest delivery time, in days.', 1),
  maxDays: integer(0, DAYS_MAX, 'The longest delivery time, in days.', 3),
  taxCategory: TaxCategory,
  rates: listOf(
    Step,
    STEPS_MAX,
    'Its price steps. Steps of one currency do not overlap; outside of them the method is not offered.',
  ),
})

export const OperatorShippingZone = operatorNamed(
  'OperatorShippingZone',
  closed('Places with the same shipping methods.', {
    id: Type.Optional(RuleId),
    name: text(120, 'For internal use.', 'Germany'),
    places: listOf(Place, PLACES_MAX, 'Its places.'),
    methods: listOf(Method, METHODS_MAX, 'The shipping methods.'),
  }),
)
export type OperatorShippingZone = Static<typeof OperatorShippingZone>

const TaxSource = formed(
  '^[a-z][a-z0-9_]{0,30}$',
  31,
  'The source of taxes: `tables` (the rates below) or a tax provider.',
  'tables',
)
const TaxTable = closed('The tax table of a store.', {
  storeSlug: Slug,
  version: TableVersion,
  scheme: orNull(OperatorTaxScheme, '`null`: rates of the destination, and no reverse charge.'),
  rates: listOf(OperatorTaxRate, RATES_MAX, 'All rates that match a place and a category apply together.'),
  source: TaxSource,
  sources: listOf(TaxSource, 20, 'The available sources: `tables` and the configured tax providers.'),
  lastFailure: orNull(
    closed('The last failure of the tax provider. The rates below were used instead.', {
      reason: text(
        500,
        'The error of the provider, or why it did not answer.',
        'The operation was aborted due to timeout',
      ),
      failedAt: Timestamp,
    }),
    '`null`: it has not failed.',
  ),
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
    summary: 'Get the tax rates of a store.',
    description:
      'If a place has no rate for a category, the tax of a cart is not calculated and its checkout is blocked.',
    data: TaxTable,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  saveTaxRates: operatorOperation({
    ...tax,
    method: 'PUT',
    summary: 'Save the tax rates of a store.',
    description:
      'Replaces the whole table, and scheme and source if they are in the request. Carts use it at once; issued quotes stay valid.',
    body: closed('The whole table.', {
      rates: listOf(OperatorTaxRate, RATES_MAX, 'The rates.'),
      scheme: Type.Optional(OperatorTaxScheme),
      source: Type.Optional(TaxSource),
      expectedVersion,
    }),
    data: TaxTable,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  exportTaxReport: operatorOperation({
    ...tax,
    method: 'GET',
    path: '/operator/v1/stores/{storeSlug}/tax-report',
    summary: 'Export the taxes of a period.',
    description:
      'A CSV file with a line for each country, currency, tax, rate, tax category, exemption and source (`tables`, `provider`, or `fallback`: the tables because the provider failed): the taxes of the invoices and credit notes of these days. A sale without an invoice counts on the day it was paid, a refund of it on the day it was decided. Days are in the time zone of the seller.',
    download: 'text/csv',
    query: closed('The environment and the period.', {
      environment: Type.Optional(Environment),
      from: Day,
      to: Day,
    }),
    data: text(2000, 'A line.', 'DE,EUR,VAT,0.19,standard,,100.00,19.00,0.00,0.00,100.00,19.00,tables'),
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  getShippingZones: operatorOperation({
    ...shipping,
    method: 'GET',
    summary: 'Get the shipping zones of a store.',
    description: 'A store does not ship to places without a zone.',
    data: ShippingTable,
    refusals: ['not_found'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
  saveShippingZones: operatorOperation({
    ...shipping,
    method: 'PUT',
    summary: 'Save the shipping zones of a store.',
    description: 'Replaces the whole table. Carts use it at once; issued quotes stay valid.',
    body: closed('The whole table.', {
      zones: listOf(OperatorShippingZone, ZONES_MAX, 'The zones.'),
      expectedVersion,
    }),
    data: ShippingTable,
    refusals: ['not_found', 'version_conflict'],
    store: { slug: 'params', field: 'storeSlug' },
  }),
}
