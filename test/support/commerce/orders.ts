import assert from 'node:assert/strict'
import type { QuoteLine, SelectedShipping, Totals } from '@vitrine/contract'
import {
  lockOrderById,
  type Order,
  type OrderDraft,
  placeOrder,
  saveOrder,
} from '../../../server/src/features/orders/index.ts'
import { confirmedOrder } from '../../../server/src/features/orders/order/draft.ts'
import type { PricedCart } from '../../../server/src/features/pricing/index.ts'
import { wireMoney } from '../../../server/src/kernel/money.ts'
import type { Client } from '../client.ts'
import { CARTS, cartOf, type Shop } from './shop.ts'

export const ORDERS = '/api/v1/open/storefront/orders'
export const ADDRESS = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: 'DE',
}
/** The base URL of the pages door. */
export const PAGES_URL = 'https://pages.example'
const PLACED_AT = new Date('2026-05-04T12:00:00.000Z')

/** An order in memory, from computed prices. Its lines are `oli_1`, `oli_2` …. */
export function orderOfPrices(priced: PricedCart, more: Partial<OrderDraft> = {}): Order {
  const money = (amount: bigint) => wireMoney(amount, priced.currency)
  const parts = (part: Pick<PricedCart['lines'][number], 'discountAllocations' | 'taxLines' | 'total'>) => ({
    discountAllocations: part.discountAllocations.map(({ promotionId, title, amount }) => {
      return { promotionId, title, amount: money(amount) }
    }),
    taxLines: part.taxLines.map((tax) => ({ ...tax, taxable: money(tax.taxable), amount: money(tax.amount) })),
    total: money(part.total),
  })
  const lines: QuoteLine[] = priced.lines.map((line) => ({
    ...line,
    productId: 'prod_1',
    name: line.skuId,
    optionLabels: [],
    unitPrice: money(line.unitPrice),
    subtotal: money(line.subtotal),
    ...parts(line),
  }))
  const selectedShipping: SelectedShipping[] = priced.shipping.selected.map((shipping) => {
    const { storeId, optionId, chosen, amount } = shipping
    return { storeId, optionId, chosen, amount: money(amount), ...parts(shipping) }
  })
  const totals = { total: money(priced.totals.total) } as Totals
  let line = 0
  const draft: OrderDraft = {
    environment: 'test',
    installationId: 'ins_1',
    cartId: 'cart_1',
    clientReferenceId: null,
    metadata: {},
    phone: null,
    sessionId: 'cks_1',
    chargeId: 'pay_1',
    source: 'hosted_checkout',
    currency: priced.currency,
    country: 'DE',
    locale: 'en',
    customerId: null,
    email: 'ada@example.com',
    lines,
    selectedShipping,
    totals,
    shippingAddress: null,
    billingAddress: null,
    acceptedDocuments: [],
    charge: 'captured',
    placedAt: PLACED_AT,
    ...more,
  }
  return confirmedOrder(draft, {
    id: 'ord_1',
    number: 'T-10001',
    externalId: null,
    nextLineId: () => `oli_${++line}`,
    now: PLACED_AT,
  })
}

/** A line with a quantity and a total, without tax and discounts. */
export function pricedLine(quantity: number, total: bigint, storeId = 'store_1'): PricedCart['lines'][number] {
  return {
    lineId: 'line_1',
    skuId: 'sku_1',
    storeId,
    quantity,
    unitPrice: total / BigInt(quantity),
    subtotal: total,
    discountAllocations: [],
    taxLines: [],
    total,
  }
}

/** An order in memory: units per line at 1,000 each, and shipping of 490 per store. */
export function orderOfUnits(
  units: readonly number[],
  more: Partial<OrderDraft> & { stores?: readonly string[] } = {},
): Order {
  const { stores = units.map(() => 'store_1'), ...draft } = more
  const lines = units.map((quantity, index) => pricedLine(quantity, 1000n * BigInt(quantity), stores[index]))
  const selected = [...new Set(stores)].map((storeId) => {
    const facts = { storeId, optionId: 'shp_1', chosen: false, amount: 490n, discount: 0n, total: 490n }
    return { ...facts, discountAllocations: [], taxLines: [] }
  })
  const total = [...lines, ...selected].reduce((sum, part) => sum + part.total, 0n)
  const priced = { currency: 'EUR', lines, shipping: { options: [], selected }, totals: { total } }
  return orderOfPrices(priced as unknown as PricedCart, draft)
}

/** The draft of an order for a cart with units of each SKU, by code. */
export async function draftOf(
  shop: Shop,
  client: Client & { readonly installationId: string },
  units: Readonly<Record<string, number>>,
  more: Partial<OrderDraft> = {},
): Promise<OrderDraft> {
  const cart = await cartOf(shop, client, units, { contact: { email: 'ada@example.com' } })
  const addressed = await client.put(`${CARTS}/${cart.id}/address`, { shipping: ADDRESS })
  assert.equal(addressed.status, 200, addressed.text)
  const quoted = await client.post(`${CARTS}/${cart.id}/quote`, {})
  assert.equal(quoted.status, 200, quoted.text)
  const { lines, selectedShipping, totals, currency, country, locale } = quoted.body.data
  return {
    environment: 'test',
    installationId: client.installationId,
    cartId: cart.id,
    clientReferenceId: null,
    metadata: {},
    phone: null,
    sessionId: shop.ids.next('cks'),
    chargeId: shop.ids.next('pay'),
    source: 'hosted_checkout',
    currency,
    country,
    locale,
    customerId: null,
    email: 'ada@example.com',
    lines,
    selectedShipping,
    totals,
    shippingAddress: ADDRESS,
    billingAddress: null,
    acceptedDocuments: [],
    charge: 'captured',
    placedAt: shop.clock.now(),
    ...more,
  }
}

/** A paid order of the client with units of each SKU, by code. */
export async function orderedBy(
  shop: Shop,
  client: Client & { readonly installationId: string },
  units: Readonly<Record<string, number>>,
  more: Partial<OrderDraft> = {},
): Promise<Order> {
  const draft = await draftOf(shop, client, units, more)
  return shop.database.transaction((tx) =>
    placeOrder(tx, draft, { ids: shop.ids, now: shop.clock.now(), pagesUrl: PAGES_URL }),
  )
}

/** Changes a stored order. */
export function changeOrder(shop: Shop, orderId: string, decide: (order: Order) => Order): Promise<Order> {
  return shop.database.transaction(async (tx) => {
    const before = await lockOrderById(tx, orderId)
    const after = decide(before)
    await saveOrder(tx, before, after, { ids: shop.ids, now: shop.clock.now() })
    return after
  })
}
