import type { operatorOperations } from '@vitrine/contract/operator'
import { checkoutFigures } from '../../../features/checkout/index.ts'
import { openOrders, ordersByDay } from '../../../features/orders/index.ts'
import { deliveryFigures } from '../../../features/webhooks/index.ts'
import { jobStats } from '../../../platform/jobs/index.ts'
import type { Metrics } from '../../../platform/observe/metrics.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { requestFigures } from './request-figures.ts'

type Rows = typeof operatorOperations

const DAYS_DEFAULT = 14
const DAY_MS = 86_400_000

/** GET /operator/v1/dashboard */
export function getDashboard(metrics: Metrics): OperatorHandler<Rows['getDashboard']> {
  return async ({ query }, { reader, now }) => {
    const { environment = 'live', days = DAYS_DEFAULT } = query
    const since = beginningOfDay(new Date(now.getTime() - (days - 1) * DAY_MS))

    const [orders, open, checkouts, deliveries, jobs, requests] = await Promise.all([
      ordersByDay(reader, environment, since),
      openOrders(reader, environment),
      checkoutFigures(reader, environment, since),
      deliveryFigures(reader, environment, { since, now }),
      jobStats(reader, now),
      requestFigures(metrics),
    ])

    return {
      environment,
      since: since.toISOString(),
      now: now.toISOString(),
      days: orders.map(({ day, currency, orders: count, charged, refunded }) => ({
        day,
        currency,
        orders: count,
        charged: { amount: Number(charged), currency },
        refunded: { amount: Number(refunded), currency },
      })),
      openOrders: { ...open },
      checkouts,
      deliveries: { ...deliveries.byStatus },
      queues: {
        jobsDue: jobs.due,
        jobsDead: jobs.dead,
        oldestJobDueAt: jobs.oldestDueAt?.toISOString() ?? null,
        oldestDeliveryDueAt: deliveries.oldestDueAt?.toISOString() ?? null,
      },
      ...requests,
    }
  }
}

function beginningOfDay(date: Date): Date {
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()))
}
