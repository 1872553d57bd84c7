import type { Cart, CartLine } from '@vitrine/sdk'
import type { Answer, Form as FormFields } from '../app.tsx'
import { createCart, currentCart, moveCart } from '../carts.ts'
import { wordFor } from '../texts/index.ts'
import {
  ButtonLink,
  ButtonWithoutScript,
  CHOICES_MAX,
  Empty,
  Field,
  Form,
  numbers,
  QuietButton,
  Select,
  TextButton,
  useVisit,
} from '../ui/elements.tsx'
import type { Page } from '../ui/layout.tsx'
import { Picture } from '../ui/products.tsx'
import { lineAmount, Totals } from '../ui/totals.tsx'
import { href, isRefused, isShipped, orNull, rememberCart, safe, type Visit } from '../visit.ts'

/** Carts set aside by one visitor. */
const PAYING_MAX = 10

/** The cart with its lines, promotion code and totals. */
export async function cartPage(visit: Visit): Promise<Page> {
  const cart = await currentCart(visit)
  const sessionId = cart?.status === 'locked' ? cart.checkoutSessionId : undefined
  const paying = sessionId ? await orNull(visit.client.getHostedCheckoutSession({ params: { sessionId } })) : null
  rememberCart(visit, cart)
  const isFilled = cart && cart.lines.length > 0
  const { texts } = visit
  return {
    title: texts.cart,
    main: isFilled ? (
      <FilledCart cart={cart} isUnpaid={paying?.status === 'requires_action'} />
    ) : (
      <Empty title={texts.cart} text={texts.emptyCart} />
    ),
  }
}

function FilledCart({ cart, isUnpaid }: { cart: Cart; isUnpaid: boolean }) {
  const { texts } = useVisit()
  const isLocked = cart.status === 'locked'
  return (
    <>
      <h1>{texts.cart}</h1>
      {isLocked && (
        <Form to="/checkout/edit" class="notice">
          <p>{isUnpaid ? texts.cartUnpaid : texts.cartLocked}</p>
          <p class="buttons">
            <ButtonLink to="/checkout/continue" data-reload>
              {texts.continuePayment}
            </ButtonLink>
            <QuietButton>{texts.editCart}</QuietButton>
          </p>
        </Form>
      )}
      {isUnpaid && (
        <Form to="/cart/new" class="stack">
          <QuietButton>{texts.newCart}</QuietButton>
        </Form>
      )}
      <div class="with-summary">
        <section>
          {cart.messages.map(({ path, text, severity }) => (
            <p class={severity === 'blocking' ? 'notice bad' : 'notice'} role="status">
              {aboutLine(cart, path, text)}
            </p>
          ))}
          <ul class="lines">
            {cart.lines.map((line) => (
              <Line line={line} isLocked={isLocked} />
            ))}
          </ul>
        </section>
        <aside class="summary">
          <Totals totals={cart.totals} isShipped={isShipped(cart)} />
          {!isLocked && <Promotion {...cart.promotion} />}
          {!isLocked && <ButtonLink to="/checkout">{texts.checkout}</ButtonLink>}
        </aside>
      </div>
    </>
  )
}

/** A message about a line, with its name: `Mug: This item is out of stock.` */
export function aboutLine({ lines }: Cart, path: string, text: string): string {
  const [, index] = /^\/lines\/(\d+)/.exec(path) ?? []
  const line = index === undefined ? undefined : lines[Number(index)]
  return line ? `${line.name}: ${text}` : text
}

function Line({ line, isLocked }: { line: CartLine; isLocked: boolean }) {
  const { texts, formats } = useVisit()
  const { skuId, name, image, optionLabels, quantity, unitPrice, subtotal, availability } = line
  const price = lineAmount(line)
  const { minQuantity, maxQuantity, step } = line
  const most = Math.min(maxQuantity, Math.max(quantity, minQuantity + (CHOICES_MAX - 1) * step))
  const offered = numbers(minQuantity, most, step).map(([each]) => each)
  // Without the current quantity, the first one would look chosen, and could not be.
  const quantities = [...new Set([...offered, quantity])].toSorted((one, other) => one - other)
  const path = `/cart/items/${skuId}`
  return (
    <li>
      {image && <Picture image={image} width={120} />}
      <div>
        <h2>{name}</h2>
        <p class="small">
          {[...optionLabels.map(({ value }) => value), texts.each(formats.money(unitPrice))].join(' · ')}
        </p>
        {!isLocked && availability !== 'in_stock' && <p class="small">{wordFor(texts.availability, availability)}</p>}
        {!isLocked && (
          <div class="row">
            <Form to={path} data-auto class="row">
              <Select
                name="quantity"
                aria-label={`${texts.quantity}: ${name}`}
                options={quantities.map((each) => [each, each])}
                selected={quantity}
              />
              <ButtonWithoutScript>{texts.update}</ButtonWithoutScript>
            </Form>
            <Form to={path} fields={{ quantity: '0' }}>
              <TextButton aria-label={`${texts.remove}: ${name}`}>{texts.remove}</TextButton>
            </Form>
          </div>
        )}
      </div>
      <p class="price">
        {price.amount < subtotal.amount && <s>{formats.money(subtotal)}</s>} {formats.money(price)}
      </p>
    </li>
  )
}

/** The promotion code of a cart. A code that does not apply is shown with the reason and the missing amount. */
function Promotion({ status, code, title, reasonCode, requirement }: Cart['promotion']) {
  const { texts, formats } = useVisit()
  if (!code) {
    return (
      <Form to="/cart/promotion" class="promotion">
        <Field name="code" label={texts.promotionCode} maxLength={64} autocomplete="off" required />
        <QuietButton>{texts.apply}</QuietButton>
      </Form>
    )
  }
  const isApplied = status === 'applied'
  return (
    <Form to="/cart/promotion" fields={{ code: '' }} class="promotion">
      <p class={isApplied ? 'good' : 'error'} role="status">
        <strong>{code}</strong>{' '}
        {isApplied ? texts.codeApplied(title ?? code) : reasonCode && wordFor(texts.codeReasons, reasonCode)}{' '}
        {requirement && texts.addForCode(formats.money(requirement.missing))}
      </p>
      <TextButton>{texts.remove}</TextButton>
    </Form>
  )
}

/** The message to the shopper for a refused change of the cart. */
export function noticeOf({ texts, formats }: Visit, error: unknown): string {
  // A limit or a credential says nothing about the cart.
  if (!isRefused(error) || [401, 403, 429].includes(error.answer.status)) throw error
  const { code, details } = error.answer
  if (code === 'sku_unavailable') return texts.notForSale
  if (['out_of_stock', 'quantity_exceeded'].includes(code)) return texts.outOfStock
  if (code === 'cart_locked') return texts.cartLocked
  const [fault] = details
  if (code === 'quantity_invalid' && fault?.params)
    return texts.inSteps(Number(fault.params.min), Number(fault.params.step))
  if (code !== 'promotion_inapplicable') return texts.changedMeanwhile
  const reason = wordFor(texts.codeReasons, fault?.code ?? 'invalid')
  const { missingAmount, currency } = (fault?.params ?? {}) as { missingAmount?: number; currency?: string }
  if (missingAmount === undefined || currency === undefined) return reason
  return `${reason} ${texts.addForCode(formats.money({ amount: missingAmount, currency }))}`
}

/** Changes the cart. A refusal is a notice on the next page. */
async function change(visit: Visit, call: Promise<unknown>): Promise<boolean> {
  try {
    const changed = (await call) as Partial<Cart>
    if (changed.counts) rememberCart(visit, changed as Cart)
    return true
  } catch (error) {
    visit.session.notice = { tone: 'bad', text: noticeOf(visit, error) }
    return false
  }
}

/** Adds units to the cart, and creates a cart if there is none. */
export async function addItem(visit: Visit, { skuId = '', quantity, back }: FormFields): Promise<Answer> {
  const { client, session, texts } = visit
  const cart = await currentCart(visit)
  const line = { skuId, quantity: Number(quantity) }
  const call = cart
    ? client.addPublicCartItem({ params: { cartId: cart.id }, body: line })
    : createCart(visit, visit, [line])
  if (await change(visit, call)) session.notice = { tone: 'good', text: texts.added }
  return safe(back, href(visit, '/cart'))
}

/** Changes the quantity of a line; 0 removes it. */
export async function changeItem(visit: Visit, skuId: string, quantity: number): Promise<Answer> {
  const { client, session } = visit
  const params = { cartId: session.cartId ?? '', skuId }
  const call =
    quantity === 0
      ? client.removePublicCartItem({ params })
      : client.updatePublicCartItemQuantity({ params, body: { quantity } })
  await change(visit, call)
  return href(visit, '/cart')
}

/** Sets a cart aside whose payment, such as a bank transfer, takes days. The list of orders shows it until then. */
export async function beginNewCart(visit: Visit): Promise<Answer> {
  const { client, session } = visit
  const sessionId = (await currentCart(visit))?.checkoutSessionId
  const paying = sessionId ? await client.getHostedCheckoutSession({ params: { sessionId } }) : null
  if (paying?.status !== 'requires_action') return href(visit, '/cart')
  session.paying = [paying.id, ...(session.paying ?? [])].slice(0, PAYING_MAX)
  delete session.cartId
  rememberCart(visit, null)
  return href(visit, '/')
}

/** Sets or removes the promotion code. */
export async function changePromotion(visit: Visit, code: string): Promise<Answer> {
  const { client, session } = visit
  const params = { cartId: session.cartId ?? '' }
  const call =
    code === ''
      ? client.removePublicCartPromotion({ params, body: {} })
      : client.applyPublicCartPromotion({ params, body: { code } })
  await change(visit, call)
  return href(visit, '/cart')
}

/**
 * Changes the currency or the country. A cart has one of each, so its lines move to a new cart, if all of them are sold there. A cart
 * that is being paid stays the visitor's: its order could not be shown otherwise.
 */
export async function changeMarket(visit: Visit, { currency = '', country = '', back }: FormFields): Promise<Answer> {
  const { session, texts } = visit
  const cart = await currentCart(visit)
  const isOther = cart && (cart.currency !== currency || cart.country !== country)
  if (isOther && cart.status === 'locked') {
    session.notice = { tone: 'bad', text: texts.cartLocked }
    return safe(back, href(visit, '/'))
  }
  try {
    if (isOther) await moveCart(visit, cart, { locale: visit.locale, currency, country })
    session.market = { currency, country }
  } catch (error) {
    if (!isRefused(error)) throw error
    session.notice = { tone: 'bad', text: texts.notInCurrency }
  }
  return safe(back, href(visit, '/'))
}
