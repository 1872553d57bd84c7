import type {
  OperatorAfterSales,
  OperatorCancellation,
  OperatorDispute,
  OperatorFulfillment,
  OperatorOrder,
} from '@vitrine/contract/operator'
import {
  type AfterSales,
  afterSalesActionsOf,
  afterSalesOf,
  presentAfterSales,
  presentRequests,
} from '../../../features/after-sales/index.ts'
import { type Cancellation, cancellationsOf, presentCancellation } from '../../../features/cancellations/index.ts'
import { storeIdsBySlug } from '../../../features/catalog/index.ts'
import { type FulfillmentIntent, intentsOf, parcelStepsOf } from '../../../features/fulfillment/index.ts'
import { findInstallationRecord } from '../../../features/installations/index.ts'
import {
  type Adjustment,
  findOrderById,
  type LineQuantity,
  moneyLeft,
  type Order,
  ofLines,
  orderActionsOf,
  presentOrder,
  shareOf,
} from '../../../features/orders/index.ts'
import { type Dispute, disputesOf } from '../../../features/payments/index.ts'
import { type VatCheck, vatCheckOfOrder } from '../../../features/pricing/index.ts'
import { present } from '../../../kernel/assert.ts'
import { wireMoney } from '../../../kernel/money.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'

type StoreSlugs = ReadonlyMap<string, string>

/** Store slugs by store id. */
export async function slugsOfStores(reader: Reader): Promise<StoreSlugs> {
  return new Map([...(await storeIdsBySlug(reader))].map(([slug, id]) => [id, slug]))
}

/**
 * An order with everything that belongs to it and the allowed actions. Refuses `not_found`.
 *
 * @param storeId shows the share of one store in an order of several; `null`: the whole order
 */
export async function readOperatorOrder(
  reader: Reader,
  orderId: string,
  now: Date,
  storeId: string | null = null,
): Promise<OperatorOrder> {
  const whole = await findOrderById(reader, orderId)
  const order = storeId === null ? whole : shareOf(whole, storeId)
  const isShare = order.share !== null
  const [allIntents, allCancellations, allRequests, slugs, installation, vatCheck, disputes] = await Promise.all([
    intentsOf(reader, orderId),
    cancellationsOf(reader, orderId),
    afterSalesOf(reader, orderId),
    slugsOfStores(reader),
    findInstallationRecord(reader, order.installationId, now),
    vatCheckOfOrder(reader, orderId),
    order.chargeId === null || isShare ? [] : disputesOf(reader, order.chargeId),
  ])
  const intents = isShare ? allIntents.filter((intent) => intent.storeId === storeId) : allIntents
  const isOfShare = ({ lines }: { readonly lines: readonly LineQuantity[] }) =>
    !isShare || ofLines(order, lines).length === lines.length
  const [cancellations, requests] = [allCancellations.filter(isOfShare), allRequests.filter(isOfShare)]
  const { id, name } = present(installation, 'an order keeps its installation')
  const stores = [...new Set(order.lines.map(({ storeId }) => storeId))]
  return {
    order: presentOrder(order, presentRequests(order, cancellations, requests, 'en'), 'en'),
    environment: order.environment,
    installation: { id, name },
    email: order.email,
    stores: stores.map((storeId) => ({ id: storeId, slug: present(slugs.get(storeId), 'the store of a line') })),
    ...(vatCheck !== null && { vatCheck: presentVatCheck(vatCheck) }),
    ...(order.chargeId !== null && !isShare && { chargeId: order.chargeId }),
    moneyLeft: wireMoney(moneyLeft(order.money), order.currency),
    adjustments: order.adjustments.map((each) => presentAdjustment(order, each)),
    disputes: disputes.map(presentDispute),
    fulfilments: intents.map((intent) => presentFulfillment(intent, order.number, slugs)),
    cancellations: cancellations.map((each) => presentOperatorCancellation(order, each)),
    afterSales: requests.map((each) => presentOperatorAfterSales(order, each)),
    // Of a share, its store ships; the rest is about the whole order.
    allowed: allowedOf(order, { intents, cancellations }).filter((step) => !isShare || step === 'ship'),
  }
}

function presentVatCheck({ vatId, outcome, checkedAt, ...known }: VatCheck): NonNullable<OperatorOrder['vatCheck']> {
  const { name, address, consultationNumber } = known
  return {
    vatId,
    outcome,
    ...(name !== null && { name }),
    ...(address !== null && { address }),
    ...(consultationNumber !== null && { consultationNumber }),
    checkedAt: checkedAt.toISOString(),
  }
}

function allowedOf(
  order: Order,
  {
    intents,
    cancellations,
  }: { readonly intents: readonly FulfillmentIntent[]; readonly cancellations: readonly Cancellation[] },
): OperatorOrder['allowed'] {
  const isOpen = cancellations.some(({ status }) => status === 'requested' || status === 'approved')
  // Shipping captures an authorization, and what is owed follows from that.
  const isCaptured = order.money.charge === 'authorized' && order.chargeId !== null && order.shippingAddress !== null
  const isOwed = isCaptured || intents.some(({ status, method }) => status === 'pending' && method === 'manual')
  const steps: OperatorOrder['allowed'] = orderActionsOf(order).filter((step) => !(step === 'cancel' && isOpen))
  return isOwed && order.status !== 'on_hold' ? [...steps, 'ship'] : steps
}

export function presentDispute({ amount, currency, respondBy, url, ...dispute }: Dispute): OperatorDispute {
  const { reference, reason, status, openedAt } = dispute
  return {
    reference,
    amount: wireMoney(amount, currency),
    reason,
    status,
    ...(respondBy && { respondBy: respondBy.toISOString() }),
    ...(url !== null && { url }),
    openedAt: openedAt.toISOString(),
  }
}

function presentAdjustment(order: Order, adjustment: Adjustment): OperatorOrder['adjustments'][number] {
  const { reference, kind, amount, state, at } = adjustment
  const isByHand = order.chargeId === null && state === 'pending'
  return {
    reference,
    kind,
    amount: wireMoney(amount, order.currency),
    state,
    at: at.toISOString(),
    allowed: state === 'failed' ? ['retry', 'record_paid'] : isByHand ? ['record_paid'] : [],
  }
}

export function presentFulfillment(
  intent: FulfillmentIntent,
  orderNumber: string,
  slugs: StoreSlugs,
): OperatorFulfillment {
  const { id, orderId, environment, storeId, method, status, lines, version, createdAt } = intent
  const slug = present(slugs.get(storeId), 'the store of a fulfillment')
  return {
    id,
    orderId,
    orderNumber,
    environment,
    store: { id: storeId, slug },
    method,
    status,
    units: lines.reduce((sum, { quantity }) => sum + quantity, 0),
    lines: lines.map(({ lineId, quantity }) => ({ lineId, quantity })),
    ...(intent.status === 'pending' && intent.waitingFor !== null && { waitingFor: intent.waitingFor }),
    ...shipmentOf(intent),
    allowed: [...parcelStepsOf(intent)],
    version,
    createdAt: createdAt.toISOString(),
  }
}

function shipmentOf(intent: FulfillmentIntent) {
  if (intent.status === 'pending' || intent.status === 'stopped') return {}
  const { reference, carrier, trackingNumber, trackingUrl } = intent.shipment
  return {
    reference,
    ...(carrier !== null && { carrier }),
    ...(trackingNumber !== null && { trackingNumber }),
    ...(trackingUrl !== null && { trackingUrl }),
    ...(intent.note !== null && { note: intent.note }),
    dispatchedAt: intent.dispatchedAt.toISOString(),
    ...(intent.deliveredAt && { deliveredAt: intent.deliveredAt.toISOString() }),
  }
}

export function presentOperatorCancellation(order: Order, cancellation: Cancellation): OperatorCancellation {
  const { note } = cancellation
  return {
    orderNumber: order.number,
    cancellation: presentCancellation(order, cancellation),
    ...(note !== null && { note }),
  }
}

export function presentOperatorAfterSales(order: Order, request: AfterSales): OperatorAfterSales {
  const { inspection, refundAmount, declineReason } = request
  return {
    orderNumber: order.number,
    request: presentAfterSales(order, request, 'en'),
    allowed: [...afterSalesActionsOf(request)],
    ...(inspection && { inspection: { accepted: inspection.accepted, restocks: inspection.restocks } }),
    ...(refundAmount !== null && { refunded: wireMoney(refundAmount, order.currency) }),
    ...(declineReason !== null && { declineReason }),
  }
}
