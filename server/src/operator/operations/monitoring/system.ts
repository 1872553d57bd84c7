import type { operatorOperations } from '@vitrine/contract/operator'
import { deliveryFigures } from '../../../features/webhooks/index.ts'
import { jobStats } from '../../../platform/jobs/index.ts'
import type { Metrics } from '../../../platform/observe/metrics.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { daysUntil } from './days.ts'
import { proxyFigures, requestFigures } from './request-figures.ts'

type Rows = typeof operatorOperations

const DAYS_DEFAULT = 14

/** GET /operator/v1/system */
export function getSystem({
  metrics,
  trustedProxies,
}: {
  readonly metrics: Metrics
  readonly trustedProxies: number
}): OperatorHandler<Rows['getSystem']> {
  return async ({ query }, { reader, now }) => {
    const { environment = 'live', days = DAYS_DEFAULT } = query
    const since = daysUntil(now, days)

    const [deliveries, jobs, requests, proxied] = await Promise.all([
      deliveryFigures(reader, environment, { since, now }),
      jobStats(reader, now),
      requestFigures(metrics),
      proxyFigures(metrics),
    ])

    return {
      environment,
      since: since.toISOString(),
      now: now.toISOString(),
      deliveries: { ...deliveries.byStatus },
      queues: {
        jobsDue: jobs.due,
        jobsDead: jobs.dead,
        oldestJobDueAt: jobs.oldestDueAt?.toISOString() ?? null,
        oldestDeliveryDueAt: deliveries.oldestDueAt?.toISOString() ?? null,
      },
      ...requests,
      proxies: { trusted: trustedProxies, ...proxied },
    }
  }
}
