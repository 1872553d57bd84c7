import type { Decoration, DecorationBlock, StoreProfile } from '@vitrine/sdk'
import { recently } from './recently.ts'
import { productIdsOf } from './ui/blocks.tsx'
import { accessTo, orNull, type Visit } from './visit.ts'

const KEPT_MS = 60_000
/** The maximum number of product IDs in one call. */
const IDS_MAX = 100

/** A store with its decoration. */
export interface DecoratedStore {
  readonly store: StoreProfile
  readonly decoration: Decoration | null
}

/** The stores in the product list, and those in the configuration. Open stores come first. */
export async function storesOf(visit: Visit): Promise<readonly DecoratedStore[]> {
  const { client, locale, shop } = visit
  return storesRecently(locale, async () => {
    const { meta } = await client.listCatalogProducts({ query: { facets: ['store'], limit: 1, locale } })
    const ids = meta.facets.find(({ key }) => key === 'store')?.values.map(({ value }) => value) ?? []
    const slugs = await Promise.all(
      ids.map(async (store) => {
        const { data } = await client.listCatalogProducts({ query: { store, limit: 1, facets: ['none'] } })
        return data[0]?.store.slug
      }),
    )
    const named = [...new Set([...slugs.filter((slug) => slug !== undefined), ...shop.config.stores])]
    const found = await Promise.all(
      named.map(async (slug) => {
        const [store, decoration] = await Promise.all([storeBy(visit, slug), decorationOf(visit, slug)])
        return store ? [{ store, decoration }] : []
      }),
    )
    return found.flat().toSorted(({ store: one }, { store: other }) => {
      return (
        Number(one.access.mode !== 'open') - Number(other.access.mode !== 'open') ||
        one.name.localeCompare(other.name, locale)
      )
    })
  })
}

/** The profile of a store, or `null` if there is none. */
export const storeBy = ({ client, locale }: Visit, slug: string) =>
  orNull(client.getStore({ params: { slug }, query: { locale } }))

/** The published decoration of a store, or `null` if there is none. */
export const decorationOf = ({ client, locale }: Visit, slug: string) =>
  orNull(client.getStoreDecoration({ params: { slug }, query: { locale } }))

/** The products in the blocks of a store, by ID. */
export async function productsOfBlocks(visit: Visit, slug: string, blocks: readonly DecorationBlock[]) {
  const { client, locale, currency, country } = visit
  const ids = [...new Set(productIdsOf(blocks))]
  const calls = Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, call) => {
    const product = ids.slice(call * IDS_MAX, (call + 1) * IDS_MAX)
    const query = { product, locale, currency, country, limit: IDS_MAX, facets: ['none'] }
    return client.listStoreProducts({ params: { slug }, query }, accessTo(visit, slug))
  })
  const found = (await Promise.all(calls)).flatMap(({ data }) => data)
  return new Map(found.map((product) => [product.id, product]))
}

const storesRecently = recently<readonly DecoratedStore[]>(KEPT_MS)
