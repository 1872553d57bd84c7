import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import type { LocalizedText, StoredImage, StoredPolicy } from '../stored-json.ts'
import type { StoreLine } from './line-schema.ts'

/** A store with all its settings. */
export interface StoreRecord {
  readonly id: string
  readonly slug: string
  readonly names: LocalizedText
  readonly descriptions: LocalizedText | null
  readonly status: 'active' | 'suspended'
  readonly access_mode: 'open' | 'password' | 'challenge'
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly prices_include_tax: boolean
  readonly logo: StoredImage | null
  readonly contact: NonNullable<StoreLine['contact']>
  readonly policies: readonly StoredPolicy[]
  readonly has_password: boolean
  readonly grant_purposes: readonly ('register' | 'password_reset')[]
  /** The number of products, published or not. */
  readonly products: number
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}
const STORE = `id, slug, names, descriptions, status, access_mode, currencies, locales, countries, prices_include_tax,
   logo, contact, policies, access_password is not null as has_password, grant_purposes, version, created_at, updated_at,
   (select count(*)::integer from products where store_id = stores.id) as products`
const readStore = statement<StoreRecord>('stores.read_whole', `select ${STORE} from stores where slug = $1`)
const readStores = statement<StoreRecord>(
  'stores.read_page',
  `select ${STORE} from stores
   where ($1::text is null or slug > $1) and ($2::text is null or slug ilike $2 or names::text ilike $2)
     and ($3::text is null or status = $3) and ($5::text is null or slug = $5)
   order by slug limit $4`,
)

export function findStore(reader: Reader, slug: string): Promise<StoreRecord | undefined> {
  return reader.row(readStore, [slug])
}

/** Stores, in order of their slugs. */
export function listStoreRecords(
  reader: Reader,
  search: {
    readonly afterSlug: string | null
    readonly like: string | null
    readonly status: StoreRecord['status'] | null
    /** Only this store; `null` is no filter. */
    readonly slug: string | null
    readonly limit: number
  },
): Promise<StoreRecord[]> {
  const { afterSlug, like, status, limit, slug } = search
  return reader.rows(readStores, [afterSlug, like, status, limit, slug])
}

/** The line of a store. */
export function storeLineOf(store: StoreRecord): StoreLine {
  return {
    type: 'store',
    slug: store.slug,
    names: store.names,
    ...(store.descriptions && { descriptions: store.descriptions }),
    status: store.status,
    accessMode: store.access_mode,
    currencies: [...store.currencies],
    locales: [...store.locales],
    countries: [...store.countries],
    pricesIncludeTax: store.prices_include_tax,
    ...(store.logo && { logo: store.logo as NonNullable<StoreLine['logo']> }),
    contact: store.contact,
    policies: store.policies as NonNullable<StoreLine['policies']>,
  }
}
