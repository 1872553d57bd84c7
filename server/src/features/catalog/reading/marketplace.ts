import type { Category } from '@vitrine/contract'
import type { PublicReadContext } from '../../../platform/http/handler.ts'
import { ALL_CATALOGS, STORES } from '../subjects.ts'
import { listCategories } from './categories.ts'
import { listOpenStores, resolveMarket } from './market-context.ts'

/** What all open stores offer. The first locale and the first currency are the defaults. */
export interface Marketplace {
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  readonly hasStores: boolean
  /** The category tree in the best matching language, parents before children. */
  categoriesIn(languages: readonly string[]): Promise<Category[]>
}

export async function readMarketplace({ reader, dependsOn }: PublicReadContext): Promise<Marketplace> {
  dependsOn(STORES)
  const stores = await listOpenStores(reader)
  const { currency, locale } = resolveMarket(stores, { languages: [] })
  const offered = (first: string, each: (store: (typeof stores)[number]) => readonly string[]) => [
    ...new Set([first, ...stores.flatMap(each)]),
  ]
  return {
    locales: offered(locale, (store) => store.locales),
    currencies: offered(currency, (store) => store.currencies),
    countries: [...new Set(stores.flatMap((store) => store.countries))],
    hasStores: stores.length > 0,
    categoriesIn(languages) {
      dependsOn(ALL_CATALOGS)
      return listCategories(reader, resolveMarket(stores, { languages }))
    },
  }
}
