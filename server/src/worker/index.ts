import { expireOverdueAfterSales } from '../features/after-sales/index.ts'
import { expireIdleCarts } from '../features/carts/index.ts'
import { searchStatisticsJob } from '../features/catalog/index.ts'
import { expireSessions } from '../features/checkout/index.ts'
import { publishCatalogEvents } from '../features/webhooks/index.ts'
import type { JobHandler, JobHandlers } from '../platform/jobs/index.ts'
import { sweep } from './sweep.ts'

export { DeliveryLoop } from './delivery-loop.ts'

const EXPIRE_CARTS_EVERY_MS = 60_000
/** Short, because an expired session still holds stock. */
const EXPIRE_SESSIONS_EVERY_MS = 10_000

const expireCarts: JobHandler = async (_job, { database, now, ids }) => {
  await expireIdleCarts(database, { now, ids })
  return new Date(now.getTime() + EXPIRE_CARTS_EVERY_MS)
}

const expireCheckoutSessions: JobHandler = async (_job, { database, now, ids }) => {
  await expireSessions(database, { now, ids })
  return new Date(now.getTime() + EXPIRE_SESSIONS_EVERY_MS)
}

const EXPIRE_AFTER_SALES_EVERY_MS = 60_000

const expireAfterSales: JobHandler = async (_job, { database, now, ids }) => {
  await expireOverdueAfterSales(database, { now, ids })
  return new Date(now.getTime() + EXPIRE_AFTER_SALES_EVERY_MS)
}

/** Periodic jobs. Each schedules its next run. */
export const periodicJobs: JobHandlers = {
  'after_sales.expire': expireAfterSales,
  'carts.expire': expireCarts,
  'catalogue.announce': publishCatalogEvents,
  'catalog.count_search_statistics': searchStatisticsJob,
  'checkout.expire': expireCheckoutSessions,
  sweep,
}
