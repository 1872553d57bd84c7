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
  Version,
} from './common.ts'
import {
  closed,
  flag,
  formed,
  integer,
  leftOut,
  listOf,
  mapOf,
  maybeEmpty,
  named,
  oneOf,
  orNull,
  text,
} from './primitives.ts'

export const PRODUCT_SORTS = ['relevance', 'newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const
export const AVAILABILITIES = ['in_stock', 'low_stock', 'out_of_stock', 'preorder', 'backorder'] as const
export const PAGE_LIMIT_MAX = 100
export const PAGE_LIMIT_PUBLIC = 24
export const PAGE_LIMIT_INSTALLATION = 50
export const RELATED_PRODUCTS_MAX = 12
/** The most categories of a tree in one answer. */
export const CATEGORY_TREE_MAX = 10_000
/** `option.<name>`: values of one option are alternatives, several options narrow the result. */
export const OPTION_PARAMETER = '^option\\.[a-z0-9_-]{1,40}$'
/** The one OpenAPI parameter for all option filters. Clients that nest objects send `optionFilters[option.color]`. */
export const OPTION_FILTERS = 'optionFilters'
export const OPTION_FILTERS_MAX = 20

const Availability = oneOf(AVAILABILITIES, 'Whether it can be bought now.')
const ServedLocale = { ...LocaleTag, description: 'The locale that its name is in.' }
const RequestedLocale = { ...LocaleTag, description: 'The locale asked for. Each item names the one it was served in.' }
const OptionId = formed('^[a-z0-9]+([_-][a-z0-9]+)*$', 40, 'The option, as in the filter `option.<name>`.', 'color')

export const Barcode = formed('^[!-~]{1,64}$', 64, 'GTIN, UPC, EAN or ISBN, as a scanner reads it.', '4006381333931')

export const Category = named(
  'Category',
  closed('A category. `parentId` builds the tree.', {
    id: id('cat', 'The id of the category.'),
    slug: Slug,
    name: text(200, 'The name of the category.', 'Shirts'),
    locale: ServedLocale,
    description: Type.Optional(text(2000, 'The description of the category.', 'Shirts for every day.')),
    parentId: Type.Optional(id('cat', 'The parent category.')),
    path: listOf(Slug, 6, 'The slugs from the root to this category.', { examples: [['clothing', 'shirts']] }),
    position: integer(0, 1_000_000, 'The position among its siblings.', 1),
    productCount: integer(0, 2_147_483_647, 'The number of products in and below the category.', 42),
    image: Type.Optional(Image),
    store: Type.Optional(StoreReference),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type Category = Static<typeof Category>

export const PriceRange = named(
  'PriceRange',
  closed(
    'The lowest and the highest price of the SKUs.',
    { min: Money, max: Money },
    { examples: [{ min: { amount: 1999, currency: 'EUR' }, max: { amount: 2499, currency: 'EUR' } }] },
  ),
)
export type PriceRange = Static<typeof PriceRange>

const summary = {
  id: id('prod', 'The id of the product.'),
  slug: Slug,
  name: text(500, 'The name of the product.', 'Linen shirt'),
  locale: ServedLocale,
  subtitle: Type.Optional(text(300, 'The line below the name.', 'Washed, straight cut')),
  brand: Type.Optional(text(200, 'The brand.', 'Loom')),
  store: StoreReference,
  categoryIds: listOf(id('cat', 'A category.'), 20, 'The categories of the store, in its order.'),
  thumbnail: Type.Optional(Image),
  priceRange: PriceRange,
  compareAtPriceRange: Type.Optional(PriceRange),
  taxIncluded: flag('Whether prices include tax.'),
  availability: Availability,
  rating: Type.Optional(
    closed('The customer rating.', {
      average: Type.Number({ minimum: 0, maximum: 5, description: 'From 0 to 5.', examples: [4.4] }),
      count: integer(0, 2_147_483_647, 'The number of ratings.', 31),
    }),
  ),
  updatedAt: Timestamp,
} satisfies TProperties

export const ProductSummary = named('ProductSummary', closed('A product in a list.', summary))
export type ProductSummary = Static<typeof ProductSummary>

export const Sku = named(
  'Sku',
  closed('A variant: one combination of the options of a product.', {
    id: id('sku', 'The id of the SKU.'),
    code: text(250, 'The number of the manufacturer or the merchant. Not unique.', 'LS-BLUE-M'),
    barcode: Type.Optional(Barcode),
    optionValues: mapOf(
      '^[a-z0-9]+([_-][a-z0-9]+)*$',
      text(80, 'The value of the option.', 'blue'),
      5,
      'One value per option of the product.',
      { examples: [{ color: 'blue' }] },
    ),
    price: Money,
    compareAtPrice: Type.Optional(Money),
    prices: Type.Optional(
      leftOut(
        listOf(
          closed('A price.', { price: Money, compareAtPrice: Type.Optional(leftOut(Money)) }),
          50,
          'Only in listApiKeyCatalogProducts: its price in every currency that has one.',
        ),
      ),
    ),
    availability: Availability,
    availableQuantity: Type.Optional(
      integer(0, 999, 'Units in stock, up to a cap. Absent if stock is not tracked.', 12),
    ),
    minQuantity: integer(1, 999, 'The minimum quantity of a line.', 1),
    maxQuantity: integer(1, 999, 'The maximum quantity of a line.', 999),
    step: integer(1, 999, 'Quantities above the minimum are in steps of it.', 1),
    weightGrams: Type.Optional(integer(0, 100_000_000, 'Grams.', 240)),
    requiresShipping: flag('`false`: nothing is shipped, such as a gift card or a download.', true),
    taxCategory: formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'The tax category.', 'standard'),
    image: Type.Optional(Image),
  }),
)
export type Sku = Static<typeof Sku>

export const Product = named(
  'Product',
  closed('A product with everything a product page shows.', {
    ...summary,
    version: Version,
    createdAt: Timestamp,
    description: Type.Optional(RichText),
    images: listOf(Image, 50, 'The images, the main one first.'),
    options: listOf(
      closed('An option.', {
        id: OptionId,
        name: text(80, 'The title shown to shoppers.', 'Color'),
        values: listOf(
          closed('An option value.', {
            value: text(80, 'As in `optionValues` and the filter.', 'blue'),
            label: text(80, 'The title shown to shoppers.', 'Blue'),
          }),
          200,
          'The values, in order.',
        ),
      }),
      5,
      'The options.',
    ),
    skus: listOf(
      Sku,
      250,
      'Every SKU with a price in the currency; in listApiKeyCatalogProducts, with a price in any currency.',
    ),
    attributes: listOf(
      closed('An attribute of the product.', {
        key: text(120, 'The key of the attribute.', 'material'),
        label: text(200, 'The title shown to shoppers.', 'Material'),
        value: Type.Union(
          [
            maybeEmpty(10_000, 'Text.', 'Linen'),
            Type.Number({ minimum: -SAFE_INTEGER_MAX, maximum: SAFE_INTEGER_MAX, examples: [100] }),
            Type.Boolean({ examples: [true] }),
          ],
          { description: 'The value of the attribute.', examples: ['Linen'] },
        ),
      }),
      500,
      'The attributes of the product.',
    ),
    seo: closed('Search engine metadata.', {
      title: Type.Optional(text(500, 'The page title.', 'Linen shirt in blue')),
      description: Type.Optional(text(500, 'The page description.', 'A washed linen shirt.')),
    }),
    policies: listOf(Policy, 20, 'The policies of the store that apply.'),
    relatedProductIds: Type.Optional(
      listOf(
        id('prod', 'The id of a product.'),
        RELATED_PRODUCTS_MAX,
        'Related products, in the order to show them. Send them as the filter `product` of lists. Absent if there are none.',
      ),
    ),
    catalogRevision: Revision,
  }),
)
export type Product = Static<typeof Product>

export const StoreProfile = named(
  'StoreProfile',
  closed('The public profile of a store.', {
    id: id('store', 'The id of the store.'),
    slug: Slug,
    name: text(200, 'The name of the store.', 'Linen & Loom'),
    locale: LocaleTag,
    logo: Type.Optional(Image),
    description: Type.Optional(text(5000, 'The description of the store.', 'Clothes of washed linen.')),
    countries: listOf(CountryCode, 250, 'The countries the store ships to.'),
    currencies: listOf(CurrencyCode, 50, 'The currencies the store sells in.'),
    locales: listOf(LocaleTag, 50, 'The languages of the store.'),
    defaults: closed('The defaults of the store.', {
      country: CountryCode,
      currency: CurrencyCode,
      locale: LocaleTag,
    }),
    taxIncluded: flag('Whether prices include tax.'),
    contact: closed('The contact of the store.', {
      email: Type.Optional(Email),
      phone: Type.Optional(Phone),
      url: Type.Optional(HttpUrl),
    }),
    policies: listOf(Policy, 20, 'The policies of the store.'),
    access: closed('The access mode of the store.', {
      mode: oneOf(
        ['open', 'password', 'challenge'],
        'Any mode but `open` requires an access token, see getStoreAccessConfig.',
      ),
    }),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type StoreProfile = Static<typeof StoreProfile>

const Limit = integer(1, PAGE_LIMIT_MAX, 'The page size. Default 24.', 24)
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

export const LanguageQuery = closed('The language.', language)
export const MarketQuery = closed('The language, currency and country.', market)

const filters = {
  limit: Type.Optional(Limit),
  cursor: Type.Optional(Cursor),
  sort: Type.Optional(oneOf(PRODUCT_SORTS, 'The sort order. Default `relevance` with `q`, otherwise `newest`.')),
  category: Type.Optional(
    listOf(
      Range('A category: its id, its slug, or its path of slugs joined by `/`.'),
      20,
      'Any of these categories, including their descendants. Repeatable.',
    ),
  ),
  brand: Type.Optional(listOf(text(200, 'A brand.', 'Loom'), 50, 'Any of these brands. Repeatable.')),
  product: Type.Optional(
    listOf(id('prod', 'The id of a product.'), 100, 'These products, such as those of a decoration. Repeatable.'),
  ),
  priceMin: Type.Optional(Minor('The minimum price, in minor units of the currency.')),
  priceMax: Type.Optional(Minor('The maximum price, in minor units of the currency.')),
  availability: Type.Optional(
    oneOf(['in_stock', 'any'], 'Whether to leave out products that cannot be bought now. Default `any`.'),
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
      'The facets to count. Repeatable. Default: all on the first page, none on later pages; `none`: none.',
    ),
  ),
  ...market,
} satisfies TProperties

const q = text(200, 'The search query.', 'linen shirt')
const store = text(120, 'A store: its id or its slug.', 'linen-and-loom', { pattern: '^[a-z0-9_-]+$' })
/** Options are named by the catalog, so their filters are a name pattern. */
const optionFilters = {
  patternProperties: {
    [OPTION_PARAMETER]: listOf(text(80, 'An option value.', 'blue'), 50, 'Any of these values. Repeatable.'),
  },
}

export const StoreProductsQuery = closed(
  'Filters, sort order and page.',
  { q: Type.Optional(q), ...filters },
  optionFilters,
)
export const ProductsQuery = closed(
  'Filters, sort order and page.',
  { q: Type.Optional(q), store: Type.Optional(store), ...filters },
  optionFilters,
)
export const SearchQuery = closed(
  'Search query, filters, sort order and page.',
  {
    q,
    store: Type.Optional(store),
    ...filters,
    limit: Type.Optional(
      integer(
        0,
        PAGE_LIMIT_MAX,
        'The page size. Default 24. `0`: suggestions and facets only; with `facets=none` nothing is searched or counted.',
        24,
      ),
    ),
    match: Type.Optional(
      oneOf(
        ['understood', 'literal'],
        'Default `understood`: a price in the query is a filter, and misspelled words are corrected. `literal`: neither.',
      ),
    ),
  },
  optionFilters,
)
export type ProductsQuery = Static<typeof ProductsQuery>
export type SearchQuery = Static<typeof SearchQuery>

/** The parameters that match the pattern of the schema, in addition to its named ones. */
export type OptionFilters = { readonly [Name in `option.${string}`]?: readonly string[] }

export const CursorQuery = closed('The cursor of a ready-made link.', { cursor: Type.Optional(Cursor) })

export const Page = named(
  'Page',
  closed('The position of this page in the list.', {
    limit: integer(0, PAGE_LIMIT_MAX, 'The page size.', 24),
    nextCursor: orNull(Cursor, 'The cursor of the next page; `null` on the last.'),
    hasNextPage: flag('Whether there is a next page.'),
    totalCount: integer(0, 2_147_483_647, 'The number of results on all pages.', 19_406),
    totalCountExact: flag('Whether the count is exact or an estimate.'),
  }),
)
export type Page = Static<typeof Page>

export const Facet = named(
  'Facet',
  closed('A facet of the list. Its counts leave out its own filter.', {
    key: text(47, 'The facet.', 'option.color'),
    label: text(200, 'The title shown to shoppers.', 'Color'),
    type: oneOf(['terms', 'range'], 'Terms, or price ranges.'),
    parameters: listOf(
      text(47, 'A query parameter.', 'option.color'),
      2,
      'The query parameters of the facet. `terms`: one, for the values. `range`: two, for the lower and the upper end; leave out an open end.',
    ),
    values: listOf(
      closed('A facet value.', {
        value: text(
          500,
          'The value to send. A range is `from-to` in minor units: both ends are sent; an open end is empty.',
          'blue',
        ),
        label: text(500, 'The title shown to shoppers.', 'Blue'),
        count: integer(0, 2_147_483_647, 'The number of matching products.', 12),
        selected: flag('Whether the value is selected.', false),
      }),
      200,
      'The values.',
    ),
  }),
)
export type Facet = Static<typeof Facet>

export const AppliedFilters = named(
  'AppliedFilters',
  closed('The filters as understood.', {
    q: Type.Optional(q),
    category: Type.Optional(listOf(Range('A category.'), 20, 'Categories.')),
    store: Type.Optional(store),
    brand: Type.Optional(listOf(text(200, 'A brand.', 'Loom'), 50, 'Brands.')),
    product: Type.Optional(listOf(id('prod', 'The id of a product.'), 100, 'Products.')),
    priceMin: Type.Optional(Minor('The minimum price.')),
    priceMax: Type.Optional(Minor('The maximum price.')),
    availability: Type.Optional(oneOf(['in_stock', 'any'], 'Availability.')),
    country: Type.Optional(CountryCode),
    options: Type.Optional(
      mapOf(
        '^[a-z0-9_-]{1,40}$',
        listOf(text(80, 'An option value.', 'blue'), 50, 'Values.'),
        OPTION_FILTERS_MAX,
        'Values by option.',
        {
          examples: [{ color: ['blue'] }],
        },
      ),
    ),
  }),
)
export type AppliedFilters = Static<typeof AppliedFilters>

const listMeta = {
  page: Page,
  next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
  sort: oneOf(PRODUCT_SORTS, 'The sort order.'),
  appliedFilters: AppliedFilters,
  facets: listOf(Facet, 60, 'The facets of the list.'),
  catalogRevision: Revision,
  locale: RequestedLocale,
  currency: CurrencyCode,
} satisfies TProperties

export const ProductListMeta = named('ProductListMeta', closed('The page, filters and facets of the list.', listMeta))
export type ProductListMeta = Static<typeof ProductListMeta>
export const Suggestion = named(
  'Suggestion',
  closed('A suggestion while the shopper types.', {
    kind: oneOf(['query', 'category', 'product'], 'A query to search for, a category, or a product.'),
    text: text(500, 'The query, or the name.', 'linen shirt'),
    slug: Type.Optional({ ...Slug, description: 'The slug of the category or the product.' }),
    store: Type.Optional(StoreReference),
    thumbnail: Type.Optional(Image),
    priceRange: Type.Optional(PriceRange),
  }),
)
export type Suggestion = Static<typeof Suggestion>
export const SearchRedirect = formed('^(https://|/([^/]|$))', 2048, 'A path of the shop, or a URL.', '/pages/sale')
export const SearchMeta = named(
  'SearchMeta',
  closed('The page, filters and facets of the search.', {
    ...listMeta,
    correctedQuery: orNull(q, 'The query that was searched instead if the original was misspelled, otherwise `null`.'),
    understood: orNull(
      closed('A price in the query, applied as a filter. `match=literal` searches for its words instead.', {
        text: text(200, 'The words that ask for the price.', 'under 500 euros'),
        query: text(200, 'The rest, which was searched.', 'linen shirt'),
        priceMin: Type.Optional(Minor('The minimum price.')),
        priceMax: Type.Optional(Minor('The maximum price.')),
      }),
      'The price that was found in the query, otherwise `null`. Also in `appliedFilters`.',
    ),
    suggestions: listOf(
      Suggestion,
      12,
      'Suggestions for the query: queries first, then categories, then products with store, image and price. Empty on later pages.',
    ),
    redirect: orNull(
      SearchRedirect,
      'The page that an operator has set for the query: a path of the shop, or a URL. `null` without one. Clients may show it instead of the products.',
    ),
  }),
)
export type SearchMeta = Static<typeof SearchMeta>
export const ApiKeyProductListMeta = named(
  'ApiKeyProductListMeta',
  closed('The page, locale and currency of the list.', {
    page: Page,
    next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
    catalogRevision: Revision,
    locale: RequestedLocale,
    currency: CurrencyCode,
  }),
)
export type ApiKeyProductListMeta = Static<typeof ApiKeyProductListMeta>
export const CategoryListMeta = named(
  'CategoryListMeta',
  closed('The catalog revision and locale of the list.', { catalogRevision: Revision, locale: RequestedLocale }),
)
export type CategoryListMeta = Static<typeof CategoryListMeta>
export const ApiKeyCategoryListMeta = named(
  'ApiKeyCategoryListMeta',
  closed('The next page and the locale of the list.', {
    next: orNull(NextPath, 'A ready-made link to the next page; `null` on the last.'),
    catalogRevision: Revision,
    locale: RequestedLocale,
  }),
)
export type ApiKeyCategoryListMeta = Static<typeof ApiKeyCategoryListMeta>
