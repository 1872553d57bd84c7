import { type operatorOperations, WORK_COUNT_MAX } from '@vitrine/contract/operator'
import { countReturnsToDecide } from '../../../features/after-sales/index.ts'
import { countCancellationsToDecide } from '../../../features/cancellations/index.ts'
import { countFaultyImports, countLowStock } from '../../../features/catalog/index.ts'
import { countFulfillments } from '../../../features/fulfillment/index.ts'
import { environmentOfOrders } from '../../../features/orders/index.ts'
import { countUnsettledPayments } from '../../../features/payments/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

const IMPORTS_SINCE_MS = 7 * 86_400_000

/** GET /operator/v1/work */
export const getWork: OperatorHandler<Rows['getWork']> = async ({ query }, { reader, now }) => {
  const environment = query.environment ?? (await environmentOfOrders(reader))
  const [fulfillments, cancellations, returns, payments, lowStock, imports] = await Promise.all([
    countFulfillments(reader, environment, WORK_COUNT_MAX),
    countCancellationsToDecide(reader, environment, WORK_COUNT_MAX),
    countReturnsToDecide(reader, environment, WORK_COUNT_MAX),
    countUnsettledPayments(reader, environment, WORK_COUNT_MAX),
    countLowStock(reader, environment, WORK_COUNT_MAX),
    countFaultyImports(reader, new Date(now.getTime() - IMPORTS_SINCE_MS), WORK_COUNT_MAX),
  ])
  return {
    environment,
    toShip: fulfillments.pending,
    parcels: fulfillments.faulty,
    cancellations,
    returns,
    paymentsUnknown: payments.unknown,
    paymentsWaiting: payments.waiting,
    lowStock,
    imports,
  }
}
