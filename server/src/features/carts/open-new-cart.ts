import type { CreatePublicCartRequest } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'
import { refuse, refuseField } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../platform/http/handler.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { defaultLocaleOf, listVisibleStores, sellableSkusOf } from '../catalog/index.ts'
import { openCart } from './cart.ts'
import type { LoadedCart } from './load-cart.ts'
import { lineInput, readNamedSkus } from './skus.ts'

/**
 * Resolves a customer token to a customer id, or `null` if it is not a valid token of this installation. Injected, because
 * hosted login, which issues the tokens, ranks above carts.
 */
export type FindCustomer = (
  reader: Reader,
  token: string,
  context: Pick<WriteContext, 'principal' | 'now'>,
) => Promise<string | null>

/**
 * Build a cart from a request, with the facts of its SKUs, without storing it. One round trip.
 *
 * Refusals: `validation_failed`, `unsupported_currency`, `unsupported_locale`, and those of `openCart`.
 */
export async function openNewCart(
  findCustomer: FindCustomer,
  request: CreatePublicCartRequest,
  context: WriteContext,
): Promise<LoadedCart> {
  const { tx, principal, ids, now } = context
  const { currency, country, lines = [], contact = null, metadata = {} } = request
  const skuIds = lines.map((line) => line.skuId)
  const [customerId, stores, rows] = await Promise.all([
    customerOf(findCustomer, request.customerToken, context),
    listVisibleStores(tx, principal),
    readNamedSkus(tx, principal, { skuIds, held: false, currency }),
  ])
  refuseUnsupported(stores, request)
  const locale = localeOf(stores, request.locale, context.languages)
  const skus = sellableSkusOf(rows, [locale])
  const cart = openCart({
    id: ids.next('cart'),
    installationId: principal.installationId,
    environment: principal.environment,
    storeId: principal.storeId,
    customerId,
    currency,
    country,
    locale,
    contact,
    metadata,
    now,
    lines: lines.map((line, index) => {
      return { ...lineInput(line, skus, principal), fieldPrefix: `lines/${index}/`, lineId: ids.next('line') }
    }),
  })
  return { cart, skus }
}

/** The customer of a token, `null` without a token. Refusals: `validation_failed`. */
async function customerOf(
  findCustomer: FindCustomer,
  token: string | undefined,
  context: Pick<WriteContext, 'tx' | 'principal' | 'now'>,
): Promise<string | null> {
  if (token === undefined) return null
  return (await findCustomer(context.tx, token, context)) ?? refuseCustomerToken()
}

export function refuseCustomerToken(): never {
  refuseField('customerToken', 'invalid', 'The customer token has expired or belongs to another installation.')
}

type VisibleStore = Awaited<ReturnType<typeof listVisibleStores>>[number]

/** The currencies, countries and locales of a store, the default first. */
interface Supported {
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  readonly locales: readonly string[]
}

function refuseUnsupported(stores: readonly Supported[], request: { currency: string; country: string }): void {
  const currencies = supported(stores, 'currencies')
  const countries = supported(stores, 'countries')
  if (!countries.includes(request.country)) refuse('validation_failed', notSupported('country', countries))
  if (!currencies.includes(request.currency)) refuse('unsupported_currency', notSupported('currency', currencies))
}

/** The requested locale, which must be supported; without one the best match for the caller's languages, else the default. */
function localeOf(
  stores: readonly VisibleStore[],
  requested: string | undefined,
  languages: readonly string[],
): string {
  const locales = supported(stores, 'locales')
  if (requested === undefined) return matchLocale(languages, locales) ?? defaultLocaleOf(stores)
  return matchLocale([requested], locales) ?? refuse('unsupported_locale', notSupported('locale', locales))
}

function supported(stores: readonly Supported[], what: keyof Supported): readonly string[] {
  return [...new Set(stores.flatMap((store) => store[what]))]
}

/** The number of values that a message lists at most. */
const LISTED_MAX = 40

function notSupported(field: string, values: readonly string[]) {
  const message = `Supported: ${values.slice(0, LISTED_MAX).join(', ') || 'none'}.`
  return { faults: [{ field, code: 'not_supported', message }] }
}
