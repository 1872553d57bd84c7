import type { OperatorProduct, OperatorProductSummary, operatorOperations } from '@vitrine/contract/operator'
import {
  findProduct,
  findProductIdByExternalId,
  findStore,
  type ListedProduct,
  listAllProducts,
  listRelatedProducts,
  lockProduct,
  lockStore,
  type ProductRecord,
  type ProductSearch,
  type RelatedProduct,
  saveProduct,
  saveRelatedProducts,
  setStock,
} from '../../../features/catalog/index.ts'
import { listStockLevels, type SkuStockLevel } from '../../../features/inventory/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse, refuseStale } from '../../../kernel/refusal.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { changedFields } from '../../door/changed-fields.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'
import { changedLine, contentOf, foundBy, newLine, skuContent } from './product-lines.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/products */
function listProducts(cursorSecret: Secret): OperatorHandler<Rows['listProducts']> {
  return async ({ query }, { reader, language }) => {
    const { q, store: storeSlug = null, status = null, sellable: isSellable = null, sku: skuId = null } = query
    const paging = pagingOf<NonNullable<ProductSearch['after']>>(
      cursorSecret,
      ['products', q, storeSlug, status, isSellable, skuId],
      query,
    )
    const filters = { storeSlug, status, isSellable, skuId, text: q ?? null, like: likeOf(q) }
    const search = { ...filters, language, after: paging.after, limit: paging.limit }
    return paging.page(await listAllProducts(reader, search), ({ id, rank }) => ({ id, rank }), presentSummary)
  }
}

/** POST /operator/v1/products */
const createProduct: OperatorHandler<Rows['createProduct']> = async ({ body }, { tx, ids, now, audit }) => {
  const { relatedProductIds, ...line } = body
  const { store, externalId, slug } = line
  if (!(await lockStore(tx, store))) refuse('not_found')
  if (await findProductIdByExternalId(tx, store, externalId)) refuse('name_taken')

  await saveProduct(tx, newLine(line), { ids, now })

  const id = present(await findProductIdByExternalId(tx, store, externalId), 'just created')
  const saved = await productOf(tx, id)
  refuseTakenSlug(saved, slug)
  if (relatedProductIds) await saveRelatedProducts(tx, saved, relatedProductIds)
  audit({ subject: { type: 'product', id }, before: null, after: { ...body } })
  return presentProduct(tx, saved)
}

/** GET /operator/v1/products/{productId} */
const getProduct: OperatorHandler<Rows['getProduct']> = async ({ params }, { reader }) => {
  return presentProduct(reader, await productOf(reader, params.productId))
}

/** PATCH /operator/v1/products/{productId} */
const updateProduct: OperatorHandler<Rows['updateProduct']> = async ({ params, body }, { tx, ids, now, audit }) => {
  const current = (await lockProduct(tx, params.productId)) ?? refuse('not_found')
  const { expectedVersion, relatedProductIds, ...change } = body
  refuseStale(current.version, expectedVersion)

  const relatedBefore = relatedProductIds && (await saveRelatedProducts(tx, current, relatedProductIds))
  await saveProduct(tx, changedLine(current, change), { ids, now })

  const saved = await productOf(tx, current.id)
  refuseTakenSlug(saved, change.slug)
  const before = { ...foundBy(change, current), relatedProductIds: relatedBefore }
  audit({
    subject: { type: 'product', id: current.id },
    ...changedFields(before, { ...change, ...(relatedProductIds && { relatedProductIds }) }),
  })
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

export function productOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return { listProducts: listProducts(cursorSecret), createProduct, getProduct, updateProduct, setProductStock }
}

/** An import gives a product another slug where its own is taken. */
function refuseTakenSlug({ line }: ProductRecord, wanted: string | undefined): void {
  if (wanted === undefined || line.slug === wanted) return
  const message = 'Another product of the marketplace has this slug.'
  refuse('name_taken', { faults: [{ field: 'slug', code: 'not_unique', message }] })
}

async function productOf(reader: Reader, id: string): Promise<ProductRecord> {
  return (await findProduct(reader, id)) ?? refuse('not_found')
}

async function presentProduct(reader: Reader, product: ProductRecord): Promise<OperatorProduct> {
  const { id, line, skuIds, version } = product
  const [levels, store, related] = await Promise.all([
    listStockLevels(reader, skuIds),
    findStore(reader, line.store),
    listRelatedProducts(reader, id),
  ])
  const { locales, currencies } = present(store, 'a product has its store')
  return {
    id,
    store: line.store,
    externalId: line.id,
    ...contentOf(product),
    skus: line.skus.map((sku, index) => {
      const skuId = skuIds[index] ?? ''
      const stock = levels.filter(({ sku_id }) => sku_id === skuId).map(presentLevel)
      return { id: skuId, ...skuContent(sku), stock }
    }),
    relatedProductIds: related.map((product) => product.id),
    relatedProducts: related.map(presentRelated),
    locales: [...locales],
    currencies: [...currencies],
    version,
    createdAt: product.createdAt.toISOString(),
    updatedAt: product.updatedAt.toISOString(),
  }
}

function presentRelated({ id, names, image, status }: RelatedProduct) {
  return { id, names, image: image?.url ?? null, status }
}

function presentLevel({ environment, counted, on_hand, held, owed, when_out }: SkuStockLevel) {
  return { environment, onHand: counted ? on_hand : null, held, owed, whenOutOfStock: when_out }
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
