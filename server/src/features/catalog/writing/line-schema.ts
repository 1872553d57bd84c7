import { type Static, Type } from 'typebox'

/**
 * The standard line form: one JSON object per line. A file can mix `store`, `category` and `product` lines; a line without
 * `type` is a product. Texts are by locale (BCP 47), money is in minor units.
 *
 * @see docs/reference/catalog-lines.md
 */

const closed = { additionalProperties: false } as const
const LOCALE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'
const SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$'
const OPTION_NAME = '^[a-z0-9]+([_-][a-z0-9]+)*$'
const URL = '^(https?://|/)'

const Slug = Type.String({ pattern: SLUG, maxLength: 120, description: 'Lowercase words joined by hyphens.' })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })
const Locale = Type.String({ pattern: LOCALE, description: 'BCP 47.' })
const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339.' })
const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units.' })

/** A text in each locale that has one. */
const localized = (maxLength: number, description: string) =>
  Type.Record(Type.String({ pattern: LOCALE }), Type.String({ minLength: 1, maxLength }), {
    minProperties: 1,
    description,
  })

const RichText = Type.Object(
  { format: Type.Enum(['plain', 'markdown']), text: Type.String({ minLength: 1, maxLength: 50_000 }) },
  closed,
)
const localizedRichText = Type.Record(Type.String({ pattern: LOCALE }), RichText, { minProperties: 1 })

const Image = Type.Object(
  {
    url: Type.String({ pattern: URL, maxLength: 2048, description: 'Absolute, or a path on the public URL.' }),
    alt: Type.Optional(localized(500, 'The alternative text.')),
    width: Type.Integer({ minimum: 1, maximum: 20_000, description: 'Pixels.' }),
    height: Type.Integer({ minimum: 1, maximum: 20_000, description: 'Pixels.' }),
  },
  closed,
)

const AttributeValue = Type.Union([
  Type.String({ maxLength: 10_000 }),
  Type.Number({ minimum: -Number.MAX_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  Type.Boolean(),
])

export const StoreLine = Type.Object(
  {
    type: Type.Literal('store'),
    slug: Slug,
    names: localized(200, 'The name.'),
    descriptions: Type.Optional(localized(5000, 'What the store sells, in one paragraph.')),
    status: Type.Optional(Type.Enum(['active', 'suspended'])),
    accessMode: Type.Optional(Type.Enum(['open', 'password', 'challenge'])),
    currencies: Type.Array(Currency, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The first is the default.',
    }),
    locales: Type.Array(Locale, {
      minItems: 1,
      maxItems: 50,
      uniqueItems: true,
      description: 'The first is the default.',
    }),
    countries: Type.Array(Country, {
      minItems: 1,
      maxItems: 250,
      uniqueItems: true,
      description: 'The first is the default.',
    }),
    pricesIncludeTax: Type.Boolean({ description: 'Whether prices include tax.' }),
    logo: Type.Optional(Image),
    contact: Type.Optional(
      Type.Object(
        {
          email: Type.Optional(Type.String({ format: 'email', maxLength: 254 })),
          phone: Type.Optional(Type.String({ pattern: '^\\+[1-9][0-9]{4,14}$', description: 'E.164.' })),
          url: Type.Optional(Type.String({ pattern: '^https?://', maxLength: 2048 })),
        },
        closed,
      ),
    ),
    policies: Type.Optional(
      Type.Array(
        Type.Object(
          {
            type: Type.Enum(['returns', 'shipping', 'warranty', 'privacy', 'terms', 'imprint']),
            titles: localized(200, 'The heading.'),
            texts: Type.Optional(localized(20_000, 'The text.')),
            url: Type.Optional(Type.String({ pattern: URL, maxLength: 2048 })),
          },
          closed,
        ),
        { maxItems: 20 },
      ),
    ),
  },
  { ...closed, description: 'A store. A later line with the same slug updates it.' },
)

export const CategoryLine = Type.Object(
  {
    type: Type.Literal('category'),
    path: Type.Array(Slug, { minItems: 1, maxItems: 6, description: 'Slugs from the root down to this category.' }),
    owner: Type.Optional(
      Type.Enum(['marketplace', 'store'], { description: 'Shared by all stores (the default), or owned by one.' }),
    ),
    store: Type.Optional(Slug),
    names: localized(200, 'The name.'),
    descriptions: Type.Optional(localized(2000, 'The products of the category.')),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Order among its siblings.' })),
    image: Type.Optional(Image),
    status: Type.Optional(
      Type.Enum(['active', 'archived'], {
        description: 'Archived: shown nowhere, with everything below it. Absent: unchanged.',
      }),
    ),
  },
  {
    ...closed,
    description: 'A category. Ancestors without an earlier line are created with names from their slugs.',
  },
)

const OptionLine = Type.Object(
  {
    name: Type.String({ pattern: OPTION_NAME, maxLength: 40, description: 'As in the filter `option.<name>`.' }),
    labels: Type.Optional(localized(80, 'The label shown to shoppers.')),
    values: Type.Array(
      Type.Object(
        {
          value: Type.String({ minLength: 1, maxLength: 80 }),
          labels: Type.Optional(localized(80, 'The label shown to shoppers.')),
        },
        closed,
      ),
      { minItems: 1, maxItems: 200 },
    ),
  },
  closed,
)

const PriceLine = Type.Object({ currency: Currency, amount: Minor, compareAt: Type.Optional(Minor) }, closed)

const SkuLine = Type.Object(
  {
    code: Type.String({
      minLength: 1,
      maxLength: 250,
      description: 'The manufacturer’s or store’s number. May repeat.',
    }),
    barcode: Type.Optional(
      Type.String({ pattern: '^[!-~]{1,64}$', description: 'GTIN, UPC, EAN or ISBN, as a scanner reads it.' }),
    ),
    options: Type.Optional(
      Type.Record(Type.String({ pattern: OPTION_NAME }), Type.String({ minLength: 1, maxLength: 80 }), {
        description: 'A value for each option of the product. Distinguishes its SKUs.',
      }),
    ),
    prices: Type.Array(PriceLine, { minItems: 1, maxItems: 50 }),
    stock: Type.Optional(
      Type.Union([Type.Integer({ minimum: 0, maximum: 2_000_000_000 }), Type.Null()], {
        description: 'Units on hand. `null` or absent: not counted, always in stock.',
      }),
    ),
    whenOutOfStock: Type.Optional(
      Type.Enum(['deny', 'backorder', 'preorder'], {
        description: 'Whether it can be sold when out of stock. Default `deny`.',
      }),
    ),
    weightGrams: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
    requiresShipping: Type.Optional(
      Type.Boolean({
        description:
          '`false`: nothing is shipped, as with gift cards and downloads. Absent: unchanged, `true` for a new SKU.',
      }),
    ),
    taxCategory: Type.Optional(
      Type.String({ pattern: '^[a-z0-9]+(_[a-z0-9]+)*$', maxLength: 40, description: 'Default `standard`.' }),
    ),
    minQuantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    maxQuantity: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    step: Type.Optional(Type.Integer({ minimum: 1, maximum: 999 })),
    image: Type.Optional(Image),
  },
  closed,
)

export const ProductLine = Type.Object(
  {
    type: Type.Optional(Type.Literal('product')),
    id: Type.String({
      minLength: 1,
      maxLength: 120,
      description: 'Your id, unique within the store. A later line with the same id updates the product.',
    }),
    slug: Type.Optional(
      Type.String({ pattern: SLUG, maxLength: 240, description: 'Default: derived from the first name.' }),
    ),
    store: Type.Optional(Slug),
    status: Type.Optional(
      Type.Enum(['published', 'draft', 'archived'], {
        description: 'Absent: unchanged. A new product is published.',
      }),
    ),
    names: localized(500, 'The name.'),
    subtitles: Type.Optional(localized(300, 'Shown below the name.')),
    descriptions: Type.Optional(localizedRichText),
    brand: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    categories: Type.Optional(
      Type.Array(Type.Array(Slug, { minItems: 1, maxItems: 6 }), { maxItems: 20, description: 'Paths of slugs.' }),
    ),
    options: Type.Optional(Type.Array(OptionLine, { maxItems: 5 })),
    skus: Type.Array(SkuLine, { minItems: 1, maxItems: 250 }),
    images: Type.Optional(Type.Array(Image, { maxItems: 50 })),
    attributes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            key: Type.String({ minLength: 1, maxLength: 120 }),
            labels: Type.Optional(localized(200, 'The label shown to shoppers.')),
            value: Type.Union([AttributeValue, localized(10_000, 'The value in each locale.')]),
          },
          closed,
        ),
        { maxItems: 1000 },
      ),
    ),
    rating: Type.Optional(
      Type.Object(
        {
          average: Type.Number({ minimum: 0, maximum: 5 }),
          count: Type.Integer({ minimum: 0, maximum: 2_000_000_000 }),
        },
        closed,
      ),
    ),
    seo: Type.Optional(
      Type.Object(
        {
          titles: Type.Optional(localized(200, 'The page’s title.')),
          descriptions: Type.Optional(localized(500, 'The page’s description.')),
        },
        closed,
      ),
    ),
    publishedAt: Type.Optional(Timestamp),
  },
  { ...closed, description: 'A product with its SKUs, prices and stock.' },
)

export const CatalogLine = Type.Union([StoreLine, CategoryLine, ProductLine])

export type StoreLine = Static<typeof StoreLine>
export type CategoryLine = Static<typeof CategoryLine>
export type ProductLine = Static<typeof ProductLine>
export type CatalogLine = Static<typeof CatalogLine>
