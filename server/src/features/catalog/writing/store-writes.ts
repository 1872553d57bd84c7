import type { IdSource } from '../../../kernel/ids.ts'
import type { Transaction } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { bumpRevision } from '../../../platform/revisions/revisions.ts'
import { catalogOf, STORES } from '../subjects.ts'
import type { StoreLine } from './line-schema.ts'
import { relistInLocales } from './listing-writes.ts'
import type { WritableStore } from './product-write-context.ts'
import { findStore, type StoreRecord } from './store-records.ts'

const readStore = statement<WritableStore>(
  'stores.read_for_writing',
  'select id, slug, currencies, locales, status, access_mode from stores where slug = $1 for no key update',
)
const pricedIn = statement<{ currency: string }>(
  'stores.priced_in',
  `select currency from unnest($2::text[]) with ordinality as said (currency, position)
   where exists (select from prices price join skus sku on sku.id = price.sku_id
     join products product on product.id = sku.product_id
     where product.store_id = $1 and price.currency = said.currency) order by position`,
)
const upsertStore = statement<{ id: string; created: boolean }>(
  'stores.upsert',
  `insert into stores (id, slug, names, descriptions, status, access_mode, currencies, locales, countries,
     prices_include_tax, logo, contact, policies, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $14)
   on conflict (slug) do update set names = excluded.names, descriptions = excluded.descriptions,
     status = excluded.status, access_mode = excluded.access_mode, currencies = excluded.currencies,
     locales = excluded.locales, countries = excluded.countries, prices_include_tax = excluded.prices_include_tax,
     logo = excluded.logo, contact = excluded.contact, policies = excluded.policies, version = stores.version + 1,
     updated_at = excluded.updated_at
   where (stores.names, stores.descriptions, stores.status, stores.access_mode, stores.currencies, stores.locales,
       stores.countries, stores.prices_include_tax, stores.logo, stores.contact, stores.policies)
     is distinct from (excluded.names, excluded.descriptions, excluded.status, excluded.access_mode,
       excluded.currencies, excluded.locales, excluded.countries, excluded.prices_include_tax, excluded.logo,
       excluded.contact, excluded.policies)
   returning id, version = 1 as created`,
)

interface StoreWriting {
  readonly ids: IdSource
  readonly now: Date
}

/**
 * Creates or updates a store. Currencies that it has prices in are kept, and a line without a status or an access mode
 * keeps the one that an operator has set.
 */
export async function writeStore(
  tx: Transaction,
  line: StoreLine,
  { ids, now }: StoreWriting,
): Promise<'created' | 'updated' | 'unchanged'> {
  const before = await tx.row(readStore, [line.slug])
  const dropped = (before?.currencies ?? []).filter((currency) => !line.currencies.includes(currency))
  const kept = before && dropped.length > 0 ? await tx.rows(pricedIn, [before.id, dropped]) : []
  const currencies = [...line.currencies, ...kept.map(({ currency }) => currency)]
  const id = before?.id ?? ids.next('store')
  const written = await tx.row(upsertStore, [
    id,
    line.slug,
    JSON.stringify(line.names),
    line.descriptions ? JSON.stringify(line.descriptions) : null,
    line.status ?? before?.status ?? 'active',
    line.accessMode ?? before?.access_mode ?? 'open',
    currencies,
    line.locales,
    line.countries,
    line.pricesIncludeTax,
    line.logo ? JSON.stringify(line.logo) : null,
    JSON.stringify(line.contact ?? {}),
    JSON.stringify(line.policies ?? []),
    now,
  ])
  if (written === undefined) return 'unchanged'
  if (before !== undefined && before.locales.join() !== line.locales.join()) {
    relistInLocales(tx, { id, locales: line.locales }, now)
  }
  bumpRevision(tx, catalogOf(written.id))
  bumpRevision(tx, STORES)
  return written.created ? 'created' : 'updated'
}

/** A store, locked until the transaction ends. */
export async function lockStore(tx: Transaction, slug: string): Promise<StoreRecord | undefined> {
  const [, store] = await Promise.all([tx.row(readStore, [slug]), findStore(tx, slug)])
  return store
}

/** A store for writing its products, locked until the transaction ends. */
export async function storeForWriting(tx: Transaction, slug: string): Promise<WritableStore | undefined> {
  return tx.row(readStore, [slug])
}
