import { COUNTRIES } from '../../../kernel/countries.ts'
import { lookUpLocale, matchLocale } from '../../../kernel/locale.ts'
import { refuse, refuseField } from '../../../kernel/refusal.ts'
import type { PublicReadContext } from '../../../platform/http/handler.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import { statement } from '../../../platform/postgres/statement.ts'
import { type Kept, keptByRevision } from '../../../platform/revisions/kept-by-revision.ts'
import type { StoreGrants } from '../../access/index.ts'
import type { LocalizedText, StoredImage, StoredPolicy } from '../stored-json.ts'
import { SITE, STORES } from '../subjects.ts'

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
  readonly names: LocalizedText
  readonly descriptions: LocalizedText | null
  readonly logo: StoredImage | null
  readonly contact: { readonly email?: string; readonly phone?: string; readonly url?: string }
  readonly policies: readonly StoredPolicy[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  /** The site's locales, the default first, if the store is read as one of the marketplace; `null` if none are set. */
  readonly site_locales: readonly string[] | null
}

const COLUMNS = `id, slug, status, access_mode, access_version, currencies, locales, countries, prices_include_tax, names,
  descriptions, logo, contact, policies, version, created_at, updated_at`
const OF_ONE_STORE = `${COLUMNS}, null as site_locales`

const readStoreBySlug = statement<StoreRow>(
  'stores.read_by_slug',
  `select ${OF_ONE_STORE} from stores where slug = $1 and status = 'active'`,
)
const readStoreById = statement<StoreRow>(
  'stores.read_by_id',
  `select ${OF_ONE_STORE} from stores where id = $1 and status = 'active'`,
)
/** Oldest first, so that defaults taken from the first store do not change when a store is added. */
const readOpenStores = statement<StoreRow>(
  'stores.read_open',
  `select ${COLUMNS}, (select locales from site_settings) as site_locales
   from stores where status = 'active' and access_mode = 'open' order by created_at, slug`,
)

/** The active store with a slug. Refuses `not_found`, also for a suspended store. */
export async function loadStoreBySlug(reader: Reader, slug: string): Promise<StoreRow> {
  return (await reader.row(readStoreBySlug, [slug])) ?? refuse('not_found')
}

/** The stores visible to the public. */
export function listOpenStores(reader: Reader): Promise<StoreRow[]> {
  return reader.rows(readOpenStores)
}

/** The open stores, kept in memory until a store or the site's settings change. */
export function cachedOpenStores(primary: Reader): Kept<readonly StoreRow[]> {
  return keptByRevision([STORES, SITE], () => listOpenStores(primary))
}

/** The stores visible to an installation: its own, even if gated, or all open stores if it belongs to none. */
export function listVisibleStores(reader: Reader, principal: { readonly storeId: string | null }): Promise<StoreRow[]> {
  return principal.storeId === null ? listOpenStores(reader) : reader.rows(readStoreById, [principal.storeId])
}

/**
 * Refuses `store_access_required` if the store is gated and the caller has no valid grant. Responses with a grant are not
 * cached, so that an expired grant ends access at once.
 *
 * @see docs/reference/rules.md#store-access
 */
export function requireStoreAccess(grants: StoreGrants, store: StoreRow, context: PublicReadContext): void {
  if (store.access_mode === 'open') return
  if (!grants.opens(context.storeAccess, store, 'store_access', context.now)) {
    refuse('store_access_required', { params: { store: store.slug, mode: store.access_mode } })
  }
  context.markPrivate()
}

/** The stores that a read shows, with one currency and language for all of them. */
export interface Market {
  readonly stores: readonly StoreRow[]
  readonly storesById: ReadonlyMap<string, StoreRow>
  readonly currency: string
  /** The locale of the stores that best matches the request. */
  readonly locale: string
  /** The locale that is served if none is requested. */
  readonly defaultLocale: string
  readonly localeByStore: ReadonlyMap<string, string>
}

interface MarketRequest {
  /** An explicitly requested locale. Refused if no store offers it. */
  readonly locale?: string | undefined
  readonly currency?: string | undefined
  /** Excludes stores that do not sell there. */
  readonly country?: string | undefined
  readonly languages: readonly string[]
}

/** The defaults of a marketplace without stores. */
const EMPTY_MARKET = { currency: 'EUR', locale: 'en' }

/**
 * The default locale of these stores: the first of the site's locales that one of them offers, else the one that most of them list
 * first.
 */
export function defaultLocaleOf(stores: readonly StoreRow[]): string {
  const ofSite = matchLocale(stores[0]?.site_locales ?? [], localesOf(stores))
  return ofSite ?? mostCommon(stores.map((store) => store.locales[0]!)) ?? EMPTY_MARKET.locale
}

function localesOf(stores: readonly StoreRow[]): readonly string[] {
  return [...new Set(stores.flatMap((store) => store.locales))]
}

/**
 * Chooses currency and language. The default currency is the one that most stores list first.
 *
 * Refusals: `validation_failed` for an unknown country, `unsupported_locale`, `unsupported_currency`.
 *
 * @param offering the stores whose languages and currencies can be requested
 */
export function resolveMarket(all: readonly StoreRow[], request: MarketRequest, offering = all): Market {
  const { currency: requestedCurrency, country } = request
  refuseUnknownCountry(country)
  const defaultLocale = defaultLocaleOf(all)
  const locale = requestedLocale(all, request, { offering, defaultLocale })
  const currencies = new Set(offering.flatMap((store) => store.currencies))
  if (requestedCurrency !== undefined && all.length > 0 && !currencies.has(requestedCurrency)) {
    refuse('unsupported_currency', unsupported('currency', requestedCurrency, [...currencies]))
  }
  const stores = country === undefined ? all : all.filter((store) => store.countries.includes(country))
  return {
    stores,
    storesById: new Map(stores.map((store) => [store.id, store])),
    currency: requestedCurrency ?? mostCommon(all.map((store) => store.currencies[0]!)) ?? EMPTY_MARKET.currency,
    locale,
    defaultLocale,
    localeByStore: new Map(
      stores.map((store) => [store.id, lookUpLocale([locale, ...request.languages], store.locales, store.locales[0]!)]),
    ),
  }
}

/**
 * The market of one store. All languages and currencies of the marketplace can be requested, so that both paths of a product give
 * the same answer.
 */
export async function resolveStoreMarket(reader: Reader, store: StoreRow, request: MarketRequest): Promise<Market> {
  const isRequested = request.locale !== undefined || request.currency !== undefined
  return resolveMarket([store], request, isRequested ? [store, ...(await listOpenStores(reader))] : [store])
}

function requestedLocale(
  stores: readonly StoreRow[],
  { locale, languages }: MarketRequest,
  { offering, defaultLocale }: { readonly offering: readonly StoreRow[]; readonly defaultLocale: string },
): string {
  if (locale === undefined || stores.length === 0) return lookUpLocale(languages, localesOf(stores), defaultLocale)
  const available = localesOf(offering)
  return matchLocale([locale], available) ?? refuse('unsupported_locale', unsupported('locale', locale, available))
}

/** Refuses a code that is not a country. For a country without stores, lists are empty. */
function refuseUnknownCountry(country: string | undefined): void {
  if (country === undefined || COUNTRIES.includes(country)) return
  refuseField('country', 'not_supported', `${country} is not an ISO 3166-1 alpha-2 country.`)
}

/** The stores and languages that misspelled words are corrected from, served languages first. */
export function spokenIn({ stores, storesById, localeByStore }: Market) {
  return { storeIds: [...storesById.keys()], locales: [...new Set([...localeByStore.values(), ...localesOf(stores)])] }
}

/** The most frequent value; the first of equals. */
function mostCommon(values: readonly string[]): string | undefined {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return [...counts].reduce<[string, number] | undefined>(
    (best, each) => (best && best[1] >= each[1] ? best : each),
    undefined,
  )?.[0]
}

function unsupported(field: string, value: string, offered: readonly string[]) {
  const message = `${value} is not available. Available: ${offered.join(', ')}.`
  return { faults: [{ field, code: 'not_allowed', message: message.slice(0, 300) }] }
}

const anyStore = statement<{ exists: boolean }>('catalog.any_store', 'select exists (select from stores) as exists')

/** Whether any store exists. The demo is loaded only into an empty database. */
export async function storesExist(reader: Reader): Promise<boolean> {
  return (await reader.row(anyStore))?.exists ?? false
}
