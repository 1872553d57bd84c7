import type { OperatorSales, operatorOperations } from '@vitrine/contract/operator'
import { listLowStock } from '../../../features/catalog/index.ts'
import { type CheckoutDay, checkoutsByDay } from '../../../features/checkout/index.ts'
import { type DayOfOrders, ordersByDay, topProducts } from '../../../features/orders/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { daysUntil } from './days.ts'

type Rows = typeof operatorOperations

const DAYS_DEFAULT = 30
/** The number of rows in the answer. */
const TOP_PRODUCTS = 5
const LOW_STOCK = 6

/** GET /operator/v1/sales */
export const getSales: OperatorHandler<Rows['getSales']> = async ({ query }, { reader, now, operator, language }) => {
  const storeId = operator.store?.id ?? null
  const { environment = 'live', days = DAYS_DEFAULT } = query
  const since = daysUntil(now, days)
  const sinceBefore = daysUntil(now, 2 * days)

  const [orders, checkouts, lowStock] = await Promise.all([
    ordersByDay(reader, environment, sinceBefore, storeId),
    checkoutsByDay(reader, environment, sinceBefore, storeId),
    listLowStock(reader, { environment, storeId, language, limit: LOW_STOCK }),
  ])
  const start = since.toISOString().slice(0, 10)
  const isCurrent = ({ day }: { readonly day: string }) => day >= start
  const current = orders.filter(isCurrent)
  const currency = mainCurrency(current)
  const wanted = { environment, since, storeId, limit: TOP_PRODUCTS }
  const products = currency ? await topProducts(reader, { ...wanted, currency }) : []

  return {
    environment,
    now: now.toISOString(),
    current: presentPeriod(since, current, checkouts.filter(isCurrent)),
    before: presentPeriod(
      sinceBefore,
      orders.filter((each) => !isCurrent(each)),
      checkouts.filter((each) => !isCurrent(each)),
    ),
    products: products.map(({ productId, name, units, total }) => ({
      productId,
      name,
      units,
      total: { amount: Number(total), currency: currency as string },
    })),
    lowStock: [...lowStock],
  }
}

/** The currency with the most orders. */
function mainCurrency(days: readonly DayOfOrders[]): string | null {
  const orders = new Map<string, number>()
  for (const day of days) orders.set(day.currency, (orders.get(day.currency) ?? 0) + day.orders)
  return [...orders].toSorted(([, one], [, other]) => other - one)[0]?.[0] ?? null
}

function presentPeriod(
  since: Date,
  orders: readonly DayOfOrders[],
  checkouts: readonly CheckoutDay[],
): OperatorSales['current'] {
  return {
    since: since.toISOString(),
    orders: orders.map(({ day, currency, orders: count, charged, refunded }) => ({
      day,
      currency,
      orders: count,
      charged: { amount: Number(charged), currency },
      refunded: { amount: Number(refunded), currency },
    })),
    checkouts: checkouts.map(({ day, begun, completed }) => ({ day, begun, completed })),
  }
}
