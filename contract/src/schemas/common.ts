import { type Static, Type } from 'typebox'
import {
  closed,
  fixedOneOf,
  formed,
  integer,
  leftOut,
  listOf,
  mapOf,
  maybeEmpty,
  named,
  oneOf,
  text,
} from './primitives.ts'

/** 128 bits in Crockford's base 32, as in every id. */
const SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}'
const EXAMPLE_SUFFIX = '01k5b7m2q8e9rtv3w4x5y6z7a8'

/** A TypeID of one kind. @see docs/reference/rules.md#conventions */
export function id(prefix: string, description: string) {
  return formed(`^${prefix}_${SUFFIX}$`, prefix.length + 27, description, `${prefix}_${EXAMPLE_SUFFIX}`)
}

export const SAFE_INTEGER_MAX = Number.MAX_SAFE_INTEGER

export const CurrencyCode = formed('^[A-Z]{3}$', 3, 'An ISO 4217 currency.', 'EUR')
export const CountryCode = formed('^[A-Z]{2}$', 2, 'An ISO 3166-1 alpha-2 country.', 'DE')
export const LocaleTag = formed('^[a-zA-Z]{2,3}(-[a-zA-Z0-9]{1,8}){0,5}$', 50, 'A BCP 47 locale.', 'en')
export const Slug = formed('^[a-z0-9]+(-[a-z0-9]+)*$', 240, 'Lowercase words joined by hyphens.', 'linen-shirt')
export const Email = Type.String({
  format: 'email',
  maxLength: 254,
  description: 'An email address.',
  examples: ['ada@example.com'],
})
export const Phone = formed('^\\+[1-9][0-9]{4,14}$', 16, 'A phone number in E.164.', '+493012345678')
export const Timestamp = Type.String({
  format: 'date-time',
  maxLength: 30,
  description: 'A UTC timestamp, RFC 3339.',
  examples: ['2026-03-14T09:26:53.589Z'],
})
export const Version = integer(1, 2_147_483_647, 'Increases with every change.', 3)
export const ExpectedVersion = integer(
  1,
  2_147_483_647,
  'The version the caller has seen. Another version is refused as `version_conflict`.',
  3,
)
export const Revision = formed('^[0-9]{1,20}$', 20, 'The catalog revision. Increases with every change.', '4711')
export const HttpUrl = Type.String({
  format: 'uri',
  pattern: '^https?://',
  maxLength: 2048,
  description: 'An absolute URL.',
  examples: ['https://shop.example/return'],
})
export const Link = formed(
  '^(https?://|/)',
  2048,
  'An absolute URL, or a path below the public address.',
  '/images/linen-shirt.svg',
)
export const NextPath = formed(
  '^/api/v1/',
  16_384,
  'A ready-made link to the next page. Follow it unchanged.',
  '/api/v1/open/catalog/products?cursor=eyJrIjoiMSJ9',
)
/** The most characters of a cursor. */
export const CURSOR_MAX = 2048
export const Cursor = formed('^[A-Za-z0-9_.-]+$', CURSOR_MAX, 'The position of the next page. Opaque.', 'eyJrIjoiMSJ9')
export const DecimalRate = formed('^[0-9]{1,3}(\\.[0-9]{1,8})?$', 12, 'A decimal rate: `0.19` is 19 %.', '0.19')
export const Word = formed('^[a-z][a-z0-9_]{0,63}$', 64, 'A machine-readable word.', 'low_stock')

export const Money = named(
  'Money',
  closed(
    'An integer amount in minor units of a currency.',
    {
      amount: integer(-SAFE_INTEGER_MAX, SAFE_INTEGER_MAX, 'Minor units: 1999 in EUR is 19.99 euros.', 1999),
      currency: CurrencyCode,
    },
    { examples: [{ amount: 1999, currency: 'EUR' }] },
  ),
)
export type Money = Static<typeof Money>

export const Image = named(
  'Image',
  closed('An image.', {
    url: Link,
    alt: maybeEmpty(500, 'The alternative text. Empty if none was given.', 'A linen shirt'),
    width: integer(1, 20_000, 'Pixels.', 800),
    height: integer(1, 20_000, 'Pixels.', 1000),
    sources: Type.Optional(
      listOf(
        closed('The image in one type.', {
          type: text(100, 'The media type.', 'image/avif'),
          srcset: text(2000, 'URLs with their widths, as in `srcset`.', 'https://shop.example/320.avif 320w'),
        }),
        5,
        'The same image in smaller types and several widths, the best type first, as in `<picture>`. Absent: `url` alone.',
      ),
    ),
  }),
)
export type Image = Static<typeof Image>

export const StoreReference = named(
  'StoreReference',
  closed('A store reference.', {
    id: id('store', 'The id of the store.'),
    slug: Slug,
    name: text(200, 'The name of the store.', 'Linen & Loom'),
  }),
)
export type StoreReference = Static<typeof StoreReference>

export const RichText = named(
  'RichText',
  closed('A text with its format.', {
    format: fixedOneOf(['plain', 'markdown'], 'The format of the text. Markdown never contains raw HTML.'),
    text: text(200_000, 'The text.', 'Washed linen, cut straight.'),
  }),
)
export type RichText = Static<typeof RichText>

export const Policy = named(
  'Policy',
  closed('A store policy for shoppers.', {
    type: oneOf(['returns', 'shipping', 'warranty', 'privacy', 'terms', 'imprint'], 'The subject of the policy.'),
    title: text(200, 'The heading.', 'Returns within 30 days'),
    text: Type.Optional(text(20_000, 'The text.', 'Send it back within 30 days, unworn.')),
    url: Type.Optional(Link),
  }),
)
export type Policy = Static<typeof Policy>

export const Contact = named(
  'Contact',
  closed('The contact of a shopper or a store.', { email: Type.Optional(Email), phone: Type.Optional(Phone) }),
)
export type Contact = Static<typeof Contact>

export const Metadata = mapOf(
  '^[a-zA-Z0-9_.-]{1,40}$',
  maybeEmpty(500, 'Anything.', 'A-1044'),
  20,
  'Caller-defined metadata, returned unchanged.',
  { examples: [{ basket: 'A-1044' }] },
)

export const Address = named(
  'Address',
  closed('A postal address. The country decides which fields are required.', {
    recipientName: text(200, 'The recipient.', 'Ada Example'),
    company: Type.Optional(text(200, 'The company.', 'Example GmbH')),
    line1: text(200, 'The street address.', 'Lindenstraße 9'),
    line2: Type.Optional(text(200, 'The second address line.', '2nd floor')),
    line3: Type.Optional(leftOut(text(200, 'The third address line.', 'Door on the left'))),
    dependentLocality: Type.Optional(leftOut(text(200, 'A district of the city.', 'Mitte'))),
    city: text(200, 'The city.', 'Berlin'),
    region: Type.Optional(
      text(100, 'The state or province: the part of its ISO 3166-2 code after the hyphen, or its name.', 'BE'),
    ),
    postalCode: Type.Optional(text(20, 'The postal code.', '10969')),
    countryCode: CountryCode,
    phone: Type.Optional(Phone),
    vatId: Type.Optional(
      leftOut(
        text(
          30,
          'The VAT number of a business: prefix, form and check digits of its country. Spaces and dots are removed.',
          'DE123456788',
        ),
      ),
    ),
  }),
)
export type Address = Static<typeof Address>

export const Environment = fixedOneOf(['test', 'live'], 'The environment. Test and live data are separate.')

/** No members: an operation without parameters or query. */
export const none = closed('Nothing.', {})

export const scopeList = listOf(
  oneOf(['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'], 'A scope.'),
  4,
  'What the credential may do.',
)
