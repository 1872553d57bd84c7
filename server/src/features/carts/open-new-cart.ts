import type { CreatePublicCartRequest } from '@vitrine/contract'
import { matchLocale } from '../../kernel/locale.ts'
import { refuse } from '../../kernel/refusal.ts'
import type { WriteContext } from '../../platform/http/handler.ts'
import { sellableSkusOf, listVisibleStores } from '../catalog/index.ts'
import { openCart } from './cart.ts'
import { readNamedSkus } from './cart-skus.ts'
import { customerOf, type FindCustomer } from './customer-token.ts'
import type { LoadedCart } from './load-cart.ts'
import { wishOf } from './wishes.ts'

/**
 * A cart as a request describes it, with what is true of its SKUs; it is not stored yet. One round trip.
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
    wishes: lines.map((line, index) => {
      return { ...wishOf(line, skus, principal, `/lines/${index}`), lineId: ids.next('line') }
    }),
  })
  return { cart, skus }
}

/** What a store offers. The first of each is its default. */
interface Offering {
  readonly currencies: readonly string[]
  readonly countries: readonly string[]
  readonly locales: readonly string[]
}

function refuseUnsupported(stores: readonly Offering[], asked: { currency: string; country: string }): void {
  const currencies = offered(stores, 'currencies')
  const countries = offered(stores, 'countries')
  if (!countries.includes(asked.country)) refuse('validation_failed', told('country', countries))
  if (!currencies.includes(asked.currency)) refuse('unsupported_currency', told('currency', currencies))
}

/** The locale that was asked for, which must be offered; else the best for the caller's languages, else the default. */
function localeOf(stores: readonly Offering[], asked: string | undefined, languages: readonly string[]): string {
  const locales = offered(stores, 'locales')
  if (asked === undefined) return matchLocale(languages, locales) ?? locales[0]!
  return matchLocale([asked], locales) ?? refuse('unsupported_locale', told('locale', locales))
}

function offered(stores: readonly Offering[], what: keyof Offering): readonly string[] {
  return [...new Set(stores.flatMap((store) => store[what]))]
}

/** As many as a message shows. */
const TOLD_MAX = 40

function told(field: string, values: readonly string[]) {
  const message = `Offered here: ${values.slice(0, TOLD_MAX).join(', ') || 'none'}.`
  return { details: [{ in: 'body' as const, pointer: `/${field}`, code: 'not_supported', message }] }
}
