import type { Decoration, DecorationBlock, ProductSummary, StoreProfile } from '@vitrine/sdk'
import { recently } from './recently.ts'
import { productIdsOf } from './ui/blocks.tsx'
import { accessTo, isRefused, type Visit } from './visit.ts'

const KEPT_MS = 60_000
/** Pages of a store's products in which the products of its blocks are looked for. */
const PAGES_MAX = 5

/** The stores that sell here: those of the product list, and those that the configuration names. */
export async function storesOf(visit: Visit): Promise<readonly StoreProfile[]> {
  const { client, locale, shop } = visit
  return storesRecently(locale, async () => {
    const { meta } = await client.call('listCatalogProducts', { query: { facets: ['store'], limit: 1, locale } })
    const ids = meta.facets.find(({ key }) => key === 'store')?.values.map(({ value }) => value) ?? []
    const slugs = await Promise.all(
      ids.map(async (store) => {
        const { data } = await client.call('listCatalogProducts', { query: { store, limit: 1, facets: ['none'] } })
        return data[0]?.store.slug
      }),
    )
    const named = [...new Set([...slugs.filter((slug) => slug !== undefined), ...shop.config.stores])]
    const found = await Promise.all(named.map((slug) => storeBy(visit, slug)))
    return found.filter((store) => store !== null).toSorted((one, other) => one.name.localeCompare(other.name))
  })
}

/** The profile of a store, or `null` if there is none. */
export async function storeBy({ client, locale }: Visit, slug: string): Promise<StoreProfile | null> {
  return orNull(client.call('getStore', { params: { slug }, query: { locale } }))
}

/** The published decoration of a store, or `null` if there is none. */
export async function decorationOf({ client, locale }: Visit, slug: string): Promise<Decoration | null> {
  return orNull(client.call('getStoreDecoration', { params: { slug }, query: { locale } }))
}

/** The products that the blocks of a store show, by id. */
export async function productsOfBlocks(visit: Visit, slug: string, blocks: readonly DecorationBlock[]) {
  const missing = new Set(productIdsOf(blocks))
  const found = new Map<string, ProductSummary>()
  const { client, locale, currency, country } = visit
  let cursor: string | null | undefined
  for (let pages = 0; pages < PAGES_MAX && missing.size > 0 && cursor !== null; pages += 1) {
    const query = { locale, currency, country, limit: 100, facets: ['none'], ...(cursor && { cursor }) }
    const { data, meta } = await client.call('listStoreProducts', { params: { slug }, query }, accessTo(visit, slug))
    for (const product of data) if (missing.delete(product.id)) found.set(product.id, product)
    cursor = meta.page.nextCursor
  }
  return found
}

async function orNull<Value>(value: Promise<Value>): Promise<Value | null> {
  try {
    return await value
  } catch (error) {
    if (isRefused(error, 'not_found')) return null
    throw error
  }
}

const storesRecently = recently<readonly StoreProfile[]>(KEPT_MS)
