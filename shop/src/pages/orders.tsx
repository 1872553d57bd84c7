import type { Order, OrderEligibility } from '@vitrine/sdk'
import { wordFor } from '../texts/index.ts'
import { Breadcrumbs, type Page } from '../ui/layout.tsx'
import { Picture } from '../ui/products.tsx'
import { Totals } from '../ui/totals.tsx'
import { href, type Visit } from '../visit.ts'

/** The orders of the customer, or of this browser for guests. From the shop's own index. */
export function ordersPage(visit: Visit): Page {
  const { shop, session, texts, formats } = visit
  const { customer, orderIds } = session
  const orders = customer ? shop.orders.ofCustomer(customer.id) : shop.orders.some(orderIds)
  return {
    title: texts.yourOrders,
    main: (
      <>
        <h1>{texts.yourOrders}</h1>
        {customer ? (
          <form method="post" action={href(visit, '/sign-out')}>
            {customer.name}{' '}
            <button type="submit" class="link">
              {texts.signOut}
            </button>
          </form>
        ) : (
          <p class="notice">
            {texts.guestOrders} <a href={href(visit, '/sign-in')}>{texts.signIn}</a>
          </p>
        )}
        {orders.length === 0 && <p>{texts.noOrders}</p>}
        <ul class="orders">
          {orders.map(({ id, number, placedAt, total, status, fulfillmentStatus }) => (
            <li>
              <a href={href(visit, `/orders/${id}`)}>
                <strong>{texts.order(number)}</strong>
                <span class="small">{texts.placedOn(formats.date(placedAt))}</span>
                <span>
                  {status === 'canceled'
                    ? texts.orderStatus.canceled
                    : wordFor(texts.fulfillmentStatus, fulfillmentStatus)}
                </span>
                <span class="price">{formats.money(total)}</span>
              </a>
            </li>
          ))}
        </ul>
      </>
    ),
  }
}

/** Reads an order, if it is this visitor's: of the customer who is signed in, or placed in this browser. */
export async function ownOrder({ shop, session }: Visit, orderId: string): Promise<Order | null> {
  const isKnown = session.orderIds.includes(orderId)
  if (!isKnown && !session.customer) return null
  const order = await shop.orders.refresh(orderId)
  return isKnown || order.customer.id === session.customer?.id ? order : null
}

/** An order with its lines, parcels, requests and history. */
export function orderPage(visit: Visit, order: Order, { isNew }: { isNew: boolean }): Page {
  const { texts, formats } = visit
  const { money, addresses } = order
  const address = addresses.shipping ?? addresses.billing
  return {
    title: texts.order(order.number),
    main: (
      <>
        {!isNew && (
          <Breadcrumbs
            visit={visit}
            trail={[{ name: texts.yourOrders, href: href(visit, '/orders') }, { name: texts.order(order.number) }]}
          />
        )}
        <h1>{isNew ? texts.thanks : texts.order(order.number)}</h1>
        <p class="lead">
          {isNew && <>{texts.order(order.number)} · </>}
          {texts.placedOn(formats.date(order.placedAt))} ·{' '}
          {order.status === 'canceled'
            ? texts.orderStatus.canceled
            : wordFor(texts.fulfillmentStatus, order.fulfillmentStatus)}
        </p>
        <div class="with-summary">
          <div>
            <OrderLines visit={visit} order={order} />
            <Parcels visit={visit} order={order} />
            <Requests visit={visit} order={order} />
            <section>
              <h2>{texts.history}</h2>
              <ol class="timeline">
                {order.timeline.map(({ at, text }) => (
                  <li>
                    <time datetime={at}>
                      {formats.date(at)}, {formats.time(at)}
                    </time>{' '}
                    {text}
                  </li>
                ))}
              </ol>
            </section>
          </div>
          <aside class="summary">
            <Totals visit={visit} totals={order.totals} />
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
              <section>
                <h2>{texts.shipTo}</h2>
                <p class="small">
                  {address.recipientName}, {address.line1}, {address.postalCode} {address.city},{' '}
                  {formats.country(address.countryCode)}
                </p>
              </section>
            )}
            <p class="stack">
              <a class="button quiet" href={href(visit, `/orders/${order.id}/cancel`)}>
                {texts.cancelItems}
              </a>
              <a class="button quiet" href={href(visit, `/orders/${order.id}/return`)}>
                {texts.returnItems}
              </a>
            </p>
          </aside>
        </div>
      </>
    ),
  }
}

function OrderLines({ visit, order }: { visit: Visit; order: Order }) {
  const { texts, formats } = visit
  return (
    <section>
      <h2>{texts.items}</h2>
      <ul class="lines">
        {order.lines.map(({ name, quantity, total, image, optionLabels }) => (
          <li>
            {image && <Picture image={image} sizes={80} />}
            <div>
              <h3>
                {quantity.ordered} × {name}
              </h3>
              {optionLabels && optionLabels.length > 0 && (
                <p class="small">{optionLabels.map(({ value }) => value).join(' · ')}</p>
              )}
              {quantity.current < quantity.ordered && (
                <p class="small">
                  {texts.orderStatus.canceled}: {quantity.ordered - quantity.current}
                </p>
              )}
            </div>
            <p class="price">{formats.money(total)}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Parcels({ visit: { texts }, order }: { visit: Visit; order: Order }) {
  const sent = order.fulfillments.filter(({ status }) => status !== 'canceled')
  if (sent.length === 0) return null
  return (
    <section>
      <h2>{texts.shipments}</h2>
      <ul>
        {sent.map(({ status, carrier, trackingNumber, trackingUrl }) => (
          <li>
            {status === 'delivered'
              ? texts.fulfillmentStatus.delivered
              : status === 'dispatched'
                ? texts.fulfillmentStatus.fulfilled
                : texts.fulfillmentStatus.unfulfilled}{' '}
            {carrier} {trackingNumber} {trackingUrl && <a href={trackingUrl}>{texts.track}</a>}
          </li>
        ))}
      </ul>
    </section>
  )
}

function Requests({ visit, order }: { visit: Visit; order: Order }) {
  const { texts, formats } = visit
  const cancellations = order.cancellations ?? []
  const requests = order.afterSales ?? []
  if (cancellations.length + requests.length === 0) return null
  return (
    <section>
      <h2>{texts.requests}</h2>
      <ul class="requests">
        {cancellations.map(({ status, refund, declineReason }) => (
          <li>
            <strong>{texts.cancellationOf}</strong>: {wordFor(texts.requestStatus, status)}{' '}
            {refund.amount.amount > 0 && formats.money(refund.amount)}
            {declineReason && <p>{declineReason}</p>}
          </li>
        ))}
        {requests.map(({ kind, status, refundEstimate, instructions, deadlines }) => (
          <li>
            <strong>{wordFor(texts.kinds, kind)}</strong>: {wordFor(texts.requestStatus, status)}
            <p class="small">{texts.estimate(formats.money(refundEstimate))}</p>
            {instructions && <p>{instructions}</p>}
            {deadlines.returnBy && <p>{texts.returnBy(formats.date(deadlines.returnBy))}</p>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** What can be canceled, with what comes back, by the service's binding answer. */
export async function cancelPage(visit: Visit, order: Order, fault?: string): Promise<Page> {
  const { client, texts, formats } = visit
  const answer = await client.call('getStorefrontOrderCancellationEligibility', { params: { orderId: order.id } })
  const lines = order.lines.filter(({ quantity }) => quantity.current > quantity.fulfilled)
  return {
    title: texts.cancelItems,
    main: (
      <RequestForm visit={visit} order={order} title={texts.cancelItems} answer={answer} fault={fault} action="cancel">
        <p>{texts.refundPreview(formats.money(answer.preview.refund))}</p>
        {lines.map((line) => (
          <Units visit={visit} line={line} most={line.quantity.current - line.quantity.fulfilled} initial={1} />
        ))}
        <Choice label={texts.reason} name="reason" options={texts.cancelReasons} />
        <button type="submit">{texts.sendCancellation}</button>
      </RequestForm>
    ),
  }
}

/** What can be returned or complained about, kind by kind. */
export async function returnPage(visit: Visit, order: Order, fault?: string): Promise<Page> {
  const { client, texts } = visit
  const answer = await client.call('getStorefrontOrderAfterSalesEligibility', { params: { orderId: order.id } })
  const kinds = (answer.kinds ?? []).filter(({ decision, kind }) => decision !== 'ineligible' && kind !== 'exchange')
  const most = (lineId: string) => Math.max(0, ...kinds.map(({ maxByLine }) => maxByLine[lineId] ?? 0))
  return {
    title: texts.returnItems,
    main: (
      <RequestForm visit={visit} order={order} title={texts.returnItems} answer={answer} fault={fault} action="return">
        <Choice
          label={texts.whatKind}
          name="kind"
          options={Object.fromEntries(kinds.map(({ kind }) => [kind, wordFor(texts.kinds, kind)]))}
        />
        {order.lines
          .filter(({ id }) => most(id) > 0)
          .map((line) => (
            <Units visit={visit} line={line} most={most(line.id)} initial={0} />
          ))}
        <Choice label={texts.reason} name="reason" options={texts.returnReasons} />
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
  readonly visit: Visit
  readonly order: Order
  readonly title: string
  readonly answer: OrderEligibility
  readonly fault: string | undefined
  readonly action: 'cancel' | 'return'
  readonly children: preact.ComponentChildren
}

function RequestForm({ visit, order, title, answer, fault, action, children }: RequestFormProps) {
  const { texts } = visit
  const path = href(visit, `/orders/${order.id}`)
  const reasons = answer.reasons.map(({ message }) => message)
  return (
    <section class="narrow">
      <h1>{title}</h1>
      <p>
        <a href={path}>{texts.back}</a>
      </p>
      {fault && (
        <p class="notice bad" role="alert">
          {fault}
        </p>
      )}
      {answer.decision === 'ineligible' ? (
        <p class="notice">
          {texts.notEligible} {[...new Set(reasons)].join(' ')}
        </p>
      ) : (
        <form method="post" action={`${path}/${action}`} class="stack">
          {answer.decision === 'manual_review' && <p class="notice">{texts.manualReview}</p>}
          <input type="hidden" name="eligibilityToken" value={answer.eligibilityToken} />
          {children}
        </form>
      )}
    </section>
  )
}

function Units({
  visit,
  line,
  most,
  initial,
}: {
  visit: Visit
  line: Order['lines'][number]
  most: number
  initial: 0 | 1
}) {
  return (
    <label class="choice">
      <span>{line.name}</span>
      <select name={`line:${line.id}`} aria-label={`${visit.texts.howMany} ${line.name}`}>
        {Array.from({ length: most + 1 }, (_, count) => (
          <option selected={count === initial * most}>{count}</option>
        ))}
      </select>
    </label>
  )
}

function Choice({ label, name, options }: { label: string; name: string; options: Readonly<Record<string, string>> }) {
  return (
    <label>
      {label}
      <select name={name}>
        {Object.entries(options).map(([value, text]) => (
          <option value={value}>{text}</option>
        ))}
      </select>
    </label>
  )
}

type Form = Readonly<Record<string, string>>
const linesOf = (form: Form) =>
  Object.entries(form)
    .filter(([name, value]) => name.startsWith('line:') && Number(value) > 0)
    .map(([name, value]) => ({ lineId: name.slice('line:'.length), quantity: Number(value) }))

/** Cancels units, as the eligibility answer has promised. @returns whether any were chosen */
export async function cancelUnits({ client }: Visit, orderId: string, form: Form): Promise<boolean> {
  const lines = linesOf(form)
  if (lines.length === 0) return false
  const { reason, eligibilityToken } = form
  await client.call('cancelStorefrontOrder', {
    params: { orderId },
    body: { reason, lines, eligibilityToken } as never,
  })
  return true
}

/** Sends an after-sales request. @returns whether any units were chosen */
export async function requestAfterSales({ client }: Visit, orderId: string, form: Form): Promise<boolean> {
  const lines = linesOf(form)
  if (lines.length === 0) return false
  const { kind, reason, description, eligibilityToken } = form
  const body = { kind, reasonCode: reason, lines, eligibilityToken, ...(description && { description }) }
  await client.call('requestStorefrontOrderAfterSales', { params: { orderId }, body: body as never })
  return true
}
