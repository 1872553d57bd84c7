import { type Static, Type } from 'typebox'
import { Barcode, RELATED_PRODUCTS_MAX } from '../../../schemas/catalog.ts'
import {
  CurrencyCode,
  Environment,
  id,
  Link,
  SAFE_INTEGER_MAX,
  Slug,
  Timestamp,
  Version,
} from '../../../schemas/common.ts'
import {
  closed,
  flag,
  formed,
  integer,
  leftOut,
  listOf,
  mapOf,
  maybeEmpty,
  oneOf,
  orNull,
  text,
} from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { localized, OperatorImage } from './stores.ts'

const tag = 'Products'
const auth = { kind: 'operator', area: 'catalog' } as const
const ProductId = id('prod', 'The id of the product.')
const SkuId = id('sku', 'The id of the SKU.')
const COUNT_MAX = 2_000_000_000
const ExternalId = text(120, 'The id in the system of the store.', 'shirt-1')
const Status = oneOf(
  ['published', 'draft', 'archived'],
  'Only published products are shown and sold. An archived one stays in its orders, and is restored by another status.',
)
const Minor = integer(0, SAFE_INTEGER_MAX, 'Minor units.', 4900)
const WhenOut = oneOf(['deny', 'backorder', 'preorder'], 'Whether the SKU can be oversold.')

const Price = closed('A price.', {
  currency: CurrencyCode,
  amount: Minor,
  compareAt: Type.Optional(leftOut(integer(1, SAFE_INTEGER_MAX, 'The former price, above the current one.', 5900))),
})
const Prices = listOf(Price, 50, 'One for each currency.', { minItems: 1 })
const Images = listOf(OperatorImage, 50, 'Its pictures; the first is the main picture.')
const Description = closed('A text with its format.', {
  format: oneOf(['plain', 'markdown'], 'The format.'),
  text: text(50_000, 'The text.', 'Washed linen, cut straight.'),
})
const LOCALE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'
const Names = localized(500, 'The name.', 'Linen shirt')
const Subtitles = mapOf(LOCALE, text(300, 'The text.', 'Cut straight'), 50, 'The subtitle in each locale.', {
  examples: [{ en: 'Cut straight' }],
})
const Descriptions = mapOf(LOCALE, Description, 50, 'The description in each locale.', {
  examples: [{ en: { format: 'plain', text: 'Washed linen.' } }],
})

const OPTION_NAME = '^[a-z0-9]+([_-][a-z0-9]+)*$'
const Options = listOf(
  closed('An option that the SKUs differ in.', {
    name: formed(OPTION_NAME, 40, 'As in the filter `option.<name>`.', 'color'),
    labels: Type.Optional(localized(80, 'The label shown to shoppers.', 'Color')),
    values: listOf(
      closed('A value.', {
        value: text(80, 'The value.', 'blue'),
        labels: Type.Optional(localized(80, 'The label shown to shoppers.', 'Blue')),
      }),
      200,
      'The values, in the order shown.',
      { minItems: 1 },
    ),
  }),
  5,
  'The options, in the order shown. Each SKU has a value for each.',
)
const Attributes = listOf(
  closed('An attribute.', {
    key: text(120, 'The key.', 'material'),
    labels: Type.Optional(localized(200, 'The label shown to shoppers.', 'Material')),
    value: Type.Union(
      [
        maybeEmpty(10_000, 'Text.', 'Linen'),
        Type.Number({ minimum: -SAFE_INTEGER_MAX, maximum: SAFE_INTEGER_MAX, examples: [100] }),
        Type.Boolean({ examples: [true] }),
        localized(10_000, 'Text in each locale.', 'Linen'),
      ],
      { description: 'The value.', examples: ['Linen'] },
    ),
  }),
  1000,
  'The attributes.',
)
const Seo = closed('Metadata for search engines.', {
  titles: Type.Optional(localized(200, 'The page title.', 'Linen shirt in blue')),
  descriptions: Type.Optional(localized(500, 'The page description.', 'A washed linen shirt.')),
})
const Rating = closed('The customer rating.', {
  average: Type.Number({ minimum: 0, maximum: 5, description: 'From 0 to 5.', examples: [4.4] }),
  count: integer(0, COUNT_MAX, 'The number of ratings.', 31),
})

/** What a change of a product can contain. Lists and texts are replaced as a whole. */
const content = {
  slug: Slug,
  status: Status,
  names: Names,
  subtitles: Subtitles,
  descriptions: Descriptions,
  brand: orNull(text(200, 'The brand.', 'Loom'), 'Its brand; `null`: none.'),
  categories: listOf(listOf(Slug, 6, 'Slugs from the root down.', { minItems: 1 }), 20, 'Its categories.'),
  images: Images,
  options: Options,
  attributes: Attributes,
  seo: orNull(Seo, 'Metadata for search engines; `null`: none.'),
  rating: orNull(Rating, 'The rating; `null`: none.'),
  publishedAt: Timestamp,
  relatedProductIds: listOf(
    ProductId,
    RELATED_PRODUCTS_MAX,
    'Other products of the store to show with it, in this order. Shoppers see those that are published.',
    { uniqueItems: true },
  ),
}
const sku = {
  code: text(250, 'The SKU code of the manufacturer or the shop.', 'LS-B-M'),
  barcode: orNull(Barcode, 'Its barcode; `null`: none.'),
  options: mapOf(OPTION_NAME, text(80, 'The value.', 'blue'), 5, 'A value for each option of the product.', {
    examples: [{ color: 'blue' }],
  }),
  prices: Prices,
  weightGrams: orNull(integer(0, 100_000_000, 'Grams.', 240), 'Its weight; `null`: not known.'),
  requiresShipping: flag('`false`: nothing is shipped, such as a gift card or a download.'),
  taxCategory: formed('^[a-z0-9]+(_[a-z0-9]+)*$', 40, 'The tax category.', 'standard'),
  minQuantity: integer(1, 999, 'The minimum quantity of a line.', 1),
  maxQuantity: integer(1, 999, 'The maximum quantity of a line.', 999),
  step: integer(1, 999, 'Quantities above the minimum are in steps of it.', 1),
  image: orNull(OperatorImage, 'Its picture; `null`: none of its own.'),
}
const SkuChange = closed('A SKU to change or, without an id, to add. A new one needs at least a code and prices.', {
  id: Type.Optional(SkuId),
  ...Type.Partial(closed('The SKU.', sku)).properties,
  stock: Type.Optional(
    leftOut(
      orNull(
        integer(0, COUNT_MAX, 'Units.', 12),
        'Only for an added SKU: units in both environments; `null`: not counted.',
      ),
    ),
  ),
  whenOutOfStock: Type.Optional(leftOut(WhenOut)),
})

const Stock = closed('The stock in one environment.', {
  environment: Environment,
  onHand: orNull(integer(0, COUNT_MAX, 'Units.', 12), 'Units on hand; `null`: not counted.'),
  held: integer(0, COUNT_MAX, 'Units reserved by checkouts.', 2),
  owed: integer(
    0,
    COUNT_MAX,
    'Units that were sold beyond the stock and have not shipped. They are subtracted from the next count.',
    0,
  ),
  whenOutOfStock: WhenOut,
})

export const OperatorSku = operatorNamed(
  'OperatorSku',
  closed('A variant of a product.', {
    id: SkuId,
    ...sku,
    stock: listOf(Stock, 2, 'The stock in each environment.'),
  }),
)
export type OperatorSku = Static<typeof OperatorSku>

const RelatedProduct = closed('A product shown with another one.', {
  id: ProductId,
  names: Names,
  image: orNull(Link, 'Its first picture; `null`: none.'),
  status: Status,
})

export const OperatorProduct = operatorNamed(
  'OperatorProduct',
  closed('A product with all its content.', {
    id: ProductId,
    store: Slug,
    externalId: ExternalId,
    ...content,
    skus: listOf(OperatorSku, 250, 'Its SKUs.'),
    relatedProducts: listOf(RelatedProduct, RELATED_PRODUCTS_MAX, 'The products of `relatedProductIds`.'),
    locales: listOf(text(50, 'A locale.', 'en'), 50, 'The languages of its store.'),
    currencies: listOf(CurrencyCode, 50, 'The currencies of its store.'),
    version: Version,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  }),
)
export type OperatorProduct = Static<typeof OperatorProduct>

export const OperatorProductSummary = operatorNamed(
  'OperatorProductSummary',
  closed('A product in a list.', {
    id: ProductId,
    name: text(500, 'Its name in its store’s first locale.', 'Linen shirt'),
    slug: Slug,
    store: Slug,
    externalId: ExternalId,
    status: Status,
    brand: orNull(text(200, 'The brand.', 'Loom'), 'Its brand; `null`: none.'),
    image: orNull(Link, 'Its first picture; `null`: none.'),
    skuCount: integer(0, 250, 'SKUs that are offered.', 6),
    price: orNull(
      closed('An amount.', { amount: Minor, currency: CurrencyCode }),
      'Its lowest price, in the first currency of its store that has one, otherwise in any other currency; `null`: it has none.',
    ),
    available: orNull(
      integer(0, SAFE_INTEGER_MAX, 'Units.', 12),
      'Units for sale in the live environment; `null`: not all SKUs are counted.',
    ),
    version: Version,
    updatedAt: Timestamp,
  }),
)
export type OperatorProductSummary = Static<typeof OperatorProductSummary>

const params = closed('The product.', { productId: ProductId })

export const productRows = {
  listProducts: operatorOperation({
    method: 'GET',
    path: '/operator/v1/products',
    tag,
    summary: 'List products, newest first.',
    description:
      'Published or not. `q` searches name, slug, brand, SKU code and external id; the best matches then come first.',
    auth,
    query: closed('Page.', {
      ...listQuery,
      store: Type.Optional(Slug),
      status: Type.Optional(Status),
      sellable: Type.Optional(flag('Whether it can be bought in the live environment.')),
      sku: Type.Optional(id('sku', 'The product of this SKU.')),
    }),
    data: pageOf(OperatorProductSummary, 'Products, the newest or the best matches first.'),
    refusals: ['invalid_cursor'],
    store: { slug: 'query', field: 'store' },
  }),
  createProduct: operatorOperation({
    method: 'POST',
    path: '/operator/v1/products',
    tag,
    summary: 'Create a product.',
    description:
      'For one SKU without options, give `code`, `prices` and `stock`; otherwise `options` and `skus`. Importing a line with the same id updates it.',
    auth,
    body: closed('The new product.', {
      store: Slug,
      externalId: ExternalId,
      ...Type.Partial(closed('Its content.', content)).properties,
      names: Names,
      status: Status,
      code: Type.Optional(text(250, 'The code of its only SKU.', 'LS-B-M')),
      prices: Type.Optional(Prices),
      stock: Type.Optional(
        orNull(integer(0, COUNT_MAX, 'Units.', 12), 'Units on hand in both environments; `null`: not counted.'),
      ),
      skus: Type.Optional(leftOut(listOf(SkuChange, 250, 'Its SKUs, without ids.', { minItems: 1 }))),
    }),
    data: OperatorProduct,
    refusals: ['not_found', 'name_taken'],
    store: { slug: 'body', field: 'store' },
  }),
  getProduct: operatorOperation({
    method: 'GET',
    path: '/operator/v1/products/{productId}',
    tag,
    summary: 'Get a product with all its content.',
    description: 'With its prices in each currency and its stock in each environment.',
    auth,
    params,
    data: OperatorProduct,
    refusals: ['not_found'],
    store: { object: 'product', field: 'productId' },
  }),
  updateProduct: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/products/{productId}',
    tag,
    summary: 'Update a product.',
    description:
      'Absent fields stay unchanged; present fields are replaced as a whole. Of the SKUs, those in `skus` are changed or, without an id, added; those in `removeSkus` are no longer offered; all others stay. A SKU keeps its id and its stock when its options change.',
    auth,
    params,
    body: closed(
      'Fields to update.',
      {
        ...Type.Partial(closed('Its content.', content)).properties,
        skus: Type.Optional(listOf(SkuChange, 250, 'SKUs to change or to add.')),
        removeSkus: Type.Optional(
          leftOut(listOf(SkuId, 250, 'SKUs to be no longer offered. They stay in their orders.')),
        ),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorProduct,
    refusals: ['not_found', 'version_conflict', 'name_taken'],
    store: { object: 'product', field: 'productId' },
  }),
  setProductStock: operatorOperation({
    method: 'POST',
    path: '/operator/v1/products/{productId}/stock',
    tag,
    summary: 'Set the stock of a SKU in one environment.',
    description:
      'Importing the same declared stock again does not change this count. Of a new count, units that are owed or reserved beyond the stock are given to those who bought them.',
    auth,
    params,
    body: closed('The stock.', {
      skuId: SkuId,
      environment: Environment,
      onHand: Stock.properties.onHand,
      whenOutOfStock: WhenOut,
    }),
    data: OperatorProduct,
    refusals: ['not_found', 'state_conflict'],
    store: { object: 'product', field: 'productId' },
  }),
}
