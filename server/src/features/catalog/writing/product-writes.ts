import { present } from '../../../kernel/assert.ts'
import type { IdSource } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import { declareStock, withdrawStock } from '../../inventory/index.ts'
import { contentHash } from './content-hash.ts'
import { writeListings } from './listing-writes.ts'
import { recordChanges } from './product-changes.ts'
import { type ProductDraft, type ProductStatus, shortHash } from './product-draft.ts'
import { KEPT_STATUS } from './product-records.ts'
import {
  lineageOf,
  type PreparedProduct,
  type ProductWrite,
  type WritableStore,
  type WriteCounts,
} from './product-write-context.ts'

interface KnownProduct {
  readonly id: string
  readonly external_id: string
  readonly slug: string
  readonly status: ProductStatus
  readonly kept_status: ProductStatus
  readonly content_hash: Buffer | null
  readonly published_at: Date
  readonly version: number
  /** The option keys of SKUs that do not require shipping. */
  readonly unshipped: readonly string[]
}

/** A product that is about to be written. */
interface WrittenProduct {
  readonly id: string
  readonly isNew: boolean
  /** The version after the write. */
  readonly version: number
}

/** Called in the transaction that changes products, under the lock of their store, before the change. */
export type BeforeProducts = (tx: Transaction, products: readonly WrittenProduct[]) => Promise<void>

/** One writer per store at a time: two imports of the same file must not interleave. */
const lock = statement('catalog.lock', `select pg_advisory_xact_lock(hashtextextended('catalog/' || $1, 0))`)
const readKnown = statement<KnownProduct>(
  'catalog.read_known_products',
  `select id, external_id, slug, status, ${KEPT_STATUS} as kept_status, content_hash, published_at, version,
     array(select option_key from skus where product_id = product.id and not requires_shipping) as unshipped
   from products product where store_id = $1 and external_id = any($2::text[])`,
)
const readSlugs = statement<{ slug: string; id: string }>(
  'catalog.read_slugs',
  'select slug, id from products where slug = any($1::text[])',
)
const readSkus = statement<{ id: string; product_id: string; option_key: string }>(
  'catalog.read_sku_keys',
  'select id, product_id, option_key from skus where product_id = any($1::text[])',
)
const sellIn = statement(
  'stores.sell_in',
  `update stores set currencies = currencies || $2::text[], version = version + 1, updated_at = $3 where id = $1`,
)

/** Locks all products of a store until the transaction ends. */
export async function lockCatalog(tx: Transaction, storeId: string): Promise<void> {
  await tx.rows(lock, [storeId])
}

/**
 * Creates or replaces products of one store. Unchanged products are skipped. The number of statements does not depend on the
 * number of products.
 *
 * @returns the counts, and the store with the currencies of these products
 */
export async function writeProducts(
  tx: Transaction,
  store: WritableStore,
  products: readonly ProductWrite[],
  {
    ids,
    now,
    beforeProducts,
  }: { readonly ids: IdSource; readonly now: Date; readonly beforeProducts?: BeforeProducts | undefined },
): Promise<{ readonly counts: WriteCounts; readonly store: WritableStore }> {
  const externalIds = products.map(({ draft }) => draft.externalId)
  const candidates = products.map(({ draft }) => slugCandidates(draft, store.slug))
  const [, knownRows, slugs] = await Promise.all([
    lockCatalog(tx, store.id),
    tx.rows(readKnown, [store.id, externalIds]),
    tx.rows(readSlugs, [candidates.flat()]),
  ])
  const knownById = new Map(knownRows.map((row) => [row.external_id, row]))
  const owners = new Map(slugs.map((row) => [row.slug, row.id]))
  const named = products.map((write, index) => {
    const known = knownById.get(write.draft.externalId)
    const id = known?.id ?? ids.next('prod')
    const status = write.draft.status ?? known?.kept_status ?? 'published'
    const publishedAt = write.draft.publishedAt ?? (known?.published_at ?? now).toISOString()
    const slug =
      known !== undefined && !write.draft.hasExplicitSlug ? known.slug : firstFree(candidates[index]!, owners, id)
    return { ...write, id, slug, status, publishedAt, hash: contentHash({ ...write, slug, status, publishedAt }) }
  })
  const changed = named.filter(({ draft, hash }) => !isWritten(draft, hash, knownById.get(draft.externalId)))
  const created = changed.filter(({ draft }) => !knownById.has(draft.externalId)).length
  const counts = { created, updated: changed.length - created, unchanged: products.length - changed.length }
  if (changed.length === 0) return { counts, store }
  await beforeProducts?.(
    tx,
    changed.map(({ id, draft: { externalId } }) => {
      const known = knownById.get(externalId)
      return { id, isNew: known === undefined, version: (known?.version ?? 0) + 1 }
    }),
  )

  const skus = await tx.rows(readSkus, [changed.map(({ id }) => id)])
  const skuIds = new Map(skus.map((row) => [`${row.product_id} ${row.option_key}`, row.id]))
  const prepared = changed.map((product) => ({
    ...product,
    skus: skusWithIds(product.draft, product.id, skuIds, ids),
  }))

  const newCurrencies = currenciesOf(changed).filter((currency) => !store.currencies.includes(currency))
  if (newCurrencies.length > 0) tx.write(sellIn, [store.id, newCurrencies, now], { rows: 1 })
  freeOptionKeys(tx, prepared, skus)
  saveProducts(tx, store, prepared, now)
  const kept = new Set(prepared.flatMap((product) => product.skus.map((sku) => sku.id)))
  withdrawSkus(
    tx,
    skus.filter((sku) => !kept.has(sku.id)).map((sku) => sku.id),
    now,
  )
  writeListings(tx, store, prepared, now)
  const changes = prepared.map(({ id, draft }) => ({
    productId: id,
    wasPublished: knownById.get(draft.externalId)?.status === 'published',
  }))
  recordChanges(tx, store.id, changes, now)
  bumpRevision(tx, `catalog/${store.id}`)
  if (newCurrencies.length > 0) bumpRevision(tx, 'stores')
  return { counts, store: { ...store, currencies: [...store.currencies, ...newCurrencies] } }
}

/** Whether the stored product is already as the draft says. */
function isWritten(draft: ProductDraft, hash: Buffer, known: KnownProduct | undefined): boolean {
  if (!known?.content_hash?.equals(hash)) return false
  return draft.skus.every(
    ({ requiresShipping, optionKey }) =>
      requiresShipping === null || requiresShipping !== known.unshipped.includes(optionKey),
  )
}

const SLUG_MAX = 240

/** The slug of the draft, and deterministic alternatives if another product has it. */
function slugCandidates(draft: ProductDraft, storeSlug: string): readonly string[] {
  const endings = ['', `-${storeSlug}`, `-${storeSlug}-${shortHash(draft.externalId)}`]
  return endings.map((ending) => `${draft.slug.slice(0, SLUG_MAX - ending.length).replace(/-+$/, '')}${ending}`)
}

function firstFree(candidates: readonly string[], owners: Map<string, string>, id: string): string {
  const slug = present(
    candidates.find((candidate) => (owners.get(candidate) ?? id) === id),
    'a slug with a hash of the external id is free',
  )
  owners.set(slug, id)
  return slug
}

/** A SKU without an id is the known SKU with its options, unless the draft gives that one other options. */
function skusWithIds(draft: ProductDraft, productId: string, known: ReadonlyMap<string, string>, ids: IdSource) {
  const given = new Set(draft.skus.map(({ id }) => id))
  return draft.skus.map((sku) => {
    const same = known.get(`${productId} ${sku.optionKey}`)
    return { ...sku, id: sku.id ?? (same === undefined || given.has(same) ? ids.next('sku') : same) }
  })
}

const freeKeys = statement(
  'catalog.free_option_keys',
  `update skus set option_key = '~' || id where id = any($1::text[])`,
)

/** Frees option keys that other SKUs get: those of SKUs with new options, and of withdrawn SKUs. */
function freeOptionKeys(
  tx: Transaction,
  products: readonly PreparedProduct[],
  known: readonly { readonly id: string; readonly product_id: string; readonly option_key: string }[],
): void {
  const owners = new Map(products.flatMap(({ id, skus }) => skus.map((sku) => [`${id} ${sku.optionKey}`, sku.id])))
  const displaced = known.filter((sku) => (owners.get(`${sku.product_id} ${sku.option_key}`) ?? sku.id) !== sku.id)
  if (displaced.length > 0) tx.write(freeKeys, [displaced.map(({ id }) => id)])
}

function currenciesOf(products: readonly ProductWrite[]): readonly string[] {
  const currencies = products.flatMap(({ draft }) =>
    draft.skus.flatMap((sku) => sku.prices.map((price) => price.currency)),
  )
  return [...new Set(currencies)].sort()
}

const upsertProducts = statement(
  'catalog.upsert_products',
  `insert into products (id, store_id, external_id, slug, status, brand, published_at, rating_average, rating_count,
     category_ids, lineage, options, attributes, images, seo, content_hash, created_at, updated_at)
   select id, $2, external_id, slug, status, brand, published_at, rating_average, rating_count,
     category_ids, lineage, options, attributes, images, seo, decode(content_hash, 'hex'), $3, $3
   from jsonb_to_recordset($1::jsonb) as said (id text, external_id text, slug text, status text, brand text,
     published_at timestamptz, rating_average numeric, rating_count integer, category_ids text[], lineage text[],
     options jsonb, attributes jsonb, images jsonb, seo jsonb, content_hash text)
   on conflict (id) do update set slug = excluded.slug, status = excluded.status, brand = excluded.brand,
     published_at = excluded.published_at, rating_average = excluded.rating_average,
     rating_count = excluded.rating_count, category_ids = excluded.category_ids, lineage = excluded.lineage,
     options = excluded.options, attributes = excluded.attributes, images = excluded.images, seo = excluded.seo,
     content_hash = excluded.content_hash, version = products.version + 1, updated_at = excluded.updated_at`,
)
const upsertTexts = statement(
  'catalog.upsert_texts',
  `insert into product_texts (product_id, locale, name, subtitle, description_format, description)
   select product_id, locale, name, subtitle, description_format, description
   from jsonb_to_recordset($1::jsonb) as said (product_id text, locale text, name text, subtitle text,
     description_format text, description text)
   on conflict (product_id, locale) do update set name = excluded.name, subtitle = excluded.subtitle,
     description_format = excluded.description_format, description = excluded.description`,
)
const removeTexts = statement(
  'catalog.remove_texts',
  `delete from product_texts text where text.product_id = any($1::text[]) and not exists (
     select from unnest($2::text[], $3::text[]) as said (product_id, locale)
     where said.product_id = text.product_id and said.locale = text.locale)`,
)
const upsertSkus = statement(
  'catalog.upsert_skus',
  `insert into skus (id, product_id, code, barcode, option_key, option_values, position, weight_grams, requires_shipping,
     tax_category, min_quantity, max_quantity, step, image, created_at, updated_at)
   select id, product_id, code, barcode, option_key, option_values, position, weight_grams,
     coalesce(requires_shipping, (select sku.requires_shipping from skus sku where sku.id = said.id), true), tax_category,
     min_quantity, max_quantity, step, image, $2, $2
   from jsonb_to_recordset($1::jsonb) as said (id text, product_id text, code text, barcode text, option_key text,
     option_values jsonb, position integer, weight_grams integer, requires_shipping boolean, tax_category text,
     min_quantity integer, max_quantity integer, step integer, image jsonb)
   on conflict (id) do update set code = excluded.code, barcode = excluded.barcode,
     option_key = excluded.option_key, option_values = excluded.option_values, status = 'offered',
     position = excluded.position, weight_grams = excluded.weight_grams,
     requires_shipping = excluded.requires_shipping, tax_category = excluded.tax_category,
     min_quantity = excluded.min_quantity, max_quantity = excluded.max_quantity, step = excluded.step,
     image = excluded.image, updated_at = excluded.updated_at`,
)
const withdraw = statement(
  'catalog.withdraw_skus',
  `update skus set status = 'withdrawn', updated_at = $2 where id = any($1::text[]) and status = 'offered'`,
)
const upsertPrices = statement(
  'catalog.upsert_prices',
  `insert into prices (sku_id, currency, amount, compare_at)
   select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[])
   on conflict (sku_id, currency) do update set amount = excluded.amount, compare_at = excluded.compare_at`,
)
const removePrices = statement(
  'catalog.remove_prices',
  `delete from prices price where price.sku_id = any($1::text[]) and not exists (
     select from unnest($2::text[], $3::text[]) as said (sku_id, currency)
     where said.sku_id = price.sku_id and said.currency = price.currency)`,
)

function saveProducts(tx: Transaction, store: WritableStore, products: readonly PreparedProduct[], now: Date): void {
  tx.write(upsertProducts, [JSON.stringify(products.map(productRow)), store.id, now])

  const texts = products.flatMap(({ id, draft }) =>
    Object.entries(draft.texts).map(([locale, text]) => ({
      product_id: id,
      locale,
      name: text.name,
      subtitle: text.subtitle,
      description_format: text.descriptionFormat,
      description: text.description,
    })),
  )
  tx.write(upsertTexts, [JSON.stringify(texts)])
  const productIds = products.map((product) => product.id)
  tx.write(removeTexts, [productIds, texts.map((text) => text.product_id), texts.map((text) => text.locale)])

  const skus = products.flatMap((product) =>
    product.skus.map((sku, position) => ({ ...sku, position, productId: product.id })),
  )
  tx.write(upsertSkus, [JSON.stringify(skus.map(skuRow)), now])
  const prices = skus.flatMap((sku) => sku.prices.map((price) => ({ ...price, skuId: sku.id })))
  const priceKeys = [prices.map((price) => price.skuId), prices.map((price) => price.currency)] as const
  const amounts = [prices.map((price) => price.amount), prices.map((price) => price.compareAt ?? null)] as const
  tx.write(upsertPrices, [...priceKeys, ...amounts])
  tx.write(removePrices, [skus.map((sku) => sku.id), ...priceKeys])
  declareStock(
    tx,
    skus.map((sku) => ({ sku_id: sku.id, product_id: sku.productId, declared: sku.stock, when_out: sku.whenOut })),
    now,
  )
}

function productRow({ id, slug, status, publishedAt, draft, hash, categories }: PreparedProduct) {
  return {
    id,
    external_id: draft.externalId,
    slug,
    status,
    brand: draft.brand,
    published_at: publishedAt,
    rating_average: draft.rating?.average ?? null,
    rating_count: draft.rating?.count ?? null,
    category_ids: categories.map((category) => category.id),
    lineage: lineageOf(categories),
    options: draft.options,
    attributes: draft.attributes,
    images: draft.images,
    seo: draft.seo,
    content_hash: hash.toString('hex'),
  }
}

function skuRow(sku: PreparedProduct['skus'][number] & { readonly position: number; readonly productId: string }) {
  return {
    id: sku.id,
    product_id: sku.productId,
    code: sku.code,
    barcode: sku.barcode ?? null,
    option_key: sku.optionKey,
    option_values: sku.optionValues,
    position: sku.position,
    weight_grams: sku.weightGrams,
    requires_shipping: sku.requiresShipping,
    tax_category: sku.taxCategory,
    min_quantity: sku.minQuantity,
    max_quantity: sku.maxQuantity,
    step: sku.step,
    image: sku.image,
  }
}

function withdrawSkus(tx: Transaction, skuIds: readonly string[], now: Date): void {
  if (skuIds.length === 0) return
  tx.write(withdraw, [skuIds, now])
  withdrawStock(tx, skuIds, now)
}
