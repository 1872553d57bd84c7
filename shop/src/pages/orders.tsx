import type { HostedCheckoutSession, Order, OrderEligibility } from '@vitrine/sdk'
import type { ComponentChildren } from 'preact'
import type { Answer, Form as FormFields } from '../app.tsx'
import type { IndexedOrder } from '../orders-index.ts'
import { wordFor } from '../texts/index.ts'
import { ButtonLink, Empty, Form, Link, numbers, Select, TextButton, Time, useVisit } from '../ui/elements.tsx'
import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { Picture } from '../ui/products.tsx'
import { lineAmount, Totals } from '../ui/totals.tsx'
import { href, isRefused, orNull, type Visit } from '../visit.ts'
import { PostalAddress } from './checkout.tsx'

const pathOf = ({ id }: Pick<Order, 'id'>) => `/orders/${id}`

/** The orders of the customer, or of this browser for guests, from the shop's own index. */
export async function ordersPage(visit: Visit): Promise<Page> {
  const unpaid = await unpaidOf(visit)
  const { shop, session, texts, formats } = visit
  const { customer, orderIds } = session
  // An order that was placed after the sign-in had ended is of this browser only.
  const placed = shop.orders.some(orderIds)
  const own = customer ? shop.orders.ofCustomer(customer.id) : []
  const orders = [...new Map([...own, ...placed].map((order) => [order.id, order])).values()].toSorted((one, other) =>
    other.placedAt.localeCompare(one.placedAt),
  )
  return {
    title: texts.yourOrders,
    main: (
      <>
        <h1>{texts.yourOrders}</h1>
        {customer ? (
          <Form to="/sign-out" class="heading">
            <p class="lead">{customer.name}</p>
            <TextButton>{texts.signOut}</TextButton>
          </Form>
        ) : (
          <p class="notice">
            {texts.guestOrders}{' '}
            <Link to="/sign-in" data-reload>
              {texts.signIn}
            </Link>
          </p>
        )}
        <Unpaid sessions={unpaid} />
        {orders.length + unpaid.length === 0 && <Empty text={texts.noOrders} />}
        <ul class="orders">
          {orders.map((order) => (
            <li>
              <Link to={pathOf(order)}>
                <strong>{texts.order(order.number)}</strong>
                <span class="small">{texts.placedOn(<Time at={order.placedAt} date="long" />)}</span>
                <Status order={order} />
                <span class="price">{formats.money(order.total)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </>
    ),
  }
}

/** The checkouts set aside that still wait for their payment. Those that were paid become orders of the browser. */
async function unpaidOf({ client, session }: Visit): Promise<readonly HostedCheckoutSession[]> {
  const known = await Promise.all(
    (session.paying ?? []).map((sessionId) => orNull(client.getHostedCheckoutSession({ params: { sessionId } }))),
  )
  const paid = known.flatMap((each) => each?.orderId ?? [])
  const waiting = known.filter((each) => each !== null).filter(({ status }) => WAITING.has(status))
  if (session.paying) session.paying = waiting.map(({ id }) => id)
  if (paid.length > 0) session.orderIds = [...new Set([...paid, ...session.orderIds])].slice(0, 50)
  return waiting
}

const WAITING: ReadonlySet<HostedCheckoutSession['status']> = new Set([
  'requires_action',
  'processing',
  'cancel_pending',
])

function Unpaid({ sessions }: { sessions: readonly HostedCheckoutSession[] }) {
  const { texts, formats } = useVisit()
  return (
    <>
      {sessions.map(({ url, snapshot: { lines, totals } }) => (
        <p class="notice">
          <strong>{texts.unpaid}</strong>: {lines.map(({ name, quantity }) => `${quantity} × ${name}`).join(', ')},{' '}
          {formats.money(totals.total)} {url && <a href={url}>{texts.continuePayment}</a>}
        </p>
      ))}
    </>
  )
}

function Status({
  order: { status, fulfillmentStatus },
}: {
  order: Pick<IndexedOrder, 'status' | 'fulfillmentStatus'>
}) {
  const { texts } = useVisit()
  const isCanceled = status === 'canceled'
  return (
    <span class={`status ${isCanceled ? status : fulfillmentStatus}`}>
      {isCanceled ? texts.canceled : wordFor(texts.fulfillmentStatus, fulfillmentStatus)}
    </span>
  )
}

/** Reads an order if the signed-in customer owns it, or if it was placed in this browser. */
async function ownOrder({ shop, session }: Visit, orderId: string): Promise<Order | null> {
  const isKnown = session.orderIds.includes(orderId)
  if (!isKnown && !session.customer) return null
  const order = await shop.orders.refresh(orderId)
  return isKnown || order.customer.id === session.customer?.id ? order : null
}

/** An order with its lines, parcels, requests and history. */
export async function orderPage(visit: Visit, orderId: string): Promise<Page | null> {
  const order = await ownOrder(visit, orderId)
  if (!order) return null
  const { texts, url } = visit
  const { number, customer, placedAt, status, paymentStatus } = order
  const isNew = url.searchParams.has('new') && status !== 'canceled'
  return {
    title: texts.order(number),
    main: (
      <>
        {!isNew && <Breadcrumbs trail={[{ name: texts.yourOrders, path: '/orders' }, { name: texts.order(number) }]} />}
        <h1>{isNew ? texts.thanks : texts.order(number)}</h1>
        {isNew && (
          <p class="lead">{texts.confirmationSent(texts.order(number), customer.email ?? customer.emailMasked)}</p>
        )}
        <p class="lead">
          <Status order={order} /> {texts.placedOn(<Time at={placedAt} date="long" />)}
        </p>
        {paymentStatus === 'pending' && <p class="notice">{texts.paymentPending}</p>}
        {paymentStatus === 'failed' && <p class="notice bad">{texts.paymentFailed}</p>}
        <div class="with-summary">
          <div>
            <Requests order={order} />
            <OrderLines order={order} />
            <Parcels order={order} />
            <History order={order} />
          </div>
          <OrderSummary order={order} />
        </div>
      </>
    ),
  }
}

function OrderSummary({ order }: { order: Order }) {
  const { texts, formats } = useVisit()
  const { money, addresses, lines, totals } = order
  const address = addresses.shipping ?? addresses.billing
  const canCancel = lines.some(({ quantity }) => quantity.current > quantity.fulfilled)
  const canReturn = lines.some(({ quantity }) => quantity.fulfilled > quantity.returned)
  return (
    <aside class="summary">
      <Totals totals={totals} />
      {money.refunded.amount > 0 && (
        <p class="good">
          {texts.refunded}: {formats.money(money.refunded)}
        </p>
      )}
      {money.refundPending.amount > 0 && (
        <p>
          {texts.refundPending}: {formats.money(money.refundPending)}
        </p>
      )}
      {address && (
        <>
          <h2>{addresses.shipping ? texts.shipTo : texts.billTo}</h2>
          <p class="small">
            <PostalAddress address={address} />
          </p>
        </>
      )}
      <p class="stack">
        {canCancel && <ButtonLink isQuiet to={`${pathOf(order)}/cancel`} children={texts.cancelItems} />}
        {canReturn && <ButtonLink isQuiet to={`${pathOf(order)}/return`} children={texts.returnItems} />}
      </p>
    </aside>
  )
}

function OrderLines({ order }: { order: Order }) {
  const { texts, formats } = useVisit()
  return (
    <section>
      <h2>{texts.items}</h2>
      <ul class="lines">
        {order.lines.map(({ name, quantity, image, optionLabels, ...line }) => (
          <li>
            {image && <Picture image={image} width={80} />}
            <div>
              <h3>
                {quantity.ordered} × {name}
              </h3>
              {optionLabels.length > 0 && <p class="small">{optionLabels.map(({ value }) => value).join(' · ')}</p>}
              {quantity.canceled > 0 && <p class="small">{`${texts.canceled}: ${quantity.canceled}`}</p>}
              {quantity.returned > 0 && <p class="small">{`${texts.returned}: ${quantity.returned}`}</p>}
            </div>
            <p class="price">{formats.money(lineAmount(line))}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parcels({ order }: { order: Order }) {
  const { texts } = useVisit()
  const sent = order.fulfillments.filter(({ status }) => status !== 'canceled')
  if (sent.length === 0) return null
  const names = new Map(order.lines.map(({ id, name }) => [id, name]))
  return (
    <section>
      <h2>{texts.shipments}</h2>
      <ul class="requests">
        {sent.map(({ status, carrier, trackingNumber, trackingUrl, lines }) => (
          <li>
            <strong>{wordFor(texts.shipmentStatus, status)}</strong> {carrier} {trackingNumber}{' '}
            {trackingUrl && <a href={trackingUrl}>{texts.track}</a>}
            {lines.map(({ lineId, quantity }) => (
              <p class="small">
                {quantity} × {names.get(lineId)}
              </p>
            ))}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Requests({ order: { cancellations, afterSales } }: { order: Order }) {
  const { texts, formats } = useVisit()
  if (cancellations.length + afterSales.length === 0) return null
  return (
    <section>
      <h2>{texts.requests}</h2>
      <ul class="requests">
        {cancellations.map(({ status, refund, declineReason }) => (
          <li>
            <strong>{texts.cancellationOf}</strong>: {wordFor(texts.requestStatus, status)}{' '}
            {status !== 'declined' && refund.amount.amount > 0 && formats.money(refund.amount)}
            {declineReason && <p>{declineReason}</p>}
          </li>
        ))}
        {afterSales.map(({ kind, status, refundEstimate, instructions, returnAddress, deadlines }) => (
          <li>
            <strong>{wordFor(texts.kinds, kind)}</strong>: {wordFor(texts.requestStatus, status)}
            {isOpenOrCompleted(status) && <p class="small">{texts.estimate(formats.money(refundEstimate))}</p>}
            {isOpenOrCompleted(status) && instructions && <p>{instructions}</p>}
            {isOpenOrCompleted(status) && returnAddress && (
              <address>
                {returnAddress.split('\n').map((line) => (
                  <div>{line}</div>
                ))}
              </address>
            )}
            {isOpenOrCompleted(status) && deadlines.returnBy && (
              <p>{texts.returnBy(formats.date(deadlines.returnBy))}</p>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Whether a request has a result, or may still have one. Of the others, nothing is sent back and nothing is refunded. */
function isOpenOrCompleted(status: Order['afterSales'][number]['status']): boolean {
  return status !== 'declined' && status !== 'withdrawn' && status !== 'expired'
}

function History({ order }: { order: Order }) {
  const { texts } = useVisit()
  return (
    <section>
      <h2>{texts.history}</h2>
      <ol class="timeline">
        {order.timeline.map(({ at, text }) => (
          <li>
            <Time at={at} date="long" time="short" /> <span lang={order.locale}>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** The items that can be canceled, with the refund, from the binding eligibility answer of the service. */
export async function cancelPage(visit: Visit, orderId: string, fault?: string): Promise<Page | null> {
  const order = await ownOrder(visit, orderId)
  if (!order) return null
  const { client, texts, formats } = visit
  const answer = await client.getStorefrontOrderCancellationEligibility({ params: { orderId } })
  const lines = order.lines.filter(({ quantity }) => quantity.current > quantity.fulfilled)
  return {
    title: texts.cancelItems,
    main: (
      <RequestForm order={order} title={texts.cancelItems} answer={answer} fault={fault} action="cancel">
        <p class="lead">{texts.refundPreview(formats.money(answer.preview.refund))}</p>
        {lines.map((line) => {
          const most = line.quantity.current - line.quantity.fulfilled
          return <Units line={line} most={most} selected={most} />
        })}
        <Select label={texts.reason} name="reason" options={Object.entries(texts.cancelReasons)} />
        <button type="submit">{texts.sendCancellation}</button>
      </RequestForm>
    ),
  }
}

/** The items that can be returned or reported, and the kinds of requests for them. */
export async function returnPage(visit: Visit, orderId: string, fault?: string): Promise<Page | null> {
  const order = await ownOrder(visit, orderId)
  if (!order) return null
  const { client, texts } = visit
  const answer = await client.getStorefrontOrderAfterSalesEligibility({ params: { orderId } })
  const kinds = (answer.kinds ?? []).filter(({ decision, kind }) => decision !== 'ineligible' && kind !== 'exchange')
  const most = (lineId: string) => Math.max(0, ...kinds.map(({ maxByLine }) => maxByLine[lineId] ?? 0))
  const lines = order.lines.filter(({ id }) => most(id) > 0)
  const names = kinds.map(({ kind }) => [kind, wordFor(texts.kinds, kind)] as const)
  return {
    title: texts.returnItems,
    main: (
      <RequestForm order={order} title={texts.returnItems} answer={answer} fault={fault} action="return">
        {lines.map((line) => (
          <Units line={line} most={most(line.id)} selected={lines.length === 1 ? 1 : 0} />
        ))}
        <Select label={texts.whatKind} name="kind" options={names} selected="return" />
        <Select label={texts.reason} name="reason" options={Object.entries(texts.returnReasons)} />
        <label>
          {texts.describe}
          <textarea name="description" maxLength={1000} rows={3} />
        </label>
        <button type="submit">{texts.sendRequest}</button>
      </RequestForm>
    ),
  }
}

interface RequestFormProps {
  readonly order: Order
  readonly title: string
  readonly answer: OrderEligibility
  readonly fault: string | undefined
  readonly action: 'cancel' | 'return'
  readonly children: ComponentChildren
}

function RequestForm({ order, title, answer, fault, action, children }: RequestFormProps) {
  const { texts } = useVisit()
  const { decision, eligibilityToken } = answer
  const reasons = new Set(answer.reasons.map(({ message }) => message))
  const trail = [
    { name: texts.yourOrders, path: '/orders' },
    { name: texts.order(order.number), path: pathOf(order) },
    { name: title },
  ]
  return (
    <>
      <Breadcrumbs trail={trail} />
      <h1>{title}</h1>
      {fault && (
        <p class="notice bad" role="alert">
          {fault}
        </p>
      )}
      {decision === 'ineligible' ? (
        <p class="notice">{[texts.notEligible, ...reasons].join(' ')}</p>
      ) : (
        <Form to={`${pathOf(order)}/${action}`} fields={{ eligibilityToken }} class="stack">
          {decision === 'manual_review' && <p class="notice">{texts.manualReview}</p>}
          {children}
        </Form>
      )}
    </>
  )
}

function Units({ line, most, selected }: { line: Order['lines'][number]; most: number; selected: number }) {
  const { texts } = useVisit()
  return (
    <p class="choice units">
      {line.image && <Picture image={line.image} width={56} />}
      <span>{line.name}</span>
      <Select
        name={`line:${line.id}`}
        aria-label={`${texts.howMany} ${line.name}`}
        options={numbers(0, most)}
        selected={selected}
      />
    </p>
  )
}

/** Cancels units under the terms of the eligibility answer. */
export function cancelForm(visit: Visit, orderId: string, form: FormFields): Promise<Answer> {
  const { reason, eligibilityToken } = form
  const body = { reason, lines: linesOf(form), eligibilityToken } as never
  const call = async () => {
    const { status } = await visit.client.cancelStorefrontOrder({ params: { orderId }, body })
    return status === 'requested' ? visit.texts.requestSent : visit.texts.canceledNow
  }
  return sendRequest(visit, orderId, { form, call, page: cancelPage })
}

/** Sends an after-sales request. */
export function returnForm(visit: Visit, orderId: string, form: FormFields): Promise<Answer> {
  const { kind, reason: reasonCode, description, eligibilityToken } = form
  const body = {
    kind,
    reasonCode,
    lines: linesOf(form),
    eligibilityToken,
    ...(description && { description }),
  } as never
  const call = async () => {
    await visit.client.requestStorefrontOrderAfterSales({ params: { orderId }, body })
    return visit.texts.requestSent
  }
  return sendRequest(visit, orderId, { form, call, page: returnPage })
}

const linesOf = (form: FormFields) =>
  Object.entries(form)
    .filter(([name, value]) => name.startsWith('line:') && Number(value) > 0)
    .map(([name, value]) => ({ lineId: name.slice('line:'.length), quantity: Number(value) }))

interface Request {
  readonly form: FormFields
  /** @returns the message to the shopper */
  call(): Promise<string>
  /** The form again, with an error message. */
  page(visit: Visit, orderId: string, fault: string): Promise<Page | null>
}

async function sendRequest(visit: Visit, orderId: string, { form, call, page }: Request): Promise<Answer> {
  const { texts, session } = visit
  if (!(await ownOrder(visit, orderId))) return null
  let fault = linesOf(form).length === 0 ? texts.chooseItems : null
  try {
    if (fault === null) session.notice = { tone: 'good', text: await call() }
  } catch (error) {
    if (!isRefused(error)) throw error
    fault = texts.notEligible
  }
  if (fault !== null) {
    const again = await page(visit, orderId, fault)
    return again && { ...again, status: 400 }
  }
  return href(visit, `/orders/${orderId}`)
}
