import { expireIdleCarts } from '../features/carts/index.ts'
import type { JobHandler, JobHandlers } from '../platform/jobs/index.ts'
import { sweep } from './sweep.ts'

export { DeliveryLoop } from './delivery-loop.ts'

const EXPIRE_CARTS_EVERY_MS = 60_000

const expireCarts: JobHandler = async (_job, { database, now, ids }) => {
  await expireIdleCarts(database, { now, ids })
  return new Date(now.getTime() + EXPIRE_CARTS_EVERY_MS)
}

/** What answers to clocks. Each job comes back by itself. */
export const clockJobs: JobHandlers = { 'carts.expire': expireCarts, sweep }
