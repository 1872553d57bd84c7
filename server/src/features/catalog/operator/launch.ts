import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'

/** What the launch checklist needs to know of the catalog. */
interface CatalogOfLaunch {
  /** The currencies of the active stores. */
  readonly currencies: readonly string[]
  /** Whether an active store has a published product with a picture. */
  readonly hasPicturedProduct: boolean
}

const read = statement<CatalogOfLaunch>(
  'catalog.launch',
  `select coalesce((select array_agg(distinct currency order by currency)
       from stores cross join unnest(currencies) as currency where status = 'active'), '{}') as currencies,
     exists (select from products join stores on stores.id = products.store_id and stores.status = 'active'
       where products.status = 'published' and products.images <> '[]') as "hasPicturedProduct"`,
)

/** Reads what the launch checklist needs to know of the catalog. */
export async function readCatalogOfLaunch(reader: Reader): Promise<CatalogOfLaunch> {
  return (await reader.row(read)) ?? { currencies: [], hasPicturedProduct: false }
}
