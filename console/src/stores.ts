import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from './api.ts'

/** The limit of the store selects. */
const STORES_MAX = 100

type KnownStore = Pick<OperatorStore, 'slug' | 'name' | 'currencies' | 'locales'>

const stores = new Map<string, KnownStore>()
let loading: Promise<void> | null = null

/** Loads the names, currencies and languages of the stores once, before the first page. Records refer to stores by slug. */
export function loadStores(): Promise<void> {
  loading ??= call('listStores', { query: { limit: STORES_MAX } }).then(
    ({ items }) => items.forEach(keepStore),
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** The display name of a store. An unknown store is shown by its slug. */
export function storeName(slug: string): string {
  return stores.get(slug)?.name ?? slug
}

/** The currencies that a store sells in, or those of all stores. */
export function currenciesOf(slug?: string | null): readonly string[] {
  return [...new Set(storesOf(slug).flatMap(({ currencies }) => currencies))]
}

/** The languages to enter a text in: those of a store, or of all stores. */
export function languagesFor(slug: string | null): readonly string[] {
  const known = [...new Set(storesOf(slug).flatMap(({ locales }) => locales))]
  return known.length > 0 ? known : ['en']
}

function storesOf(slug: string | null | undefined): readonly KnownStore[] {
  return [...stores.values()].filter((store) => !slug || store.slug === slug)
}

/** Updates a store after it was saved. */
export function keepStore(store: KnownStore): void {
  stores.set(store.slug, store)
}
