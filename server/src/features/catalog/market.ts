import type { Reader } from '../../platform/postgres/access.ts'
import { statement } from '../../platform/postgres/statement.ts'

/** What can be asked for: of one store, or of all open stores together. The first of each is the default. */
export interface Market {
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
}

const readMarket = statement<Market>(
  'catalog.read_market',
  `select currencies, locales, countries from stores
   where status = 'active' and case when $1::text is null then access_mode = 'open' else id = $1 end
   order by id`,
)

/** The market of an installation's store, or of the whole marketplace where it has none. */
export async function marketOf(reader: Reader, storeId: string | null): Promise<Market> {
  const stores = await reader.rows(readMarket, [storeId])
  const together = (each: (store: Market) => readonly string[]) => [...new Set(stores.flatMap(each))]
  return {
    currencies: together((store) => store.currencies),
    locales: together((store) => store.locales),
    countries: together((store) => store.countries),
  }
}
