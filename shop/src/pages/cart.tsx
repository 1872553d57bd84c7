import type { Cart, CartLine } from '@vitrine/sdk'
import { wordFor } from '../texts/index.ts'
import type { Page } from '../ui/layout.tsx'
import { Picture } from '../ui/products.tsx'
import { Totals } from '../ui/totals.tsx'
import { currentCart, href, isRefused, type Visit } from '../visit.ts'

/** The cart with its lines, promotion code and totals. */
export async function cartPage(visit: Visit): Promise<{ page: Page; cart: Cart | null }> {
  const cart = await currentCart(visit)
  return {
    cart,
    page: { title: visit.texts.cart, main: cart && cart.lines.length > 0 ? filled(visit, cart) : empty(visit) },
  }
}

function empty(visit: Visit) {
  return (
    <section class="narrow">
      <h1>{visit.texts.cart}</h1>
      <p>{visit.texts.emptyCart}</p>
      <a class="button" href={href(visit, '/')}>
        {visit.texts.startShopping}
      </a>
    </section>
  )
}

function filled(visit: Visit, cart: Cart) {
  const { texts } = visit
  const isLocked = cart.status === 'locked'
  return (
    <>
      <h1>{texts.cart}</h1>
      {isLocked && (
        <form method="post" action={href(visit, '/checkout/edit')} class="notice">
          <p>{texts.cartLocked}</p>
          <p class="buttons">
            <a class="button" href={href(visit, '/checkout/continue')} data-reload>
              {texts.continuePayment}
            </a>
            <button type="submit" class="quiet">
              {texts.editCart}
            </button>
          </p>
        </form>
      )}
      <div class="with-summary">
        <section>
          {cart.messages.map(({ text, severity }) => (
            <p class={severity === 'blocking' ? 'notice bad' : 'notice'} role="status">
              {text}
            </p>
          ))}
          <ul class="lines">
            {cart.lines.map((line) => (
              <Line visit={visit} line={line} isLocked={isLocked} />
            ))}
          </ul>
        </section>
        <aside class="summary">
          <Totals visit={visit} totals={cart.totals} />
          {!isLocked && <Promotion visit={visit} cart={cart} />}
          {!isLocked && (
            <a class="button" href={href(visit, '/checkout')}>
              {texts.checkout}
            </a>
          )}
        </aside>
      </div>
    </>
  )
}

function Line({ visit, line, isLocked }: { visit: Visit; line: CartLine; isLocked: boolean }) {
  const { texts, formats } = visit
  const { skuId, name, image, optionLabels, quantity, unitPrice, subtotal, total, maxQuantity, availability } = line
  const most = Math.min(maxQuantity, Math.max(quantity, 10))
  return (
    <li>
      {image && <Picture image={image} sizes={120} />}
      <div>
        <h2>{name}</h2>
        {optionLabels.length > 0 && <p class="small">{optionLabels.map(({ value }) => value).join(' · ')}</p>}
        {availability !== 'in_stock' && <p class="small">{wordFor(texts.availability, availability)}</p>}
        <p class="small">{texts.each(formats.money(unitPrice))}</p>
        {!isLocked && (
          <div class="row">
            <form method="post" action={href(visit, `/cart/items/${skuId}`)} data-auto class="row">
              <label>
                <span class="visually-hidden">
                  {texts.quantity}: {name}
                </span>
                <select name="quantity">
                  {Array.from({ length: most }, (_, index) => (
                    <option selected={index + 1 === quantity}>{index + 1}</option>
                  ))}
                </select>
              </label>
              <noscript>
                <button type="submit" class="quiet">
                  {texts.update}
                </button>
              </noscript>
            </form>
            <form method="post" action={href(visit, `/cart/items/${skuId}`)}>
              <input type="hidden" name="quantity" value="0" />
              <button type="submit" class="link" aria-label={`${texts.remove}: ${name}`}>
                {texts.remove}
              </button>
            </form>
          </div>
        )}
      </div>
      <p class="price">
        {total.amount < subtotal.amount && <s>{formats.money(subtotal)}</s>} {formats.money(total)}
      </p>
    </li>
  )
}

/** The one code of a cart. A code that does not apply says why, and what is missing. */
function Promotion({ visit, cart: { promotion } }: { visit: Visit; cart: Cart }) {
  const { texts, formats } = visit
  const { status, code, title, reasonCode, requirement } = promotion
  if (code) {
    return (
      <form method="post" action={href(visit, '/cart/promotion')} class="promotion">
        <p class={status === 'applied' ? 'good' : 'error'} role="status">
          <strong>{code}</strong>{' '}
          {status === 'applied'
            ? texts.codeApplied(title ?? code)
            : reasonCode && wordFor(texts.codeReasons, reasonCode)}{' '}
          {requirement && texts.addForCode(formats.money(requirement.missing))}
        </p>
        <input type="hidden" name="code" value="" />
        <button type="submit" class="link">
          {texts.remove}
        </button>
      </form>
    )
  }
  return (
    <form method="post" action={href(visit, '/cart/promotion')} class="promotion">
      <label>
        {texts.promotionCode}
        <input name="code" maxLength={64} autocomplete="off" required />
      </label>
      <button type="submit" class="quiet">
        {texts.apply}
      </button>
    </form>
  )
}

/** Puts units into the cart, and makes one if there is none. */
export async function addItem(visit: Visit, skuId: string, quantity: number): Promise<Cart> {
  const { client, session } = visit
  const cart = await currentCart(visit)
  if (cart) return client.call('addPublicCartItem', { params: { cartId: cart.id }, body: { skuId, quantity } })
  const made = await newCart(visit, [{ skuId, quantity }])
  session.cartId = made.id
  return made
}

function newCart({ client, session, currency, country, locale }: Visit, lines: { skuId: string; quantity: number }[]) {
  const token = session.customerToken
  const customerToken = token && new Date(token.expiresAt) > new Date() ? { customerToken: token.value } : {}
  return client.call('createPublicCart', { body: { currency, country, locale, lines, ...customerToken } })
}

/** Changes the units of a line; none removes it. */
export async function changeItem({ client, session }: Visit, skuId: string, quantity: number): Promise<Cart> {
  const params = { cartId: session.cartId ?? '', skuId }
  if (quantity === 0) return client.call('removePublicCartItem', { params })
  return client.call('updatePublicCartItemQuantity', { params, body: { quantity } })
}

/** Sets or removes the promotion code. What is wrong with a code is told by the cart. */
export async function changePromotion({ client, session }: Visit, code: string): Promise<void> {
  const params = { cartId: session.cartId ?? '' }
  if (code === '') await client.call('removePublicCartPromotion', { params, body: {} })
  else await client.call('applyPublicCartPromotion', { params, body: { code } })
}

/** A cart has one currency and language: another choice moves its lines to a new cart. @returns whether that was possible */
export async function moveCart(
  visit: Visit,
  market: { currency: string; country: string; locale: string },
): Promise<boolean> {
  const cart = await currentCart(visit)
  const isSame = cart && cart.currency === market.currency && cart.country === market.country
  if (!cart || isSame || cart.lines.length === 0) return true
  const lines = cart.lines.map(({ skuId, quantity }) => ({ skuId, quantity }))
  try {
    const moved = await newCart({ ...visit, ...market }, lines)
    visit.session.cartId = moved.id
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}
