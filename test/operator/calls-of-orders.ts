import assert from 'node:assert/strict'
import type { Order } from '@vitrine/contract'
import { bought, lineOf, putOnHold, settleRefunds } from '../support/commerce/after-sales.ts'
import { begunSession, pressPay } from '../support/commerce/checkout.ts'
import { paidBy } from '../support/commerce/paid-orders.ts'
import { type Calls, changed, created } from './call.ts'
import { SELLER } from './calls-of-stores.ts'
import { type Marketplace, newAfterSales, newCancellation, newParcel, newPayment } from './marketplace.ts'

/** Orders with their refunds, cancellations, parcels, after-sales requests and payments. */
export const callsOfOrders = {
  getLaunch: () => ({}),
  exportOrders: () => ({ query: { environment: 'test' }, audit: created('export', () => 'orders') }),
  listOrders: ({ order }) => ({ query: { q: order.number } }),
  listOrderInvoices: async (marketplace) => ({ params: { orderId: await newInvoicedOrder(marketplace) } }),
  exportInvoices: () => ({ params: { storeSlug: 'ceramics' }, query: { from: '2026-01-01', to: '2026-06-30' } }),
  downloadInvoice: async (marketplace) => {
    const orderId = await newInvoicedOrder(marketplace)
    const [invoice] = (await marketplace.operator.get(`/orders/${orderId}/invoices`)).body.data.items
    return { params: { invoiceId: invoice.id } }
  },
  getOrder: ({ order }) => ({ params: { orderId: order.id } }),
  holdOrder: async (marketplace) => ({
    ...changedOrder(await newUnchargedOrder(marketplace)),
    body: { reason: 'The address looks wrong.' },
  }),
  releaseOrder: async (marketplace) => {
    const order = await newUnchargedOrder(marketplace)
    await putOnHold(marketplace.shop, order.id)
    return { ...changedOrder(order), body: {} }
  },
  refundOrder: async (marketplace) => ({ ...changedOrder(await newOrder(marketplace)), body: { amount: 100 } }),
  retryRefund: (marketplace) => changedRefund(marketplace),
  recordRefundPaid: (marketplace) => changedRefund(marketplace),
  recordRefundReturned: async (marketplace) => {
    const call = await changedRefund(marketplace)
    const { orderId, reference } = call.params
    await marketplace.operator.change('POST', `/orders/${orderId}/refunds/${reference}/paid`, {})
    return call
  },
  beginOrder: async (marketplace) => ({ ...changedOrder(await newUnchargedOrder(marketplace)), body: {} }),
  cancelOrder: async (marketplace) => {
    const order = await newOrder(marketplace)
    const lines = [{ lineId: lineOf(marketplace.shop, order, 'MUG').id, quantity: 1 }]
    return { ...changedOrder(order), body: { reason: 'customer_request', lines } }
  },
  addOrderNote: async (marketplace) => ({
    params: { orderId: (await newUnchargedOrder(marketplace)).id },
    body: { text: 'Leave it with the neighbor.' },
    audit: created('order_note', ({ notes }) => notes.at(-1)?.id ?? null),
  }),
  setOrderTags: async (marketplace) => ({
    ...changedOrder(await newUnchargedOrder(marketplace)),
    body: { tags: ['gift', 'Fragile'] },
  }),
  listOrderTags: async ({ operator, order }) => {
    await operator.change('PUT', `/orders/${order.id}/tags`, { tags: ['gift'] })
    return {}
  },
  resendOrderMail: async (marketplace) => ({
    params: { orderId: (await newUnchargedOrder(marketplace)).id },
    body: { kind: 'orders.confirmed' },
    audit: created('order_mail', ({ order }) => order.id),
  }),
  previewRefund: async (marketplace) => ({ params: { orderId: (await newOrder(marketplace)).id }, body: {} }),
  listCancellations: () => ({}),
  declineCancellation: async (marketplace) => ({
    ...(await changedCancellation(marketplace, await newUnchargedOrder(marketplace))),
    body: { declineReason: 'It is packed.' },
  }),
  approveCancellation: async (marketplace) => ({
    ...(await changedCancellation(marketplace, await newOrder(marketplace))),
    body: {},
  }),
  shipOrder: async (marketplace) => ({
    ...changedOrder(await newUnchargedOrder(marketplace)),
    body: { reference: 'P-1', carrier: 'DHL' },
  }),
  listFulfillments: () => ({ query: { status: 'dispatched' } }),
  correctParcel: async (marketplace) => ({ ...(await changedParcel(marketplace)), body: { carrier: 'UPS' } }),
  markParcelFailed: async (marketplace) => ({
    ...(await changedParcel(marketplace)),
    body: { reason: 'It came back.' },
  }),
  sendParcelAgain: async (marketplace) => {
    const call = await changedParcel(marketplace)
    const path = `/fulfilments/${call.params.fulfillmentId}/failed`
    await marketplace.operator.change('POST', path, { reason: 'It came back.' })
    return { ...call, body: {} }
  },
  markParcelLost: async (marketplace) => ({ ...(await changedParcel(marketplace)), body: { reason: 'No scan.' } }),
  markParcelDelivered: async (marketplace) => ({ ...(await changedParcel(marketplace)), body: {} }),
  listAfterSales: () => ({}),
  getAfterSales: ({ afterSalesId }) => ({ params: { afterSalesId } }),
  reviewAfterSales: (marketplace) => changedAfterSales(marketplace),
  approveAfterSales: (marketplace) => changedAfterSales(marketplace),
  declineAfterSales: async (marketplace) => ({
    ...(await changedAfterSales(marketplace)),
    body: { declineReason: 'It was used.' },
  }),
  withdrawAfterSales: (marketplace) => changedAfterSales(marketplace),
  markAfterSalesInTransit: (marketplace) => changedAfterSales(marketplace, { until: 'approve' }),
  markAfterSalesReceived: (marketplace) => changedAfterSales(marketplace, { until: 'approve' }),
  inspectAfterSales: async (marketplace) => ({
    ...(await changedAfterSales(marketplace, { until: 'received' })),
    body: { accepted: true },
  }),
  resolveAfterSales: async (marketplace) => ({
    ...(await changedAfterSales(marketplace, { until: 'inspect' })),
    body: { amount: 100 },
  }),
  completeAfterSales: (marketplace) => changedAfterSales(marketplace, { kind: 'exchange', until: 'resolve' }),
  listBankAccounts: async ({ operator }) => {
    const account = { holder: 'Loom', iban: 'DE02120300000000202051' }
    await operator.change('PUT', '/bank-accounts/NOK', { environment: 'test', account })
    return { query: { environment: 'test' } }
  },
  saveBankAccount: () => ({
    params: { currency: 'SEK' },
    body: { environment: 'test', account: { holder: 'Loom', iban: 'DE02 1203 0000 0000 2020 51' } },
    audit: changed('bank_account', 'marketplace/test/SEK'),
  }),
  previewBankStatement: () => ({ query: { environment: 'test' }, upload: STATEMENT }),
  bookBankStatement: async ({ operator }) => {
    const { plan } = await operator.upload('/bank-statements/preview?environment=test', STATEMENT)
    return { query: { environment: 'test', plan }, upload: STATEMENT, audit: created('bank_statement', () => null) }
  },
  listTransfers: () => ({ query: { environment: 'test' } }),
  returnTransfer: async (marketplace) => {
    const call = await changedPayment(marketplace)
    const { paymentId } = call.params
    const { operator, shop } = marketplace
    const { amount } = (await operator.get(`/payments/${paymentId}`)).body.data.payment
    await shop.app.payments.confirmManual(paymentId, { isDone: true })
    const line = `1.12.2026;${paymentId.slice(-10)};${2 * amount.amount},00;${amount.currency}`
    const file = `Datum;Verwendungszweck;Betrag;Waehrung\n${line}\n`
    const { plan } = await operator.upload('/bank-statements/preview?environment=test', file)
    await operator.upload(`/bank-statements?environment=test&plan=${plan}`, file)
    return { ...call, body: { amount: 199 * amount.amount } }
  },
  listPayments: () => ({ query: { environment: 'test', view: 'waiting' } }),
  listDisputes: async ({ shop, app }) => {
    const { chargeId } = await pressPay(shop, await begunSession(shop, app, { MUG: 1 }), 'simulator', 'pays')
    assert(chargeId !== null)
    await shop.app.payments.advance(chargeId)
    assert.ok(shop.simulator?.dispute(`${chargeId}:authorize`, 'open'))
    await shop.app.payments.lookUpDisputes(chargeId)
    return { query: { environment: 'test' } }
  },
  getPayment: ({ paymentId }) => ({ params: { paymentId } }),
  reconcilePayment: async (marketplace) => ({ ...(await changedPayment(marketplace)), body: {} }),
  confirmPayment: async (marketplace) => ({ ...(await changedPayment(marketplace)), body: { outcome: 'done' } }),
  capturePayment: async (marketplace) => ({ ...(await changedAuthorization(marketplace)), body: { amount: 1000 } }),
  releasePayment: async (marketplace) => ({ ...(await changedAuthorization(marketplace)), body: {} }),
  importOrders: ({ app }) => ({
    query: { format: 'jsonl', installationId: app.installationId },
    upload: JSON.stringify(ORDER_LINE),
    audit: created('order_import', () => null),
  }),
} satisfies Partial<Calls>

/** A statement line that matches no payment. */
const STATEMENT = 'Datum;Verwendungszweck;Betrag\n30.11.2026;Danke;5,00\n'

/** An order from another system, as a line of a file. */
const ORDER_LINE = {
  externalId: 'A-1',
  placedAt: '2025-11-03T09:14:00Z',
  currency: 'EUR',
  country: 'DE',
  email: 'ada@example.com',
  store: 'ceramics',
  lines: [{ sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000 }],
}

type OrderRef = Pick<Order, 'id'>

/** An order of two mugs, paid through the checkout. */
function newOrder({ shop, app }: Marketplace): Promise<Order> {
  return bought(shop, app, { MUG: 2 })
}

/** A paid order without a charge, which is much faster to create. It cannot be refunded. */
function newUnchargedOrder({ shop, app }: Marketplace): Promise<OrderRef> {
  return paidBy(shop, app, { MUG: 2 })
}

function changedOrder({ id }: OrderRef) {
  return { params: { orderId: id }, audit: changed('order', id) }
}

/** A refund that failed at the provider. */
async function changedRefund(marketplace: Marketplace) {
  const { shop, operator } = marketplace
  const { params, audit } = changedOrder(await newOrder(marketplace))
  const { adjustments } = await operator.change('POST', `/orders/${params.orderId}/refunds`, { amount: 100 })
  await settleRefunds(shop, params.orderId, { isDone: false })
  return { params: { ...params, reference: adjustments[0].reference }, body: {}, audit }
}

async function changedCancellation(marketplace: Marketplace, order: OrderRef) {
  const id = await newCancellation(marketplace, order)
  return { params: { cancellationId: id }, audit: changed('cancellation', id) }
}

async function changedParcel(marketplace: Marketplace) {
  const id = await newParcel(marketplace)
  return { params: { fulfillmentId: id }, audit: changed('fulfilment', id) }
}

async function changedAfterSales(marketplace: Marketplace, state: Parameters<typeof newAfterSales>[1] = {}) {
  const id = await newAfterSales(marketplace, state)
  return { params: { afterSalesId: id }, body: {}, audit: changed('after_sales', id) }
}

async function changedPayment(marketplace: Marketplace) {
  const id = await newPayment(marketplace)
  return { params: { paymentId: id }, audit: changed('payment', id) }
}

async function changedAuthorization({ shop, app }: Marketplace) {
  const { chargeId } = await pressPay(shop, await begunSession(shop, app, { MUG: 1 }), 'simulator', 'reserves')
  assert(chargeId !== null)
  await shop.app.payments.advance(chargeId)
  return { params: { paymentId: chargeId }, audit: changed('payment', chargeId) }
}

async function newInvoicedOrder({ shop, app, operator }: Marketplace): Promise<string> {
  await operator.change('PUT', '/seller-record', SELLER)
  return (await bought(shop, app, { MUG: 1 })).id
}
