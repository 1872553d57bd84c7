import type { OutputOf } from '@vitrine/contract'
import type { OperatorStore, operatorOperations } from '@vitrine/contract/operator'
import { call } from './api.ts'

/** Those of larger marketplaces are shown by their slugs. */
const STORES_MAX = 1000

type Rows = typeof operatorOperations
type KnownStore = Pick<OperatorStore, 'id' | 'slug' | 'name' | 'currencies' | 'locales'>

const stores = new Map<string, KnownStore>()
let loading: Promise<void> | null = null

/** Loads the names, currencies and languages of the stores once, before the first page. Records refer to stores by slug. */
export function loadStores(): Promise<void> {
  loading ??= loadPages().catch((error: unknown) => {
    loading = null
    throw error
  })
  return loading
}

async function loadPages(): Promise<void> {
  for (let cursor: string | null = ''; cursor !== null && stores.size < STORES_MAX; ) {
    const page: OutputOf<Rows['listStores']> = await call('listStores', { query: { limit: 100, cursor } })
    page.items.forEach(keepStore)
    cursor = page.nextCursor
  }
}

/** The display name of a store. An unknown store is shown by its slug. */
export function storeName(slug: string): string {
  return stores.get(slug)?.name ?? slug
}

/** How many stores are known: all of them, or the first thousand. */
export const storeCount = (): number => stores.size

/** The store with this id. */
export function storeById(id: string): KnownStore | undefined {
  return [...stores.values()].find((store) => store.id === id)
}

/** The currencies that a store sells in, or those of all stores, in their order. */
export function currenciesOf(slug?: string | null): readonly string[] {
  return [...new Set(storesOf(slug).flatMap(({ currencies }) => currencies))]
}

/** The languages to enter a text in: those of a store, or of all stores. */
export function languagesFor(slug: string | null): readonly string[] {
  const known = [...new Set(storesOf(slug).flatMap(({ locales }) => locales))]
  return known.length > 0 ? known : ['en']
}

function storesOf(slug: string | null | undefined): readonly KnownStore[] {
  return [...stores.values()]
    .filter((store) => !slug || store.slug === slug)
    .toSorted((one, other) => (one.slug < other.slug ? -1 : 1))
}

/** Updates a store after it was saved. */
export function keepStore(store: KnownStore): void {
  stores.set(store.slug, store)
}
