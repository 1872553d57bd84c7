import { refuse } from '../../kernel/refusal.ts'
import type { PublicReadContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { StoreGrants } from '../access/index.ts'
import { type LocalisedText, lookUpLocale, matchLocale } from './locale.ts'
import type { StoredImage, StoredPolicy } from './stored.ts'

export interface StoreRow {
  readonly id: string
  readonly slug: string
  readonly status: 'active' | 'suspended'
  readonly access_mode: 'open' | 'password' | 'challenge'
  readonly access_version: number
  readonly currencies: readonly string[]
  readonly locales: readonly string[]
  readonly countries: readonly string[]
  readonly prices_include_tax: boolean
  readonly names: LocalisedText
  readonly descriptions: LocalisedText | null
  readonly logo: StoredImage | null
  readonly contact: { readonly email?: string; readonly phone?: string; readonly url?: string }
  readonly policies: readonly StoredPolicy[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const COLUMNS = `id, slug, status, access_mode, access_version, currencies, locales, countries, prices_include_tax, names,
  descriptions, logo, contact, policies, version, created_at, updated_at`

const readStoreBySlug = statement<StoreRow>(
  'stores.read_by_slug',
  `select ${COLUMNS} from stores where slug = $1 and status = 'active'`,
)
const readStoreById = statement<StoreRow>(
  'stores.read_by_id',
  `select ${COLUMNS} from stores where id = $1 and status = 'active'`,
)
/** Oldest first, so that what is taken from "the first" does not change when a store is added. */
const readOpenStores = statement<StoreRow>(
  'stores.read_open',
  `select ${COLUMNS} from stores where status = 'active' and access_mode = 'open' order by created_at, slug`,
)

/** The active store with a slug. A suspended one looks exactly like none. */
export async function storeBySlug(reader: Reader, slug: string): Promise<StoreRow> {
  return (await reader.row(readStoreBySlug, [slug])) ?? refuse('not_found')
}

/** The stores that a reader without any store's permission sees. */
export function openStores(reader: Reader): Promise<StoreRow[]> {
  return reader.rows(readOpenStores)
}

/** The stores that an installation sees: its own, open or not; those that are open where it belongs to no store. */
export function storesOf(reader: Reader, principal: { readonly storeId: string | null }): Promise<StoreRow[]> {
  return principal.storeId === null ? openStores(reader) : reader.rows(readStoreById, [principal.storeId])
}

/**
 * Refuses `store_access_required` where the store is gated and the caller shows no grant for it. What a grant lets see is
 * for its bearer alone: nobody keeps it, so a grant that has ended ends at once.
 *
 * @see CONTRACT, Credentials, Store access
 */
export function requireStoreAccess(grants: StoreGrants, store: StoreRow, context: PublicReadContext): void {
  if (store.access_mode === 'open') return
  if (!grants.opens(context.storeAccess, store, 'store_access', context.now)) {
    refuse('store_access_required', { params: { store: store.slug, mode: store.access_mode } })
  }
  context.markPrivate()
}

/** Whom a read is about and how it speaks: the stores it shows, and one currency and language for all of them. */
export interface Market {
  readonly stores: readonly StoreRow[]
  readonly storesById: ReadonlyMap<string, StoreRow>
  readonly currency: string
  /** The locale that is served, as far as a store has it. */
  readonly locale: string
  readonly localeByStore: ReadonlyMap<string, string>
}

export interface MarketWishes {
  /** A locale that was asked for by name, and must then be there. */
  readonly locale?: string | undefined
  readonly currency?: string | undefined
  /** Leaves out stores that do not sell there. */
  readonly country?: string | undefined
  readonly languages: readonly string[]
}

/** What a marketplace without stores speaks and counts in. */
const EMPTY_MARKET = { currency: 'EUR', locale: 'en' }

/**
 * Settles currency and language. Where nobody chose, those are taken that most stores put first.
 *
 * Refusals: `unsupported_locale`, `unsupported_currency`.
 */
export function marketOf(all: readonly StoreRow[], wishes: MarketWishes): Market {
  const { currency: wishedCurrency, country } = wishes
  const locale = servedLocale(all, wishes)
  const currencies = new Set(all.flatMap((store) => store.currencies))
  if (wishedCurrency !== undefined && all.length > 0 && !currencies.has(wishedCurrency)) {
    refuse('unsupported_currency', unsupported('currency', wishedCurrency, [...currencies]))
  }
  const stores = country === undefined ? all : all.filter((store) => store.countries.includes(country))
  return {
    stores,
    storesById: new Map(stores.map((store) => [store.id, store])),
    currency: wishedCurrency ?? mostCommon(all.map((store) => store.currencies[0]!)) ?? EMPTY_MARKET.currency,
    locale,
    localeByStore: new Map(
      stores.map((store) => [store.id, lookUpLocale([locale, ...wishes.languages], store.locales, store.locales[0]!)]),
    ),
  }
}

function servedLocale(stores: readonly StoreRow[], { locale, languages }: MarketWishes): string {
  const available = [...new Set(stores.flatMap((store) => store.locales))]
  const fallback = mostCommon(stores.map((store) => store.locales[0]!)) ?? EMPTY_MARKET.locale
  if (locale === undefined || stores.length === 0) return lookUpLocale(languages, available, fallback)
  return matchLocale([locale], available) ?? refuse('unsupported_locale', unsupported('locale', locale, available))
}

/** The value that occurs most often; of equals, the one that came first. */
function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[string, number] | undefined>(
    (best, each) => (best && best[1] >= each[1] ? best : each),
    undefined,
  )?.[0]
}

function unsupported(parameter: string, value: string, offered: readonly string[]) {
  const message = `${value} is not offered here; ${offered.join(', ')} are.`
  return {
    details: [{ in: 'query' as const, pointer: `/${parameter}`, code: 'not_allowed', message: message.slice(0, 300) }],
  }
}

const anyStore = statement<{ exists: boolean }>('catalog.any_store', 'select exists (select from stores) as exists')

/** Whether there is any store yet: an empty database may be filled with the demo. */
export async function storesExist(reader: Reader): Promise<boolean> {
  return (await reader.row(anyStore))?.exists ?? false
}
