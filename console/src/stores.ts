import { call } from './api.ts'

/** As many as can be selected from. */
const STORES_MAX = 100

const names = new Map<string, string>()
let loading: Promise<void> | null = null

/** Loads the names of the stores, which records have by their slugs. Once: each page is shown after it. */
export function loadStoreNames(): Promise<void> {
  loading ??= call('listStores', { query: { limit: STORES_MAX } }).then(
    ({ items }) => {
      for (const { slug, name } of items) names.set(slug, name)
    },
    (error: unknown) => {
      loading = null
      throw error
    },
  )
  return loading
}

/** The name of a store, as merchants know it. */
export function storeName(slug: string): string {
  return names.get(slug) ?? slug
}

/** Keeps a name that has just been given. */
export function keepStoreName({ slug, name }: { readonly slug: string; readonly name: string }): void {
  names.set(slug, name)
}
