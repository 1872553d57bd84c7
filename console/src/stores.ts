import type { OperatorStore } from '@vitrine/contract/operator'
import { call } from './api.ts'

/** As many as can be selected from. */
const STORES_MAX = 100

type KnownStore = Pick<OperatorStore, 'slug' | 'name' | 'currencies'>

const stores = new Map<string, KnownStore>()
let loading: Promise<void> | null = null

/** Loads the names and currencies of the stores, which records have by their slugs. Once: each page is shown after it. */
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

/** The name of a store, as merchants know it. */
export function storeName(slug: string): string {
  return stores.get(slug)?.name ?? slug
}

/** The currencies that a store sells in, or those of all stores. */
export function currenciesOf(slug?: string | null): readonly string[] {
  const asked = [...stores.values()].filter((store) => !slug || store.slug === slug)
  return [...new Set(asked.flatMap(({ currencies }) => currencies))]
}

/** Keeps what a store has just been given. */
export function keepStore(store: KnownStore): void {
  stores.set(store.slug, store)
}
