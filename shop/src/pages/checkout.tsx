import type { Address, Cart, CheckoutReadiness } from '@vitrine/sdk'
import type { Answer, Form as FormFields } from '../app.tsx'
import { currentCart } from '../carts.ts'
import { requiredIn } from '../market.ts'
import { storesOf } from '../stores.ts'
import { ButtonLink, ButtonWithoutScript, Empty, Field, Form, Link, Select, Time, useVisit } from '../ui/elements.tsx'
import type { Page } from '../ui/layout.tsx'
import { Picture } from '../ui/products.tsx'
import { lineAmount, Totals } from '../ui/totals.tsx'
import { href, isRefused, isShipped, rememberCart, type Visit } from '../visit.ts'
import { aboutLine, noticeOf } from './cart.tsx'

/** The fields of an address, with their `autocomplete` values. */
const AUTOCOMPLETE = {
  recipientName: 'name',
  line1: 'address-line1',
  line2: 'address-line2',
  postalCode: 'postal-code',
  city: 'address-level2',
  region: 'address-level1',
} as const
const ADDRESS_FIELDS = Object.keys(AUTOCOMPLETE) as (keyof typeof AUTOCOMPLETE)[]
const REQUIRED = ['recipientName', 'line1', 'city'] as const
type Faults = Record<string, string>

const toCart = (visit: Visit) => href(visit, '/cart')
const toCheckout = (visit: Visit) => href(visit, '/checkout')

/** Address, shipping and a signed total; then the hosted checkout takes the payment. An empty cart redirects to the cart page. */
export async function checkoutPage(
  visit: Visit,
  typed: FormFields | null = null,
  faults: Faults = {},
): Promise<Answer> {
  const cart = await currentCart(visit)
  // The cart page says that a locked cart is being paid, and offers to continue or to cancel.
  if (!cart || cart.lines.length === 0 || cart.status === 'locked') return toCart(visit)
  const { client, texts, url } = visit
  const isKnown = isShipped(cart) ? cart.addressState.status === 'complete' : Boolean(cart.contact?.email)
  const isReady = isKnown && typed === null && !url.searchParams.has('edit')
  const [readiness, stores] = await Promise.all([
    isReady ? client.quotePublicCartCheckout({ params: { cartId: cart.id } }) : null,
    storesOf(visit),
  ])
  const missing = readiness && missingForTax(visit, cart, readiness)
  const names = new Map(stores.map(({ store }) => [store.id, store.name]))
  return {
    title: texts.checkout,
    main: (
      <>
        <h1>{isShipped(cart) ? texts.deliveryAndReview : texts.review}</h1>
        <div class="with-summary">
          {readiness && !missing ? (
            <Review cart={cart} readiness={readiness} names={names} />
          ) : (
            <AddressForm
              cart={cart}
              typed={typed}
              faults={missing ?? faults}
              hasAddress={
                isShipped(cart) || missing !== null || (typed ? hasAddressIn(typed) : 'billingAddress' in cart)
              }
            />
          )}
          <aside class="summary">
            <ul class="lines small">
              {cart.lines.map(({ name, image, quantity, ...line }) => (
                <li>
                  {image && <Picture image={image} width={56} />}
                  <span>
                    {quantity} × {name}
                  </span>
                  <span class="price">{visit.formats.money(lineAmount(line))}</span>
                </li>
              ))}
            </ul>
            <Totals totals={cart.totals} isShipped={isShipped(cart)} />
          </aside>
        </div>
      </>
    ),
  }
}

/** The errors of the billing address if nothing is shipped and tax needs more of it, otherwise `null`. */
function missingForTax(visit: Visit, cart: Cart, { blockers }: CheckoutReadiness): Faults | null {
  const missing = blockers.flatMap(({ code, path }) => {
    const [, address, field] = /^\/(billing|shipping)Address(?:\/(.+))?$/.exec(path) ?? []
    return address
      ? [[field ?? '', code === 'address_invalid' ? invalidText(visit, field ?? '') : visit.texts.required] as const]
      : []
  })
  return isShipped(cart) || missing.length === 0 ? null : Object.fromEntries(missing)
}

const hasAddressIn = (form: FormFields) => form.recipientName !== undefined

interface AddressFormProps {
  readonly cart: Cart
  readonly typed: FormFields | null
  readonly faults: Faults
  readonly hasAddress: boolean
}

/** The address, or only the email address if nothing is shipped and tax needs no address. */
function AddressForm({ cart, typed, faults, hasAddress }: AddressFormProps) {
  const { texts, bootstrap, formats, country } = useVisit()
  const { shippingAddress, billingAddress = shippingAddress } = cart
  const address = isShipped(cart) ? shippingAddress : billingAddress
  const known = { countryCode: country, ...address, email: cart.contact?.email } as FormFields
  const values = typed ?? known
  return (
    <Form to="/checkout/address" class="address" novalidate>
      <h2>{isShipped(cart) ? texts.yourAddress : hasAddress ? texts.billTo : texts.yourEmail}</h2>
      {!isShipped(cart) && <p class="small">{hasAddress ? texts.billToText : texts.yourEmailText}</p>}
      <Field
        name="email"
        label={texts.fields.email}
        type="email"
        autocomplete="email"
        value={values.email}
        fault={faults.email}
      />
      {hasAddress &&
        ADDRESS_FIELDS.map((name) => (
          <Field
            name={name}
            label={texts.fields[name]}
            autocomplete={AUTOCOMPLETE[name]}
            value={values[name]}
            fault={faults[name]}
          />
        ))}
      {hasAddress && (
        <Select
          label={texts.fields.countryCode}
          name="countryCode"
          autocomplete="country"
          options={bootstrap.countries.map((code) => [code, formats.country(code)])}
          selected={values.countryCode}
        />
      )}
      <button type="submit">{isShipped(cart) ? texts.toShipping : texts.toReview}</button>
    </Form>
  )
}

interface ReviewProps {
  readonly cart: Cart
  readonly readiness: CheckoutReadiness
  /** The names of the stores, by ID. */
  readonly names: ReadonlyMap<string, string>
}

function Review({ cart, readiness: { quote, blockers }, names }: ReviewProps) {
  const { texts } = useVisit()
  const { contact } = cart
  const address = isShipped(cart) ? cart.shippingAddress : cart.billingAddress
  return (
    <div>
      <section>
        <h2>{address ? (isShipped(cart) ? texts.shipTo : texts.billTo) : texts.yourEmail}</h2>
        <p>
          {contact?.email}
          {address && <PostalAddress address={address} />}
        </p>
        <Link to="/checkout?edit">{texts.change}</Link>
      </section>
      <ShippingForm cart={cart} names={names} />
      {cart.messages
        .filter(({ code }) => code === 'price_changed')
        .map(({ path, text }) => (
          <p class="notice">{aboutLine(cart, path, text)}</p>
        ))}
      {blockers.map(({ path, message }) => (
        <p class="notice bad">{aboutLine(cart, path, message)}</p>
      ))}
      {blockers.length > 0 && <ButtonLink to="/cart">{texts.viewCart}</ButtonLink>}
      <Form to="/checkout" class="stack" data-reload>
        {blockers.length === 0 && quote?.status === 'in_force' && (
          <p>
            <strong class="good">{texts.priceHeld(<Time at={quote.expiresAt} time="short" />)}</strong>{' '}
            <span class="small">{texts.priceSigned}</span>
          </p>
        )}
        {blockers.length === 0 && <button type="submit">{texts.toPayment}</button>}
      </Form>
    </div>
  )
}

/** An address as on a shipping label. */
export function PostalAddress({ address }: { address: Address }) {
  const { formats } = useVisit()
  const { recipientName, line1, line2, postalCode, city, region, countryCode } = address
  const lines = [
    recipientName,
    line1,
    line2,
    (region ? [city, region, postalCode] : [postalCode, city]).filter(Boolean).join(' '),
    formats.country(countryCode),
  ]
  return <span class="postal">{lines.filter(Boolean).join('\n')}</span>
}

/** One choice for each store that ships. */
function ShippingForm({ cart, names }: Pick<ReviewProps, 'cart' | 'names'>) {
  const { texts, formats } = useVisit()
  const stores = [...new Set(cart.shippingOptions.map(({ storeId }) => storeId))]
  if (stores.length === 0) return null
  return (
    <Form to="/checkout/shipping" data-auto class="stack">
      <h2>{texts.shippingMethod}</h2>
      {stores.map((storeId) => (
        <fieldset class="options-list">
          <legend class={stores.length > 1 ? undefined : 'visually-hidden'}>{names.get(storeId)}</legend>
          {cart.shippingOptions
            .filter((option) => option.storeId === storeId)
            .map(({ id, name, price, delivery }) => (
              <label class="choice">
                <input
                  type="radio"
                  name={storeId}
                  value={id}
                  checked={cart.selectedShipping.some(({ optionId }) => optionId === id)}
                />
                <span>
                  {name} <span class="small">{texts.days(delivery.minDays, delivery.maxDays)}</span>
                </span>
                <span>{price.amount === 0 ? texts.free : formats.money(price)}</span>
              </label>
            ))}
        </fieldset>
      ))}
      <ButtonWithoutScript>{texts.chooseShipping}</ButtonWithoutScript>
    </Form>
  )
}

/** Saves the address. An error is shown at each field that the service refuses. */
export async function saveAddress(visit: Visit, form: FormFields): Promise<Answer> {
  const cart = await currentCart(visit)
  if (!cart) return toCart(visit)
  return orToCart(visit, async () => {
    const faults = await refusedFields(visit, cart, form)
    if (Object.keys(faults).length === 0) return toCheckout(visit)
    const page = await checkoutPage(visit, form, faults)
    return typeof page === 'object' && page ? { ...page, status: 400 } : page
  })
}

/** Takes a step of the checkout. If it is refused, such as for a product that is gone, the cart shows a notice. */
async function orToCart(visit: Visit, step: () => Promise<Answer>): Promise<Answer> {
  try {
    return await step()
  } catch (error) {
    visit.session.notice = { tone: 'bad', text: noticeOf(visit, error) }
    return toCart(visit)
  }
}

async function refusedFields(visit: Visit, cart: Cart, form: FormFields): Promise<Faults> {
  const { client, texts } = visit
  const hasAddress = isShipped(cart) || hasAddressIn(form)
  const required = hasAddress ? ['email', ...REQUIRED] : ['email']
  const missing = required.filter((name) => !form[name])
  if (missing.length > 0) {
    const ofCountry = hasAddress ? requiredIn(form.countryCode ?? '').filter((name) => !form[name]) : []
    return Object.fromEntries([...missing, ...ofCountry].map((name) => [name, texts.required]))
  }
  const filled = [...ADDRESS_FIELDS, 'countryCode'].filter((name) => form[name])
  const address = Object.fromEntries(filled.map((name) => [name, form[name]])) as never
  try {
    const { addressState, selectedShipping } = await client.setPublicCartAddress({
      params: { cartId: cart.id },
      body: {
        ...(hasAddress && { [isShipped(cart) ? 'shipping' : 'billing']: address }),
        contact: { email: form.email! },
      },
    })
    const faults = [
      ...addressState.missing.map((name) => [name, texts.required] as const),
      ...addressState.invalid.map((name) => [name, invalidText(visit, name)] as const),
    ]
    if (hasAddress && faults.length > 0) return Object.fromEntries(faults)
    // Choose the preselected options, so that the hosted checkout need not ask for them again.
    const options = selectedShipping.map(({ optionId }) => optionId)
    await quoteWith(visit, options)
    return {}
  } catch (error) {
    if (!isRefused(error, 'validation_failed', 'address_invalid')) throw error
    const { details } = error.answer
    const names = details.map(({ pointer = '' }) => pointer.split('/').at(-1) ?? '')
    return Object.fromEntries(names.map((name) => [name, invalidText(visit, name)]))
  }
}

const invalidText = ({ texts }: Visit, field: string): string =>
  texts.checkFields[field as keyof typeof texts.checkFields] ?? texts.checkField

/** Chooses one shipping option of each store. */
export function chooseShipping(visit: Visit, options: readonly string[]): Promise<Answer> {
  return orToCart(visit, async () => {
    await quoteWith(visit, options)
    return toCheckout(visit)
  })
}

/** Requests a signed quote with these shipping options, which has the time until which the total is guaranteed. */
async function quoteWith({ client, session }: Visit, options: readonly string[]): Promise<void> {
  const params = { cartId: session.cartId ?? '' }
  if (options.length > 0) {
    await client.setPublicCartAddress({ params, body: { shippingOptionId: options.join('+') } })
  }
  await client.quotePublicCart({ params, body: {} })
}

/** Begins the hosted checkout with the quote that was shown, or a new one. */
export function beginCheckout(visit: Visit): Promise<Answer> {
  const { client, session, shop } = visit
  const params = { cartId: session.cartId ?? '' }
  return orToCart(visit, async () => {
    try {
      const { quote } = await client.quotePublicCartCheckout({ params })
      const { id: quoteId } = quote?.status === 'in_force' ? quote : await client.quotePublicCart({ params, body: {} })
      const body = {
        quoteId,
        returnUrl: `${shop.config.url}/checkout/return`,
        cancelUrl: `${shop.config.url}/checkout/cancel`,
      }
      const { url } = await client.checkoutPublicCart({ params, body })
      return url ?? toCart(visit)
    } catch (error) {
      // The button was pressed twice.
      if (isRefused(error, 'cart_locked')) return continueCheckout(visit)
      throw error
    }
  })
}

/** Returns to the hosted checkout of a locked cart. */
export async function continueCheckout(visit: Visit): Promise<Answer> {
  const cart = await currentCart(visit)
  if (!cart?.checkoutSessionId) return toCart(visit)
  const { url } = await visit.client.getHostedCheckoutSession({ params: { sessionId: cart.checkoutSessionId } })
  return url ?? toCart(visit)
}

/** Cancels the hosted checkout, so that the cart can be changed. */
export async function editCart(visit: Visit): Promise<Answer> {
  const cart = await currentCart(visit)
  return orToCart(visit, async () => {
    if (cart?.checkoutSessionId) {
      const params = { sessionId: cart.checkoutSessionId }
      await visit.client.cancelHostedCheckoutSession({ params, body: { reason: 'customer_request' } })
    }
    return toCart(visit)
  })
}

/** After the hosted checkout: the order, the cart, or the wait for the payment. */
export async function afterCheckout(visit: Visit): Promise<Answer> {
  const { session, client, texts, url } = visit
  const sessionId = url.searchParams.get('sessionId') ?? ''
  const { cartId, orderId, status } = await client.getHostedCheckoutSession({ params: { sessionId } })
  // Only the owner of the cart may see the outcome.
  if (!cartId || cartId !== session.cartId) return href(visit, '/orders')
  if (orderId) {
    session.orderIds = [orderId, ...session.orderIds.filter((id) => id !== orderId)].slice(0, 50)
    delete session.cartId
    rememberCart(visit, null)
    return href(visit, `/orders/${orderId}?new`)
  }
  if (status === 'processing' || status === 'cancel_pending') return waitingPage(visit)
  if (status === 'canceled') session.notice = { tone: 'good', text: texts.checkoutCanceled }
  return toCart(visit)
}

/** Reloads until the outcome of the payment is known. */
function waitingPage({ texts, url }: Visit): Page {
  return {
    title: texts.confirming,
    refresh: 3,
    main: (
      <>
        <div class="waiting" />
        <Empty title={texts.confirming} text={texts.confirmingText}>
          <a href={url.pathname + url.search}>{texts.update}</a>
        </Empty>
      </>
    ),
  }
}
