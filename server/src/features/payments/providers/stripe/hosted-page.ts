import type { Stripe } from 'stripe'
import { type Language, languageOf } from '../../../../kernel/languages/languages.ts'
import type { OrderToPay, PostalAddress, ProviderCall } from '../provider.ts'
import { METADATA } from './answers.ts'
import type { StripeSettings } from './client.ts'

/** Stripe refuses more lines. */
const LINES_MAX = 100
const NAME_CHARACTERS_MAX = 250
/** The languages that are passed to Stripe. For any other, the page follows the browser. */
const LOCALES = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pl',
  'pt',
  'da',
  'sv',
  'fi',
  'nb',
  'cs',
  'hu',
  'ja',
  'zh',
] as const

/**
 * The request for a hosted payment page. It depends only on stored data, because Stripe refuses a different request under the same
 * key.
 */
export function hostedPage(
  call: ProviderCall,
  order: OrderToPay,
  { pagesUrl, capture }: Pick<StripeSettings, 'capture'> & { readonly pagesUrl: string },
): Stripe.Checkout.SessionCreateParams {
  const metadata = { [METADATA.intent]: call.intentId, [METADATA.key]: call.authorizeKey }
  const { email, locale, shippingAddress, phone } = order
  const language = locale.split('-')[0]
  return {
    mode: 'payment',
    client_reference_id: call.intentId,
    metadata,
    line_items: linesOf(call, order),
    locale: LOCALES.find((each) => each === language) ?? 'auto',
    ...(email !== null && { customer_email: email }),
    payment_intent_data: {
      capture_method: capture[call.environment] === 'automatic' ? 'automatic_async' : 'manual',
      metadata: { ...metadata, vitrine_session: order.sessionId },
      ...(shippingAddress && { shipping: shippingOf(shippingAddress, phone) }),
    },
    success_url: `${pagesUrl}${call.returnPath}`,
    cancel_url: `${pagesUrl}${call.abandonPath}`,
  }
}

const TEXTS: Readonly<Record<Language, { readonly shipping: string; readonly total: string }>> = {
  en: { shipping: 'Shipping', total: 'Total' },
  de: { shipping: 'Versand', total: 'Gesamtbetrag' },
}

/** The order's lines, then shipping. If they cannot add up to the amount or are too many, one line with the total. */
function linesOf(
  { amount, currency }: ProviderCall,
  { lines, locale }: OrderToPay,
): Stripe.Checkout.SessionCreateParams.LineItem[] {
  const item = (name: string, of: bigint) => ({
    quantity: 1,
    price_data: {
      currency: currency.toLowerCase(),
      unit_amount: Number(of),
      product_data: { name: name.slice(0, NAME_CHARACTERS_MAX) },
    },
  })
  const items = lines.map((line) =>
    item(line.quantity === 1 ? line.name : `${line.quantity} × ${line.name}`, line.amount),
  )
  const rest = amount - lines.reduce((sum, line) => sum + line.amount, 0n)
  const { shipping, total } = TEXTS[languageOf(locale)]
  if (rest < 0n || items.length >= LINES_MAX) return [item(total, amount)]
  return rest === 0n ? items : [...items, item(shipping, rest)]
}

function shippingOf(
  address: PostalAddress,
  phone: string | null,
): Stripe.Checkout.SessionCreateParams.PaymentIntentData.Shipping {
  const { recipientName, line1, line2, city, region, postalCode, countryCode } = address
  return {
    name: recipientName,
    ...(phone !== null && { phone }),
    address: {
      line1,
      city,
      country: countryCode,
      ...(line2 !== undefined && { line2 }),
      ...(region !== undefined && { state: region }),
      ...(postalCode !== undefined && { postal_code: postalCode }),
    },
  }
}
