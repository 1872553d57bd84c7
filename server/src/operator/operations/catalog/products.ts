import type { OperatorProduct, OperatorProductSummary, operatorOperations } from '@vitrine/contract/operator'
import {
  findProduct,
  findProductIdByExternalId,
  findStore,
  type ListedProduct,
  listAllProducts,
  lockProduct,
  type ProductRecord,
  saveProduct,
  setStock,
} from '../../../features/catalog/index.ts'
import { listStockLevels, type SkuStockLevel } from '../../../features/inventory/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { assertVersion, changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations
type Line = ProductRecord['line']
type ProductChange = Parameters<OperatorHandler<Rows['updateProduct']>>[0]['body']

/** GET /operator/v1/products */
function listProducts(cursorSecret: Buffer): OperatorHandler<Rows['listProducts']> {
  return async ({ query }, { reader }) => {
    const { q, store: storeSlug = null, status = null, sellable: isSellable = null } = query
    const paging = pagingOf<string>(cursorSecret, ['products', q, storeSlug, status, isSellable], query)
    const search = { afterId: paging.after, storeSlug, status, isSellable, like: likeOf(q), limit: paging.limit }
    return paging.page(await listAllProducts(reader, search), ({ id }) => id, presentSummary)
  }
}

/** POST /operator/v1/products */
const createProduct: OperatorHandler<Rows['createProduct']> = async ({ body }, { tx, ids, now, audit }) => {
  const { store, externalId, names, status, code, prices, stock, categories } = body
  if (!(await findStore(tx, store))) refuse('not_found')
  if (await findProductIdByExternalId(tx, store, externalId)) refuse('name_taken')

  const skus = [{ code, prices, stock }]
  await saveProduct(tx, { id: externalId, store, names, status, skus, ...(categories && { categories }) }, { ids, now })

  const id = present(await findProductIdByExternalId(tx, store, externalId), 'just created')
  audit({ subject: { type: 'product', id }, before: null, after: { ...body } })
  return presentProduct(tx, await productOf(tx, id))
}

/** GET /operator/v1/products/{productId} */
const getProduct: OperatorHandler<Rows['getProduct']> = async ({ params }, { reader }) => {
  return presentProduct(reader, await productOf(reader, params.productId))
}

/** PATCH /operator/v1/products/{productId} */
const updateProduct: OperatorHandler<Rows['updateProduct']> = async ({ params, body }, { tx, ids, now, audit }) => {
  const current = (await lockProduct(tx, params.productId)) ?? refuse('not_found')
  const { expectedVersion, ...change } = body
  assertVersion(current.version, expectedVersion)

  await saveProduct(tx, changedLine(current, change), { ids, now })

  const [before, saved] = [writtenOf(current), await productOf(tx, current.id)]
  audit({ subject: { type: 'product', id: current.id }, ...changedFields(before, change) })
  return presentProduct(tx, saved)
}

/** POST /operator/v1/products/{productId}/stock */
const setProductStock: OperatorHandler<Rows['setProductStock']> = async ({ params, body }, { tx, now, audit }) => {
  const product = (await lockProduct(tx, params.productId)) ?? refuse('not_found')
  const { skuId, environment, onHand, whenOutOfStock } = body
  if (!product.skuIds.includes(skuId)) refuse('not_found')

  const was = await setStock(tx, product, { skuId, environment, onHand, whenOut: whenOutOfStock }, now)

  const before = { skuId, environment, onHand: was.counted ? was.on_hand : null, whenOutOfStock: was.when_out }
  audit({ subject: { type: 'product', id: product.id }, before, after: { ...body } })
  return presentProduct(tx, product)
}

export function productOperations({ cursorSecret }: { readonly cursorSecret: Buffer }) {
  return { listProducts: listProducts(cursorSecret), createProduct, getProduct, updateProduct, setProductStock }
}

/** Applies a change to the line of a product. Refusals: `not_found` for a SKU of another product. */
function changedLine(current: ProductRecord, change: ProductChange): Line {
  const { skus, brand, ...rest } = change
  const { brand: currentBrand, ...line } = current.line
  const brandWanted = brand === undefined ? currentBrand : (brand ?? undefined)
  const prices = new Map(skus?.map((sku) => [sku.id, sku.prices]))
  for (const skuId of prices.keys()) if (!current.skuIds.includes(skuId)) refuse('not_found')
  return withoutEmpty({
    ...line,
    ...rest,
    ...(brandWanted !== undefined && { brand: brandWanted }),
    skus: line.skus.map((sku, index) => ({ ...sku, prices: prices.get(current.skuIds[index] ?? '') ?? sku.prices })),
  })
}

/** Drops empty texts, which a line must not have. */
function withoutEmpty(line: Line): Line {
  const { subtitles = {}, descriptions = {}, ...rest } = line
  return {
    ...rest,
    ...(Object.keys(subtitles).length > 0 && { subtitles }),
    ...(Object.keys(descriptions).length > 0 && { descriptions }),
  }
}

async function productOf(reader: Reader, id: string): Promise<ProductRecord> {
  return (await findProduct(reader, id)) ?? refuse('not_found')
}

/** The fields of a product that a change can contain. */
function writtenOf({ line, skuIds }: ProductRecord) {
  const {
    status = 'published',
    names,
    subtitles = {},
    descriptions = {},
    brand = null,
    categories = [],
    images = [],
  } = line
  const skus = line.skus.map(({ prices }, index) => ({ id: skuIds[index] ?? '', prices }))
  return { status, names, subtitles, descriptions, brand, categories, images, skus }
}

async function presentProduct(reader: Reader, product: ProductRecord): Promise<OperatorProduct> {
  const { id, line, skuIds, version } = product
  const [levels, store] = await Promise.all([listStockLevels(reader, skuIds), findStore(reader, line.store)])
  const { locales, currencies } = present(store, 'a product has its store')
  return {
    id,
    store: line.store,
    externalId: line.id,
    slug: present(line.slug, 'every product has its slug'),
    ...writtenOf(product),
    skus: line.skus.map(({ code, options = {}, prices }, index) => {
      const skuId = skuIds[index] ?? ''
      return {
        id: skuId,
        code,
        options,
        prices,
        stock: levels.filter(({ sku_id }) => sku_id === skuId).map(presentLevel),
      }
    }),
    locales: [...locales],
    currencies: [...currencies],
    version,
    publishedAt: present(line.publishedAt, 'every product has its date'),
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  }
}

function presentLevel({ environment, counted, on_hand, held, when_out }: SkuStockLevel) {
  return { environment, onHand: counted ? on_hand : null, held, whenOutOfStock: when_out }
}

function presentSummary(row: ListedProduct): OperatorProductSummary {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    store: row.store_slug,
    externalId: row.external_id,
    status: row.status,
    brand: row.brand,
    image: row.image?.url ?? null,
    skuCount: row.skus,
    price: row.price,
    available: row.available,
    version: row.version,
    updatedAt: row.updated_at.toISOString(),
  }
}
