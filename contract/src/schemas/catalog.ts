import { type Static, type TProperties, Type } from 'typebox'
import {
  CountryCode,
  CurrencyCode,
  Cursor,
  Email,
  HttpUrl,
  Image,
  id,
  LocaleTag,
  Money,
  NextPath,
  Phone,
  Policy,
  Revision,
  RichText,
  SAFE_INTEGER_MAX,
  Slug,
  StoreReference,
  Timestamp,
} from './common.ts'
import { closed, flag, formed, integer, listOf, mapOf, maybeEmpty, named, oneOf, orNull, text } from './primitives.ts'

export const PRODUCT_SORTS = ['relevance', 'newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const
export const AVAILABILITIES = ['in_stock', 'low_stock', 'out_of_stock', 'preorder', 'backorder'] as const
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_PUBLIC = 24
export const PAGE_LIMIT_INSTALLATION = 50
/** `option.<name>`: values of one option are alternatives, options narrow each other. */
export const OPTION_PARAMETER = '^option\\.[a-z0-9_-]{1,40}$'

const Availability = oneOf(AVAILABILITIES, 'Whether it can be bought now.')
const OptionId = formed('^[a-z0-9]+([_-][a-z0-9]+)*$', 40, 'The option, as in the filter `option.<name>`.', 'colour')

export const Category = named(
  'Category',
  closed('A category. `parentId` makes the tree.', {
    id: id('cat', 'The id of the category.'),
    slug: Slug,
    name: text(200, 'What the category is called.', 'Shirts'),
    description: Type.Optional(text(2000, 'What stands in it.', 'Shirts for every day.')),
    parentId: Type.Optional(id('cat', 'The category above.')),
    path: listOf(Slug, 6, 'Slugs from the root down to this category.', { examples: [['clothing', 'shirts']] }),
    position: integer(0, 1_000_000, 'Its place among its siblings.', 1),
    productCount: integer(0, 2_147_483_647, 'Products in it and below it.', 42),
    image: Type.Optional(Image),
    store: Type.Optional(StoreReference),
  }),
)
export type Category = Static<typeof Category>

export const PriceRange = named(
  'PriceRange',
  closed(
    'From the cheapest SKU to the dearest.',
    { min: Money, max: Money },
    { examples: [{ min: { amount: 1999, currency: 'EUR' }, max: { amount: 2499, currency: 'EUR' } }] },
  ),
)
export type PriceRange = Static<typeof PriceRange>

const summary = {
  id: id('prod', 'The id of the product.'),
  slug: Slug,
  name: text(500, 'What the product is called.', 'Linen shirt'),
  subtitle: Type.Optional(text(300, 'A line below the name.', 'Washed, straight cut')),
  brand: Type.Optional(text(200, 'Who makes it.', 'Loom')),
  store: StoreReference,
  categoryIds: listOf(id('cat', 'A category.'), 20, 'Its own categories, in its own order.'),
  thumbnail: Type.Optional(Image),
  priceRange: PriceRange,
  compareAtPriceRange: Type.Optional(PriceRange),
  taxIncluded: flag('Whether the prices include tax.'),
  availability: Availability,
  rating: Type.Optional(
    closed('What buyers think.', {
      average: Type.Number({ minimum: 0, maximum: 5, description: 'From 0 to 5.', examples: [4.4] }),
      count: integer(0, 2_147_483_647, 'How many have judged.', 31),
    }),
  ),
  updatedAt: Timestamp,
} satisfies TProperties

export const ProductSummary = named('ProductSummary', closed('A product as a list shows it.', summary))
export type ProductSummary = Static<typeof ProductSummary>

export const Sku = named(
  'Sku',
  closed('What is bought: one choice of the options of a product.', {
    id: id('sku', 'The id of the SKU.'),
    code: text(250, 'The number of the maker or the shop. May repeat.', 'LS-BLUE-M'),
    optionValues: mapOf(
      '^[a-z0-9]+([_-][a-z0-9]+)*$',
      text(80, 'The value of the option.', 'blue'),
      5,
      'A value for each option of the product.',
      { examples: [{ colour: 'blue' }] },
    ),
    price: Money,
    compareAtPrice: Type.Optional(Money),
    availability: Availability,
    availableQuantity: Type.Optional(
      integer(0, 999, 'Units in stock, told up to a cap. Absent where stock is not counted.', 12),
    ),
    minQuantity: integer(1, 999, 'The fewest units of one line.', 1),
    maxQuantity: integer(1, 999, 'The most units of one line.', 999),
    step: integer(1, 999, 'Units are sold in multiples of it.', 1),
    weightGrams: Type.Optional(integer(0, 100_000_000, 'Grams.', 240)),
    taxCategory: formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'What tax rates are chosen by.', 'standard'),
    image: Type.Optional(Image),
  }),
)
export type Sku = Static<typeof Sku>

export const Product = named(
  'Product',
  closed('A product with everything that a shopper chooses by.', {
    ...summary,
    locale: LocaleTag,
    description: Type.Optional(RichText),
    images: listOf(Image, 50, 'Its pictures, the first first.'),
    options: listOf(
      closed('What can be chosen.', {
        id: OptionId,
        name: text(80, 'What a shopper reads.', 'Colour'),
        values: listOf(
          closed('A choice.', {
            value: text(80, 'As in `optionValues` and the filter.', 'blue'),
            label: text(80, 'What a shopper reads.', 'Blue'),
          }),
          200,
          'The choices, in their order.',
        ),
      }),
      5,
      'What can be chosen.',
    ),
    skus: listOf(Sku, 250, 'Every SKU that has a price in the currency.'),
    attributes: listOf(
      closed('A fact about the product.', {
        key: text(120, 'The attribute, for machines.', 'material'),
        label: text(200, 'What a shopper reads.', 'Material'),
        value: Type.Union(
          [
            maybeEmpty(10_000, 'Words.', 'Linen'),
            Type.Number({ minimum: -SAFE_INTEGER_MAX, maximum: SAFE_INTEGER_MAX, examples: [100] }),
            Type.Boolean({ examples: [true] }),
          ],
          { description: 'Its value.', examples: ['Linen'] },
        ),
      }),
      500,
      'Facts about the product.',
    ),
    seo: closed('What a page about it should say of itself.', {
      title: Type.Optional(text(500, 'The title of the page.', 'Linen shirt in blue')),
      description: Type.Optional(text(500, 'What the page is about.', 'A washed linen shirt.')),
    }),
    policies: listOf(Policy, 20, 'Rules of the store that hold for it.'),
    catalogRevision: Revision,
  }),
)
export type Product = Static<typeof Product>

export const StoreProfile = named(
  'StoreProfile',
  closed('A store as it shows itself.', {
    id: id('store', 'The id of the store.'),
    slug: Slug,
    name: text(200, 'What the store is called.', 'Linen & Loom'),
    locale: LocaleTag,
    logo: Type.Optional(Image),
    description: Type.Optional(text(5000, 'What the store sells.', 'Clothes of washed linen.')),
    countries: listOf(CountryCode, 250, 'Where it sells.'),
    currencies: listOf(CurrencyCode, 50, 'In what it sells.'),
    locales: listOf(LocaleTag, 50, 'In which languages it speaks.'),
    defaults: closed('What holds where a caller does not choose.', {
      country: CountryCode,
      currency: CurrencyCode,
      locale: LocaleTag,
    }),
    taxIncluded: flag('Whether its prices include tax.'),
    contact: closed('How to reach it.', {
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      url: Type.Optional(HttpUrl),
    }),
    policies: listOf(Policy, 20, 'Its rules.'),
    access: closed('Whether anybody may look.', {
      mode: oneOf(
        ['open', 'password', 'challenge'],
        'Anything but `open` asks for an access token: getStoreAccessConfig.',
      ),
    }),
    version: integer(1, 2_147_483_647, 'Grows by one with each change.', 3),
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type StoreProfile = Static<typeof StoreProfile>

const Limit = integer(1, PAGE_LIMIT_MAX, 'How many on a page. Default 24.', 24)
const Minor = (description: string) => integer(0, SAFE_INTEGER_MAX, description, 1000)
const Range = (description: string) => text(500, description, 'shirts', { pattern: '^[a-z0-9_/-]+$' })

const language = {
  locale: Type.Optional(LocaleTag),
} satisfies TProperties
const market = {
  ...language,
  currency: Type.Optional(CurrencyCode),
  country: Type.Optional(CountryCode),
} satisfies TProperties

export const LanguageQuery = closed('Chooses the language.', language)
export const MarketQuery = closed('Chooses language, currency and country.', market)

const filters = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
  sort: Type.Optional(oneOf(PRODUCT_SORTS, 'The order. Default `relevance` with `q`, else `newest`.')),
  category: Type.Optional(
    listOf(
      Range('A category: its id, its slug, or its path of slugs joined by `/`.'),
      20,
      'Any of these categories, descendants included. Repeat it for several.',
    ),
  ),
  priceMin: Type.Optional(Minor('The lowest price, in minor units of the currency.')),
  priceMax: Type.Optional(Minor('The highest price, in minor units of the currency.')),
  availability: Type.Optional(
    oneOf(['in_stock', 'any'], 'Whether products that cannot be bought now are left out. Default `any`.'),
  ),
  facets: Type.Optional(
    listOf(
      formed(
        '^(none|category|store|price|availability|brand|option\\.[a-z0-9_-]{1,40})$',
        47,
        'The key of a facet, or `none`.',
        'price',
      ),
      20,
      'Which facets to count. Repeat it for several. Absent: all on a first page, none behind it; `none`: none.',
    ),
  ),
  ...market,
} satisfies TProperties

const q = text(200, 'What to look for.', 'linen shirt')
const store = text(120, 'A store: its id or its slug.', 'linen-and-loom', { pattern: '^[a-z0-9_-]+$' })
/** Options are named by the catalogue, so their filters are a pattern of names. */
const optionFilters = {
  patternProperties: {
    [OPTION_PARAMETER]: listOf(
      text(80, 'A value of the option.', 'blue'),
      50,
      'Any of these values. Repeat it for several.',
    ),
  },
}

export const StoreProductsQuery = closed('Filters, order and page.', { q: Type.Optional(q), ...filters }, optionFilters)
export const ProductsQuery = closed(
  'Filters, order and page.',
  { q: Type.Optional(q), store: Type.Optional(store), ...filters },
  optionFilters,
)
export const SearchQuery = closed(
  'What to look for, filters, order and page.',
  { q, store: Type.Optional(store), ...filters },
  optionFilters,
)
export type ProductsQuery = Static<typeof ProductsQuery>

/** The parameters that the pattern of the schema takes beside those it names. */
export type OptionFilters = { readonly [Name in `option.${string}`]?: readonly string[] }

export const CursorQuery = closed('The cursor of a ready-made link.', { cursor: Type.Optional(Cursor) })

export const Page = named(
  'Page',
  closed('Where in the list this page stands.', {
    limit: Limit,
    nextCursor: orNull(Cursor, 'Where the next page begins; `null` on the last.'),
    hasNextPage: flag('Whether there is another page.'),
    totalCount: integer(0, 2_147_483_647, 'How many there are on all pages.', 19_406),
    totalCountExact: flag('Whether the count is exact or an estimate.'),
  }),
)
export type Page = Static<typeof Page>

export const Facet = named(
  'Facet',
  closed('A way to narrow the list. Its counts leave out its own filter.', {
    key: text(47, 'The facet; the parameter that filters by it has the same name.', 'option.colour'),
    label: text(200, 'What a shopper reads.', 'Colour'),
    type: oneOf(['terms', 'range'], 'Single values, or ranges of prices.'),
    values: listOf(
      closed('One choice.', {
        value: text(500, 'What to send. A range is `from-to` in minor units; an open end is left empty.', 'blue'),
        label: text(500, 'What a shopper reads.', 'Blue'),
        count: integer(0, 2_147_483_647, 'How many products it would show.', 12),
        selected: flag('Whether it is chosen now.', false),
      }),
      200,
      'The choices.',
    ),
  }),
)
export type Facet = Static<typeof Facet>

export const AppliedFilters = named(
  'AppliedFilters',
  closed('The filters as they were understood.', {
    q: Type.Optional(q),
    category: Type.Optional(listOf(Range('A category.'), 20, 'Categories.')),
    store: Type.Optional(store),
    priceMin: Type.Optional(Minor('The lowest price.')),
    priceMax: Type.Optional(Minor('The highest price.')),
    availability: Type.Optional(oneOf(['in_stock', 'any'], 'Availability.')),
    country: Type.Optional(CountryCode),
    options: Type.Optional(
      mapOf('^[a-z0-9_-]{1,40}$', listOf(text(80, 'A value.', 'blue'), 50, 'Values.'), 20, 'Values by option.', {
        examples: [{ colour: ['blue'] }],
      }),
    ),
  }),
)
export type AppliedFilters = Static<typeof AppliedFilters>

const listMeta = {
  page: Page,
  next: orNull(NextPath, 'The next page, ready made; `null` on the last.'),
  sort: oneOf(PRODUCT_SORTS, 'The order.'),
  appliedFilters: AppliedFilters,
  facets: listOf(Facet, 60, 'Ways to narrow the list.'),
  catalogRevision: Revision,
  locale: LocaleTag,
  currency: CurrencyCode,
} satisfies TProperties

export const ProductListMeta = named('ProductListMeta', closed('What the list shows, and how to go on.', listMeta))
export type ProductListMeta = Static<typeof ProductListMeta>
export const SearchMeta = named(
  'SearchMeta',
  closed('What the search shows, and how to go on.', {
    ...listMeta,
    correctedQuery: orNull(q, 'What was looked for instead, where the query was misspelt; else `null`.'),
  }),
)
export type SearchMeta = Static<typeof SearchMeta>
export const ApiKeyProductListMeta = named(
  'ApiKeyProductListMeta',
  closed('What the list shows, and how to go on.', {
    page: Page,
    next: orNull(NextPath, 'The next page, ready made; `null` on the last.'),
    catalogRevision: Revision,
    locale: LocaleTag,
    currency: CurrencyCode,
  }),
)
export type ApiKeyProductListMeta = Static<typeof ApiKeyProductListMeta>
export const CategoryListMeta = named(
  'CategoryListMeta',
  closed('What the list shows.', { catalogRevision: Revision, locale: LocaleTag }),
)
export type CategoryListMeta = Static<typeof CategoryListMeta>
export const ApiKeyCategoryListMeta = named(
  'ApiKeyCategoryListMeta',
  closed('What the list shows, and how to go on.', {
    next: orNull(NextPath, 'The next page, ready made; `null` on the last.'),
    catalogRevision: Revision,
    locale: LocaleTag,
  }),
)
export type ApiKeyCategoryListMeta = Static<typeof ApiKeyCategoryListMeta>
