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
  repeatableRequestMails,
} from '../../../features/after-sales/index.ts'
import { type Cancellation, cancellationsOf, presentCancellation } from '../../../features/cancellations/index.ts'
import { storeHeads, storeIdsBySlug } from '../../../features/catalog/index.ts'
import {
  type FulfillmentIntent,
  intentsOf,
  isOfKeys,
  KEYS_MAIL,
  linesWithKeys,
  parcelStepsOf,
} from '../../../features/fulfillment/index.ts'
import { findInstallationRecord } from '../../../features/installations/index.ts'
import {
  type Adjustment,
  findOrderById,
  fulfillableUnits,
  moneyLeft,
  type Order,
  orderActionsOf,
  ordersOfAddress,
  policiesNow,
  presentOrder,
  type RepeatableMail,
  readStaffRecord,
  refundsPaidOutside,
  repeatableMails,
  shareOf,
  storesOf,
  type VersionedPolicy,
} from '../../../features/orders/index.ts'
import { type Dispute, disputesOf, intentOf } from '../../../features/payments/index.ts'
import { type VatCheck, vatCheckOfOrder } from '../../../features/pricing/index.ts'
import { present } from '../../../kernel/assert.ts'
import type { Language } from '../../../kernel/languages/languages.ts'
import { wireMoney } from '../../../kernel/money.ts'
import type { Reader } from '../../../platform/postgres/reader.ts'
import type { OperatorReadContext } from '../../door/handler.ts'
import { historyOf } from './order-history.ts'

/** The contract's maximum. */
const COUNTED_MAX = 1000

/** The time, operator and language of a read. */
type OrderReading = Pick<OperatorReadContext, 'now' | 'language' | 'operator'>

type StoreSlugs = ReadonlyMap<string, string>

/** Store slugs by store id. */
export async function slugsOfStores(reader: Reader): Promise<StoreSlugs> {
  return new Map([...(await storeIdsBySlug(reader))].map(([slug, id]) => [id, slug]))
}

/**
 * An order with everything that belongs to it and the allowed actions; for an operator of one store, the share of that store.
 * Payment, disputes, requests, notes and history of an order of several stores are the marketplace's. Refuses `not_found`.
 */
export async function readOperatorOrder(
  reader: Reader,
  orderId: string,
  { now, language, operator }: OrderReading,
): Promise<OperatorOrder> {
  const { store } = operator
  const whole = await findOrderById(reader, orderId)
  const order = store ? shareOf(whole, store.id) : whole
  const isShare = order !== whole
  const storeIds = storesOf(order)
  const [allIntents, cancellations, requests, slugs, installation, vatCheck, disputes] = await Promise.all([
    intentsOf(reader, orderId),
    isShare ? [] : cancellationsOf(reader, orderId),
    isShare ? [] : afterSalesOf(reader, orderId),
    slugsOfStores(reader),
    findInstallationRecord(reader, order.installationId, now),
    vatCheckOfOrder(reader, orderId),
    isShare || order.chargeId === null ? [] : disputesOf(reader, order.chargeId),
  ])
  const intents = isShare ? allIntents.filter(({ storeId }) => storeId === order.storeId) : allIntents
  const [heads, policies, charge, count, { notes, tags }, history, withKeys, paidOutside] = await Promise.all([
    storeHeads(reader, storeIds, order.locale),
    policiesNow(reader, storeIds),
    isShare || order.chargeId === null ? null : intentOf(reader, order.chargeId),
    ordersOfAddress(reader, order, COUNTED_MAX, store?.id ?? null),
    isShare ? { notes: [], tags: [] } : readStaffRecord(reader, orderId),
    isShare ? [] : historyOf(reader, order, [...intents, ...cancellations, ...requests], language),
    order.money.charge === 'authorized' ? linesWithKeys(reader, order) : [],
    isShare ? [] : refundsPaidOutside(reader, order.adjustments),
  ])
  const { id, name } = present(installation, 'an order keeps its installation')
  return {
    order: presentOrder(order, presentRequests(order, cancellations, requests, language), language),
    environment: order.environment,
    installation: { id, name },
    email: order.email,
    stores: storeIds.map((storeId) => ({
      id: storeId,
      slug: present(slugs.get(storeId), 'the store of a line'),
      name: present(heads.get(storeId), 'the store of a line').name,
      ...returnAddressOf(policies.get(storeId)),
    })),
    ...(isShare && { isShare }),
    ordersOfBuyer: count,
    ...(vatCheck !== null && { vatCheck: presentVatCheck(vatCheck) }),
    ...(!isShare && order.chargeId !== null && { chargeId: order.chargeId }),
    ...(charge && { paidWith: charge.provider }),
    moneyLeft: wireMoney(moneyLeft(order.money), order.currency),
    adjustments: order.adjustments.map((each) => {
      return presentAdjustment(order, each, isShare ? [] : refundActionsOf(order, each, paidOutside))
    }),
    disputes: disputes.map(presentDispute),
    ...(withKeys.length > 0 && { linesWithKeys: [...withKeys] }),
    fulfilments: intents.map((intent) => presentFulfillment(intent, order.number, slugs)),
    cancellations: cancellations.map((each) => presentOperatorCancellation(order, each)),
    afterSales: requests.map((each) => presentOperatorAfterSales(order, each, language)),
    history: [...history],
    notes: notes.map(({ at, ...note }) => ({ ...note, at: at.toISOString() })),
    tags: [...tags],
    mails: isShare ? [] : mailsOf(order, { requests, intents }),
    allowed: allowedOf(order, { intents, cancellations, withKeys }).filter((step) => !isShare || step === 'ship'),
  }
}

interface MailedParts {
  readonly requests: readonly AfterSales[]
  readonly intents: readonly FulfillmentIntent[]
}

/** The mails that can be sent again, oldest first. */
function mailsOf(order: Order, { requests, intents }: MailedParts): OperatorOrder['mails'] {
  const keys = intents.filter(isOfKeys).map(({ id, dispatchedAt }) => {
    return { kind: KEYS_MAIL, reference: id, at: dispatchedAt.toISOString() }
  })
  const others = repeatableMailsOf(order, requests, []).map(({ reference, at, mail: { kind } }) => {
    return { kind, ...(reference !== null && { reference }), at: at.toISOString() }
  })
  return [...others, ...keys].sort((one, other) => one.at.localeCompare(other.at))
}

/** The mails about an order and its requests that can be sent again, oldest first. */
export function repeatableMailsOf(
  order: Order,
  requests: readonly AfterSales[],
  documents: Parameters<typeof repeatableMails>[1],
): readonly RepeatableMail[] {
  const mails = [
    ...repeatableMails(order, documents),
    ...(order.source === 'hosted_checkout' ? repeatableRequestMails(requests) : []),
  ]
  return mails.sort((one, other) => one.at.getTime() - other.at.getTime())
}

function returnAddressOf(versioned: VersionedPolicy | undefined) {
  const returnAddress = versioned?.policy.afterSales.returnAddress ?? null
  return returnAddress === null ? {} : { returnAddress }
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
    withKeys,
  }: {
    readonly intents: readonly FulfillmentIntent[]
    readonly cancellations: readonly Cancellation[]
    readonly withKeys: readonly string[]
  },
): OperatorOrder['allowed'] {
  const isOpen = cancellations.some(({ status }) => status === 'requested' || status === 'approved')
  // Shipping captures an authorization, and what is owed follows from that.
  const isAuthorized = order.money.charge === 'authorized' && order.chargeId !== null && order.shippingAddress !== null
  const isShipped = order.lines.some(({ id, units }) => !withKeys.includes(id) && fulfillableUnits(units) > 0)
  const isOwed =
    (isAuthorized && isShipped) || intents.some(({ status, method }) => status === 'pending' && method === 'manual')
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

function refundActionsOf({ chargeId }: Order, { reference, state }: Adjustment, paidOutside: readonly string[]) {
  const isPaidElsewhere = chargeId === null
  if (state === 'failed') return isPaidElsewhere ? (['record_paid'] as const) : (['retry', 'record_paid'] as const)
  if (state === 'pending' && isPaidElsewhere) return ['record_paid'] as const
  return paidOutside.includes(reference) ? (['record_returned'] as const) : []
}

function presentAdjustment(
  order: Order,
  { reference, kind, amount, state, at }: Adjustment,
  allowed: ReturnType<typeof refundActionsOf>,
): OperatorOrder['adjustments'][number] {
  const refund = { reference, kind, amount: wireMoney(amount, order.currency), state, at: at.toISOString() }
  return { ...refund, allowed: [...allowed] }
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

export function presentOperatorAfterSales(order: Order, request: AfterSales, language: Language): OperatorAfterSales {
  const { inspection, refundAmount, declineReason } = request
  return {
    orderNumber: order.number,
    request: presentAfterSales(order, request, language),
    allowed: [...afterSalesActionsOf(request)],
    ...(inspection && { inspection: { accepted: inspection.accepted, restocks: inspection.restocks } }),
    ...(refundAmount !== null && { refunded: wireMoney(refundAmount, order.currency) }),
    ...(declineReason !== null && { declineReason }),
  }
}
