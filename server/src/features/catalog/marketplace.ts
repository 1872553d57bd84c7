import type { Category } from '@vitrine/contract'
import type { PublicReadContext } from '../../platform/http/handler.ts'
import { listCategories } from './categories.ts'
import { marketOf, openStores } from './market.ts'
import { ALL_CATALOGUES, STORES } from './subjects.ts'

/** What the open stores offer together, in their order: the first of each is what most of them put first. */
export interface Marketplace {
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  /** The category tree in the language that fits best, parents before their children. */
  categoriesIn(languages: readonly string[]): Promise<Category[]>
}

/** What the marketplace is to somebody who knows nothing of it yet. */
export async function readMarketplace({ reader, dependsOn }: PublicReadContext): Promise<Marketplace> {
  dependsOn(STORES)
  dependsOn(ALL_CATALOGUES)
  const stores = await openStores(reader)
  const { currency, locale } = marketOf(stores, { languages: [] })
  const offered = (first: string, each: (store: (typeof stores)[number]) => readonly string[]) => [
    ...new Set([first, ...stores.flatMap(each)]),
  ]
  return {
    locales: offered(locale, (store) => store.locales),
    currencies: offered(currency, (store) => store.currencies),
    countries: [...new Set(stores.flatMap((store) => store.countries))],
    categoriesIn: (languages) => listCategories(reader, marketOf(stores, { languages })),
  }
}
