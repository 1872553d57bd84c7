import { type Static, Type } from 'typebox'

/**
 * The project's own line form: one JSON object a line. A file may mix `store`, `category` and `product` lines; a line
 * without `type` is a product. Texts are kept per locale (BCP 47), money in minor units.
 *
 * @see docs/reference/catalog-lines.md
 */

const closed = { additionalProperties: false } as const
const LOCALE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'
const SLUG = '^[a-z0-9]+(-[a-z0-9]+)*$'
const OPTION_NAME = '^[a-z0-9]+([_-][a-z0-9]+)*$'
const URL = '^(https?://|/)'

const Slug = Type.String({ pattern: SLUG, maxLength: 120, description: 'Lower case words joined by hyphens.' })
const Currency = Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.' })
const Country = Type.String({ pattern: '^[A-Z]{2}$', description: 'ISO 3166-1 alpha-2.' })
const Locale = Type.String({ pattern: LOCALE, description: 'BCP 47.' })
const Timestamp = Type.String({ format: 'date-time', description: 'RFC 3339.' })
const Minor = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'Minor units.' })

/** A text in each locale that has one. */
const localised = (maxLength: number, description: string) =>
  Type.Record(Type.String({ pattern: LOCALE }), Type.String({ minLength: 1, maxLength }), {
    minProperties: 1,
    description,
  })

const RichText = Type.Object(
  { format: Type.Enum(['plain', 'markdown']), text: Type.String({ minLength: 1, maxLength: 50_000 }) },
  closed,
)
const localisedRichText = Type.Record(Type.String({ pattern: LOCALE }), RichText, { minProperties: 1 })

const Image = Type.Object(
  {
    url: Type.String({ pattern: URL, maxLength: 2048, description: 'Absolute, or a path below the public address.' }),
    alt: Type.Optional(localised(500, 'What the picture shows.')),
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
    names: localised(200, 'What the store is called.'),
    descriptions: Type.Optional(localised(5000, 'What the store sells, in a paragraph.')),
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
    pricesIncludeTax: Type.Boolean({ description: 'Whether its prices are gross (tax-inclusive).' }),
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
            titles: localised(200, 'Its heading.'),
            texts: Type.Optional(localised(20_000, 'Its text.')),
            url: Type.Optional(Type.String({ pattern: URL, maxLength: 2048 })),
          },
          closed,
        ),
        { maxItems: 20 },
      ),
    ),
  },
  { ...closed, description: 'A store. A second line with its slug changes it.' },
)

export const CategoryLine = Type.Object(
  {
    type: Type.Literal('category'),
    path: Type.Array(Slug, { minItems: 1, maxItems: 6, description: 'Slugs from the root down to this category.' }),
    owner: Type.Optional(
      Type.Enum(['marketplace', 'store'], { description: 'Who has it: every store (the default) or one alone.' }),
    ),
    store: Type.Optional(Slug),
    names: localised(200, 'What the category is called.'),
    descriptions: Type.Optional(localised(2000, 'What stands in it.')),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, description: 'Order among its siblings.' })),
    image: Type.Optional(Image),
  },
  {
    ...closed,
    description: 'A category. Its ancestors stand on earlier lines, or are made with names from their slugs.',
  },
)

const OptionLine = Type.Object(
  {
    name: Type.String({ pattern: OPTION_NAME, maxLength: 40, description: 'As in the filter `option.<name>`.' }),
    labels: Type.Optional(localised(80, 'What a shopper reads.')),
    values: Type.Array(
      Type.Object(
        {
          value: Type.String({ minLength: 1, maxLength: 80 }),
          labels: Type.Optional(localised(80, 'What a shopper reads.')),
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
    code: Type.String({ minLength: 1, maxLength: 250, description: 'The maker’s or the shop’s number. May repeat.' }),
    options: Type.Optional(
      Type.Record(Type.String({ pattern: OPTION_NAME }), Type.String({ minLength: 1, maxLength: 80 }), {
        description: 'A value for each option of the product. Tells the SKUs of a product apart.',
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
        description: 'What selling beyond the stock is. Default `deny`.',
      }),
    ),
    weightGrams: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000_000 })),
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
      description: 'Yours; unique within the store. A second line changes it.',
    }),
    slug: Type.Optional(
      Type.String({ pattern: SLUG, maxLength: 240, description: 'Default: made from the first name.' }),
    ),
    store: Type.Optional(Slug),
    status: Type.Optional(Type.Enum(['published', 'draft', 'archived'])),
    names: localised(500, 'What the product is called.'),
    subtitles: Type.Optional(localised(300, 'A line below the name.')),
    descriptions: Type.Optional(localisedRichText),
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
            labels: Type.Optional(localised(200, 'What a shopper reads.')),
            value: Type.Union([AttributeValue, localised(10_000, 'The value in each locale.')]),
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
          titles: Type.Optional(localised(200, 'The page’s title.')),
          descriptions: Type.Optional(localised(500, 'The page’s description.')),
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
