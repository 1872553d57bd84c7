import { type Static, Type } from 'typebox'
import { CurrencyCode, Environment, id, Money, Timestamp } from '../../../schemas/common.ts'
import { closed, formed, integer, listOf, orNull, text } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

const DAYS_MAX = 90
const TOP_PRODUCTS_MAX = 10
const LOW_STOCK_MAX = 10

const count = (description: string, example = 12) => integer(0, Number.MAX_SAFE_INTEGER, description, example)
const Day = formed('^[0-9]{4}-[0-9]{2}-[0-9]{2}$', 10, 'The day in UTC.', '2026-11-21')
const Sku = id('sku', 'The id of the SKU.')
const Product = id('prod', 'The id of the product.')

/** The orders and checkouts of a period, by day. */
const period = (description: string) =>
  closed(description, {
    since: Timestamp,
    orders: listOf(
      closed('Orders of one day in one currency.', {
        day: Day,
        currency: CurrencyCode,
        orders: count('Orders.'),
        charged: Money,
        refunded: Money,
      }),
      DAYS_MAX * 200,
      'Days with orders, oldest first.',
    ),
    checkouts: listOf(
      closed('Checkouts of one day.', {
        day: Day,
        begun: count('Started.', 40),
        completed: count('Checkouts that led to an order.', 31),
      }),
      DAYS_MAX,
      'Days with checkouts, oldest first.',
    ),
  })

export const OperatorSales = operatorNamed(
  'OperatorSales',
  closed('The sales of a period and of the one before it.', {
    environment: Environment,
    now: Timestamp,
    current: period('The days until now.'),
    before: period('The same number of days before.'),
    products: listOf(
      closed('A product and its sales.', {
        productId: orNull(Product, 'The product; `null` if it is not in this catalog.'),
        name: text(500, 'Its name in the orders.', 'Daybreak Mug'),
        units: count('Units, without canceled ones.', 24),
        total: Money,
      }),
      TOP_PRODUCTS_MAX,
      'The products with the highest totals in the currency with the most orders.',
    ),
    lowStock: listOf(
      closed('A SKU with low stock.', {
        skuId: Sku,
        productId: Product,
        name: text(500, 'The name of the product.', 'Daybreak Mug'),
        code: text(250, 'The code of the SKU.', 'MUG-SAGE'),
        available: integer(-2_147_483_648, 2_147_483_647, 'Units that can be sold.', 2),
      }),
      LOW_STOCK_MAX,
      'Published SKUs with the fewest units to sell.',
    ),
  }),
)
export type OperatorSales = Static<typeof OperatorSales>

export const salesRows = {
  getSales: operatorOperation({
    method: 'GET',
    path: '/operator/v1/sales',
    tag: 'Dashboard',
    summary: 'Get the sales of a period.',
    description:
      'Orders, revenue and checkouts by day, with the period before for comparison, top products and low stock.',
    auth: { kind: 'operator', area: 'dashboard' },
    query: closed('The environment and the period.', {
      environment: Type.Optional(Environment),
      days: Type.Optional(integer(1, DAYS_MAX, 'The number of days.', 30)),
    }),
    data: OperatorSales,
    refusals: [],
    store: 'filter',
  }),
}
