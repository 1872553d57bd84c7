import { type Static, Type } from 'typebox'
import {
  CurrencyCode,
  Environment,
  id,
  Link,
  none,
  SAFE_INTEGER_MAX,
  Slug,
  Timestamp,
  Version,
} from '../../../schemas/common.ts'
import { closed, flag, integer, leftOut, listOf, mapOf, oneOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'
import { listQuery, pageOf } from '../../page.ts'
import { localized } from './stores.ts'

const tag = 'Products'
const auth = { kind: 'operator' } as const
const ProductId = id('prod', 'The id of the product.')
const SkuId = id('sku', 'The id of the SKU.')
const COUNT_MAX = 2_000_000_000
const ExternalId = text(120, 'What its store calls it.', 'shirt-1')
const Status = oneOf(['published', 'draft', 'archived'], 'Only what is published is seen.')
const Minor = integer(0, SAFE_INTEGER_MAX, 'Minor units.', 4900)
const WhenOut = oneOf(['deny', 'backorder', 'preorder'], 'What selling beyond the stock is.')

const Price = closed('A price.', {
  currency: CurrencyCode,
  amount: Minor,
  compareAt: Type.Optional(leftOut(integer(1, SAFE_INTEGER_MAX, 'What it cost before; more than the amount.', 5900))),
})
const Prices = listOf(Price, 50, 'One for each currency.', { minItems: 1 })
const Image = closed('A picture.', {
  url: Link,
  alt: Type.Optional(localized(500, 'What the picture shows.', 'A linen shirt')),
  width: integer(1, 20_000, 'Pixels.', 800),
  height: integer(1, 20_000, 'Pixels.', 1000),
})
const Images = listOf(Image, 50, 'Its pictures, the first stands for it.')
const Description = closed('A text with its form.', {
  format: oneOf(['plain', 'markdown'], 'How it is written.'),
  text: text(50_000, 'The text.', 'Washed linen, cut straight.'),
})
const LOCALE = '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$'
const Names = localized(500, 'What it is called.', 'Linen shirt')
const Subtitles = mapOf(LOCALE, text(300, 'The text.', 'Cut straight'), 50, 'A line below the name, in each locale.', {
  examples: [{ en: 'Cut straight' }],
})
const Descriptions = mapOf(LOCALE, Description, 50, 'What it is, in each locale.', {
  examples: [{ en: { format: 'plain', text: 'Washed linen.' } }],
})

const Stock = closed('What stands on the shelf in one environment.', {
  environment: Environment,
  onHand: orNull(integer(0, COUNT_MAX, 'Units.', 12), 'Units on the shelf; `null`: nobody counts them.'),
  held: integer(0, COUNT_MAX, 'Units that somebody is paying for.', 2),
  whenOutOfStock: WhenOut,
})

export const OperatorSku = operatorNamed(
  'OperatorSku',
  closed('What is bought: one choice of a product’s options.', {
    id: SkuId,
    code: text(250, 'The maker’s or the shop’s number.', 'LS-B-M'),
    options: mapOf('^[a-z0-9]+([_-][a-z0-9]+)*$', text(80, 'The value.', 'blue'), 5, 'Its value of each option.', {
      examples: [{ color: 'blue' }],
    }),
    prices: Prices,
    stock: listOf(Stock, 2, 'In each environment.'),
  }),
)
export type OperatorSku = Static<typeof OperatorSku>

export const OperatorProduct = operatorNamed(
  'OperatorProduct',
  closed('A product as it is written.', {
    id: ProductId,
    store: Slug,
    externalId: ExternalId,
    slug: Slug,
    status: Status,
    names: Names,
    subtitles: Subtitles,
    descriptions: Descriptions,
    brand: orNull(text(200, 'Whose it is.', 'Loom'), 'Its brand; `null`: none.'),
    categories: listOf(listOf(Slug, 6, 'Slugs from the root down.'), 20, 'Where it stands.'),
    images: Images,
    skus: listOf(OperatorSku, 250, 'What is bought of it.'),
    locales: listOf(text(50, 'A locale.', 'en'), 50, 'The languages of its store.'),
    currencies: listOf(CurrencyCode, 50, 'The currencies of its store.'),
    version: Version,
    publishedAt: Timestamp,
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
    brand: orNull(text(200, 'Whose it is.', 'Loom'), 'Its brand; `null`: none.'),
    image: orNull(Link, 'Its first picture; `null`: none.'),
    skuCount: integer(0, 250, 'SKUs that are offered.', 6),
    price: orNull(
      closed('An amount.', { amount: Minor, currency: CurrencyCode }),
      'Its lowest, in the store’s first currency; `null`: it has none in it.',
    ),
    available: orNull(integer(0, SAFE_INTEGER_MAX, 'Units.', 12), 'Units for sale live; `null`: not all are counted.'),
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
    description: 'Published or not. Found by name, slug, brand, code of a SKU, or what the store calls it.',
    auth,
    params: none,
    query: closed('Page.', {
      ...listQuery,
      store: Type.Optional(Slug),
      status: Type.Optional(Status),
      sellable: Type.Optional(flag('Whether any of it can be sold live.')),
    }),
    body: null,
    data: pageOf(OperatorProductSummary, 'Products, the newest first.'),
    meta: null,
    refusals: ['invalid_cursor'],
  }),
  createProduct: operatorOperation({
    method: 'POST',
    path: '/operator/v1/products',
    tag,
    summary: 'Make a simple product: one SKU, no options.',
    description: 'What it says more is added to it afterwards, or by an import of a line with the same id.',
    auth,
    params: none,
    query: none,
    body: closed('The new product.', {
      store: Slug,
      externalId: ExternalId,
      names: Names,
      status: Status,
      code: text(250, 'The code of its SKU.', 'LS-B-M'),
      prices: Prices,
      stock: orNull(
        integer(0, COUNT_MAX, 'Units.', 12),
        'Units on the shelf in both environments; `null`: not counted.',
      ),
      categories: Type.Optional(
        listOf(listOf(Slug, 6, 'Slugs from the root down.', { minItems: 1 }), 20, 'Where it stands.'),
      ),
    }),
    data: OperatorProduct,
    meta: null,
    refusals: ['not_found', 'name_taken'],
  }),
  getProduct: operatorOperation({
    method: 'GET',
    path: '/operator/v1/products/{productId}',
    tag,
    summary: 'Get a product as it is written.',
    description: 'With its prices in each currency, and its stock in each environment.',
    auth,
    params,
    query: none,
    body: null,
    data: OperatorProduct,
    meta: null,
    refusals: ['not_found'],
  }),
  updateProduct: operatorOperation({
    method: 'PATCH',
    path: '/operator/v1/products/{productId}',
    tag,
    summary: 'Change a product.',
    description: 'What is absent stays; what is there stands for the whole of it. Of the SKUs, prices are changed.',
    auth,
    params,
    query: none,
    body: closed(
      'Fields to update.',
      {
        status: Type.Optional(Status),
        names: Type.Optional(Names),
        subtitles: Type.Optional(Subtitles),
        descriptions: Type.Optional(Descriptions),
        brand: Type.Optional(orNull(text(200, 'Whose it is.', 'Loom'), 'Its brand; `null`: none.')),
        categories: Type.Optional(
          listOf(listOf(Slug, 6, 'Slugs from the root down.', { minItems: 1 }), 20, 'Where it stands.'),
        ),
        images: Type.Optional(Images),
        skus: Type.Optional(listOf(closed('A SKU and its prices.', { id: SkuId, prices: Prices }), 250, 'Prices.')),
        expectedVersion: Type.Optional(Version),
      },
      { minProperties: 1 },
    ),
    data: OperatorProduct,
    meta: null,
    refusals: ['not_found', 'version_conflict'],
  }),
  setProductStock: operatorOperation({
    method: 'POST',
    path: '/operator/v1/products/{productId}/stock',
    tag,
    summary: 'Set the stock of a SKU in one environment.',
    description: 'An import that says again what it said before leaves this count alone.',
    auth,
    params,
    query: none,
    body: closed('The stock.', {
      skuId: SkuId,
      environment: Environment,
      onHand: Stock.properties.onHand,
      whenOutOfStock: WhenOut,
    }),
    data: OperatorProduct,
    meta: null,
    refusals: ['not_found', 'state_conflict'],
  }),
}
