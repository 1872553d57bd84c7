import type { Cart, CheckoutReadiness } from '@vitrine/sdk'
import { VitrineError } from '@vitrine/sdk'
import { storesOf } from '../stores.ts'
import type { Page } from '../ui/layout.tsx'
import { Totals } from '../ui/totals.tsx'
import { currentCart, href, type Visit } from '../visit.ts'

const FIELDS = ['recipientName', 'line1', 'line2', 'postalCode', 'city', 'region', 'countryCode'] as const
const AUTOCOMPLETE = {
  email: 'email',
  recipientName: 'name',
  line1: 'address-line1',
  line2: 'address-line2',
  postalCode: 'postal-code',
  city: 'address-level2',
  region: 'address-level1',
  countryCode: 'country',
} as const
type Field = keyof typeof AUTOCOMPLETE
type Faults = Partial<Record<Field, string>>
export type Form = Readonly<Record<string, string>>

/** Address, shipping, and a signed total; then the hosted checkout takes the payment. `null`: there is nothing to buy. */
export async function checkoutPage(visit: Visit, typed: Form | null = null, faults: Faults = {}): Promise<Page | null> {
  const cart = await currentCart(visit)
  if (!cart || cart.lines.length === 0) return null
  const { client, texts, url } = visit
  const isEditing =
    typed !== null ||
    url.searchParams.has('address') ||
    (ships(cart) ? cart.addressState.status !== 'complete' : !cart.contact?.email)
  const [readiness, stores] = await Promise.all([
    isEditing ? null : client.call('quotePublicCartCheckout', { params: { cartId: cart.id } }),
    storesOf(visit),
  ])
  const names = new Map(stores.map(({ id, name }) => [id, name]))
  return {
    title: texts.checkout,
    main: (
      <>
        <h1>{texts.deliveryAndReview}</h1>
        <div class="with-summary">
          {readiness ? (
            <Delivery visit={visit} cart={cart} readiness={readiness} names={names} />
          ) : (
            <AddressForm visit={visit} cart={cart} typed={typed} faults={faults} />
          )}
          <aside class="summary">
            <ul class="small">
              {cart.lines.map(({ name, quantity }) => (
                <li>
                  {quantity} × {name}
                </li>
              ))}
            </ul>
            <Totals visit={visit} totals={cart.totals} />
          </aside>
        </div>
      </>
    ),
  }
}

function AddressForm({ visit, cart, typed, faults }: { visit: Visit; cart: Cart; typed: Form | null; faults: Faults }) {
  const { texts, bootstrap, formats, country } = visit
  const known: Form = {
    countryCode: country,
    ...(cart.shippingAddress as Form | undefined),
    email: cart.contact?.email ?? '',
  }
  const values = typed ?? known
  const described = (name: Field) =>
    faults[name] ? { 'aria-invalid': 'true' as const, 'aria-describedby': `${name}-error` } : {}
  return (
    <form method="post" action={href(visit, '/checkout/address')} class="stack" novalidate>
      <h2>{texts.yourAddress}</h2>
      {(ships(cart) ? (['email', ...FIELDS] as const) : (['email'] as const)).map((name) => (
        <label class={name} for={name}>
          {texts.fields[name]}
          {name === 'countryCode' ? (
            <select id={name} name={name} autocomplete="country">
              {bootstrap.countries.map((code) => (
                <option value={code} selected={code === values.countryCode}>
                  {formats.country(code)}
                </option>
              ))}
            </select>
          ) : (
            <input
              id={name}
              name={name}
              type={(name === 'email' ? 'email' : 'text') as 'text'}
              autocomplete={AUTOCOMPLETE[name]}
              value={values[name] ?? ''}
              maxLength={200}
              {...described(name)}
            />
          )}
          {faults[name] && (
            <span class="error" id={`${name}-error`}>
              {faults[name]}
            </span>
          )}
        </label>
      ))}
      <button type="submit">{ships(cart) ? texts.saveAddress : texts.proceed}</button>
    </form>
  )
}

interface DeliveryProps {
  readonly visit: Visit
  readonly cart: Cart
  readonly readiness: CheckoutReadiness
  /** Of stores, by id. */
  readonly names: ReadonlyMap<string, string>
}

function Delivery({ visit, cart, readiness, names }: DeliveryProps) {
  const { texts, formats } = visit
  const stores = [...new Set(cart.shippingOptions.map(({ storeId }) => storeId))]
  const { quote, blockers } = readiness
  const address = cart.shippingAddress
  return (
    <div>
      {address && (
        <section>
          <h2>{texts.shipTo}</h2>
          <p>
            {[
              address.recipientName,
              address.line1,
              address.line2,
              `${address.postalCode ?? ''} ${address.city}`,
              formats.country(address.countryCode),
            ]
              .filter(Boolean)
              .map((line) => (
                <>
                  {line}
                  <br />
                </>
              ))}
          </p>
          <a href={href(visit, '/checkout?address')}>{texts.changeAddress}</a>
        </section>
      )}
      {stores.length > 0 && (
        <form method="post" action={href(visit, '/checkout/shipping')} data-auto class="stack">
          <h2>{texts.shippingMethod}</h2>
          {stores.map((storeId) => {
            const options = cart.shippingOptions.filter((option) => option.storeId === storeId)
            const selected = cart.selectedShipping.find((each) => each.storeId === storeId)?.optionId
            return (
              <fieldset>
                <legend class={stores.length > 1 ? undefined : 'visually-hidden'}>{names.get(storeId)}</legend>
                {options.map(({ id, name, price, delivery }) => (
                  <label class="choice">
                    <input type="radio" name={storeId} value={id} checked={id === selected} />
                    <span>
                      {name} <span class="small">{texts.days(delivery.minDays, delivery.maxDays)}</span>
                    </span>
                    <span>{price.amount === 0 ? texts.free : formats.money(price)}</span>
                  </label>
                ))}
              </fieldset>
            )
          })}
          <noscript>
            <button type="submit" class="quiet">
              {texts.chooseShipping}
            </button>
          </noscript>
        </form>
      )}
      {blockers.map(({ message }) => (
        <p class="notice bad">{message}</p>
      ))}
      <form method="post" action={href(visit, '/checkout')} class="stack" data-reload>
        {quote?.status === 'in_force' && (
          <p class="good">
            {texts.priceHeld(formats.time(quote.expiresAt))} <span class="small">{texts.priceSigned}</span>
          </p>
        )}
        {blockers.length === 0 && <button type="submit">{texts.toPayment}</button>}
      </form>
    </div>
  )
}

/** Saves an address, or the email address alone where nothing is shipped. @returns the fields that the service refuses */
export async function saveAddress(visit: Visit, form: Form): Promise<Faults | null> {
  const { client, texts } = visit
  const { email = '', ...typed } = form
  const cart = await currentCart(visit)
  const isShipped = !cart || ships(cart)
  const faults: Faults = {}
  const required = isShipped ? (['email', 'recipientName', 'line1', 'city'] as const) : (['email'] as const)
  for (const name of required) if (!form[name]) faults[name] = texts.required
  if (Object.keys(faults).length > 0) return faults
  const shipping = Object.fromEntries(FIELDS.flatMap((name) => (typed[name] ? [[name, typed[name]]] : [])))
  try {
    const saved = await client.call('setPublicCartAddress', {
      params: { cartId: cart?.id ?? '' },
      body: { ...(isShipped && { shipping: shipping as never }), contact: { email } },
    })
    if (isShipped) {
      for (const name of saved.addressState.missing) faults[name as Field] = texts.required
      for (const name of saved.addressState.invalid) faults[name as Field] = texts.checkField
    }
    if (Object.keys(faults).length > 0) return faults
    // What is preselected is shown next, so that the hosted checkout need not ask again.
    await chooseShipping(
      visit,
      saved.selectedShipping.map(({ optionId }) => optionId),
    )
    return null
  } catch (error) {
    if (!(error instanceof VitrineError) || error.answer.status !== 400) throw error
    for (const { pointer } of error.answer.details)
      faults[(pointer?.split('/').at(-1) ?? '') as Field] = texts.checkField
    return faults
  }
}

const ships = ({ lines }: Cart) => lines.some(({ requiresShipping }) => requiresShipping !== false)

/** Chooses one shipping option of each store. */
export async function chooseShipping({ client, session }: Visit, options: readonly string[]): Promise<void> {
  const params = { cartId: session.cartId ?? '' }
  if (options.length > 0) {
    await client.call('setPublicCartAddress', { params, body: { shippingOptionId: options.join('+') } })
  }
  await holdPrice({ client, session })
}

/** Asks for a signed quote, so that the shopper sees how long the total is guaranteed. */
function holdPrice({ client, session }: Pick<Visit, 'client' | 'session'>) {
  return client.call('quotePublicCart', { params: { cartId: session.cartId ?? '' }, body: {} })
}

/** Begins the hosted checkout with the quote that was shown, or a new one. @returns where the shopper pays */
export async function beginCheckout(visit: Visit): Promise<string> {
  const { client, session, shop } = visit
  const params = { cartId: session.cartId ?? '' }
  const { quote } = await client.call('quotePublicCartCheckout', { params })
  const { id: quoteId } = quote?.status === 'in_force' ? quote : await holdPrice(visit)
  const body = {
    quoteId,
    returnUrl: `${shop.config.url}/checkout/return`,
    cancelUrl: `${shop.config.url}/checkout/cancel`,
  }
  const { url } = await client.call('checkoutPublicCart', { params, body })
  return url ?? fail('The service named no checkout page.')
}

/** The hosted checkout of a locked cart. */
export async function openCheckout(visit: Visit): Promise<{ id: string; url: string } | null> {
  const cart = await currentCart(visit)
  if (!cart?.checkoutSessionId) return null
  const { id, url } = await visit.client.call('getHostedCheckoutSession', {
    params: { sessionId: cart.checkoutSessionId },
  })
  return url ? { id, url } : null
}

function fail(message: string): never {
  throw new Error(message)
}

/** After the hosted checkout: the order, or what is known of the payment. */
export function confirmingPage({ texts, url }: Visit): Page {
  return {
    title: texts.confirming,
    refresh: 3,
    main: (
      <section class="narrow" aria-busy="true">
        <h1>{texts.confirming}</h1>
        <p>{texts.confirmingText}</p>
        <p>
          <a href={url.pathname + url.search}>{texts.update}</a>
        </p>
      </section>
    ),
  }
}
