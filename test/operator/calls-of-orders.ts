import type { Order } from '@vitrine/contract'
import { bought, lineOf, postAfterSales, postCancellation, settleRefunds } from '../support/commerce/after-sales.ts'
import { begunSession, waitsForTransfer } from '../support/commerce/checkout.ts'
import { operatorClient } from '../support/operator.ts'
import { type Calls, changed, made, type Stage } from './call.ts'

/** One order from its payment to what comes back of it, and a payment that waits. */
export const callsOfOrders = {
  listOrders: async (stage) => ({ query: { q: (await theOrder(stage)).number } }),
  getOrder: async (stage) => ({ params: { orderId: (await theOrder(stage)).id } }),
  holdOrder: async (stage) => ({ ...(await onTheOrder(stage)), body: { reason: 'The address looks wrong.' } }),
  releaseOrder: async (stage) => ({ ...(await onTheOrder(stage)), body: {} }),
  refundOrder: async (stage) => ({ ...(await onTheOrder(stage)), body: { amount: 100 } }),
  retryRefund: (stage) => onTheRefused(stage, 'refundOrder'),
  recordRefundPaid: (stage) => onTheRefused(stage, 'retryRefund'),
  beginOrder: async (stage) => ({ ...(await onTheOrder(stage)), body: {} }),
  cancelOrder: async (stage) => ({
    ...(await onTheOrder(stage)),
    body: { reason: 'customer_request', lines: [await oneOf(stage, 'MUG')] },
  }),
  listCancellations: async (stage) => {
    await cancellationOf(stage, 'declined')
    return {}
  },
  declineCancellation: async (stage) => ({
    ...(await onTheCancellation(stage, 'declined')),
    body: { declineReason: 'It is packed.' },
  }),
  approveCancellation: async (stage) => ({ ...(await onTheCancellation(stage, 'approved')), body: {} }),
  shipOrder: async (stage) => ({ ...(await onTheOrder(stage)), body: { reference: 'P-1', carrier: 'DHL' } }),
  listFulfillments: () => ({ query: { status: 'dispatched' } }),
  correctParcel: (stage) => ({ ...onTheParcel(stage), body: { carrier: 'UPS' } }),
  markParcelFailed: (stage) => ({ ...onTheParcel(stage), body: { reason: 'It came back.' } }),
  sendParcelAgain: (stage) => ({ ...onTheParcel(stage), body: {} }),
  markParcelLost: (stage) => ({ ...onTheParcel(stage), body: { reason: 'No scan.' } }),
  markParcelDelivered: (stage) => ({ ...onTheParcel(stage), body: {} }),
  reviewAfterSales: (stage) => onTheRequest(stage, RETURN),
  listAfterSales: () => ({}),
  getAfterSales: async (stage) => ({ params: { afterSalesId: await requestFor(stage, RETURN) } }),
  approveAfterSales: (stage) => onTheRequest(stage, RETURN),
  markAfterSalesInTransit: (stage) => onTheRequest(stage, RETURN),
  markAfterSalesReceived: (stage) => onTheRequest(stage, RETURN),
  inspectAfterSales: async (stage) => ({ ...(await onTheRequest(stage, RETURN)), body: { accepted: true } }),
  resolveAfterSales: async (stage) => ({ ...(await onTheRequest(stage, RETURN)), body: { amount: 100 } }),
  declineAfterSales: async (stage) => ({
    ...(await onTheRequest(stage, { kind: 'return', code: 'BOWL' })),
    body: { declineReason: 'It was used.' },
  }),
  withdrawAfterSales: (stage) => onTheRequest(stage, { kind: 'return', code: 'VASE' }),
  completeAfterSales: async (stage) => {
    const call = await onTheRequest(stage, { kind: 'exchange', code: 'PLAN' })
    await stage.once('exchange', () => exchanged(stage, call.params.afterSalesId))
    return call
  },
  listPayments: async (stage) => {
    await thePayment(stage)
    return { query: { environment: 'test', view: 'waiting' } }
  },
  getPayment: async (stage) => ({ params: { paymentId: await thePayment(stage) } }),
  reconcilePayment: async (stage) => ({ ...(await onThePayment(stage)), body: {} }),
  confirmPayment: async (stage) => ({ ...(await onThePayment(stage)), body: { outcome: 'done' } }),
  importOrders: ({ app }) => ({
    query: { format: 'jsonl', installationId: app.installationId },
    upload: JSON.stringify(FROM_ELSEWHERE),
    leaves: made('order_import', () => null),
  }),
} satisfies Partial<Calls>

const RETURN = { kind: 'return', code: 'MUG' }
const FROM_ELSEWHERE = {
  externalId: 'A-1',
  placedAt: '2025-11-03T09:14:00Z',
  currency: 'EUR',
  country: 'DE',
  email: 'ada@example.com',
  store: 'ceramics',
  lines: [{ sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000 }],
}

function theOrder({ shop, app, once }: Stage): Promise<Order> {
  return once('order', () => bought(shop, app, { MUG: 4, BOWL: 1, VASE: 1, PLAN: 1 }))
}

async function onTheOrder(stage: Stage) {
  const { id } = await theOrder(stage)
  return { params: { orderId: id }, leaves: changed('order', id) }
}

async function oneOf(stage: Stage, code: string) {
  return { lineId: lineOf(stage.shop, await theOrder(stage), code).id, quantity: 1 }
}

/** The provider has refused what was asked of it by this operation. */
async function onTheRefused(stage: Stage, asked: 'refundOrder' | 'retryRefund') {
  const { params, leaves } = await onTheOrder(stage)
  await stage.once(`${asked} refused`, () => settleRefunds(stage.shop, params.orderId, { isDone: false }))
  const { reference } = stage.said(asked).adjustments[0]!
  return { params: { ...params, reference }, body: {}, leaves }
}

/** What the shopper has asked for, to be decided so. */
async function cancellationOf(stage: Stage, decision: string): Promise<string> {
  const [order, line] = [await theOrder(stage), await oneOf(stage, 'MUG')]
  return stage.once(`${decision} cancellation`, async () => {
    return (await postCancellation(stage.app, order.id, { lines: [line] })).body.data.id
  })
}

async function onTheCancellation(stage: Stage, decision: string) {
  const id = await cancellationOf(stage, decision)
  return { params: { cancellationId: id }, leaves: changed('cancellation', id) }
}

function onTheParcel({ said }: Stage) {
  const { id } = said('shipOrder').fulfilments.find(({ reference }) => reference === 'P-1')!
  return { params: { fulfillmentId: id }, leaves: changed('fulfilment', id) }
}

async function requestFor(stage: Stage, { kind, code }: { kind: string; code: string }): Promise<string> {
  const [order, line] = [await theOrder(stage), await oneOf(stage, code)]
  return stage.once(`request for ${code}`, async () => {
    const exchange = kind === 'exchange' && { exchangeSkuId: stage.shop.sku('BOWL') }
    const answer = await postAfterSales(stage.app, order.id, { kind, lines: [{ ...line, ...exchange }] })
    return answer.body.data.id
  })
}

async function onTheRequest(stage: Stage, wish: { kind: string; code: string }) {
  const id = await requestFor(stage, wish)
  return { params: { afterSalesId: id }, body: {}, leaves: changed('after_sales', id) }
}

/** The steps of an exchange before its last one. */
async function exchanged({ shop }: Stage, id: string): Promise<void> {
  const operator = await operatorClient(shop)
  for (const [step, body] of Object.entries({ approve: {}, received: {}, inspect: { accepted: true }, resolve: {} })) {
    await operator.change('POST', `/after-sales/${id}/${step}`, body)
  }
}

function thePayment({ shop, app, once }: Stage): Promise<string> {
  return once('payment', async () => waitsForTransfer(shop, await begunSession(shop, app, { MUG: 1 })))
}

async function onThePayment(stage: Stage) {
  const id = await thePayment(stage)
  return { params: { paymentId: id }, leaves: changed('payment', id) }
}
