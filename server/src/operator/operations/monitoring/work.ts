import { type operatorOperations, WORK_COUNT_MAX } from '@vitrine/contract/operator'
import { countReturnsToDecide } from '../../../features/after-sales/index.ts'
import { countCancellationsToDecide } from '../../../features/cancellations/index.ts'
import { countFaultyImports, countLowStock } from '../../../features/catalog/index.ts'
import { countFulfillments } from '../../../features/fulfillment/index.ts'
import { countFailedRefunds, environmentOfOrders } from '../../../features/orders/index.ts'
import { countOpenDisputes, countUnsettledPayments } from '../../../features/payments/index.ts'
import type { OperatorHandler } from '../../door/handler.ts'

type Rows = typeof operatorOperations

const IMPORTS_SINCE_MS = 7 * 86_400_000

/** GET /operator/v1/work */
export const getWork: OperatorHandler<Rows['getWork']> = async ({ query }, { reader, now, operator }) => {
  const storeId = operator.store?.id ?? null
  const environment = query.environment ?? (await environmentOfOrders(reader))
  const [fulfillments, cancellations, returns, payments, disputes, refunds, lowStock, imports] = await Promise.all([
    countFulfillments(reader, environment, WORK_COUNT_MAX, storeId),
    countCancellationsToDecide(reader, environment, WORK_COUNT_MAX, storeId),
    countReturnsToDecide(reader, environment, WORK_COUNT_MAX, storeId),
    // Payments, disputes and imports belong to the whole marketplace.
    storeId === null ? countUnsettledPayments(reader, environment, WORK_COUNT_MAX) : { unknown: 0, waiting: 0 },
    storeId === null ? countOpenDisputes(reader, environment, WORK_COUNT_MAX) : 0,
    countFailedRefunds(reader, environment, WORK_COUNT_MAX, storeId),
    countLowStock(reader, environment, WORK_COUNT_MAX, storeId),
    storeId === null ? countFaultyImports(reader, new Date(now.getTime() - IMPORTS_SINCE_MS), WORK_COUNT_MAX) : 0,
  ])
  return {
    environment,
    toShip: fulfillments.pending,
    parcels: fulfillments.faulty,
    cancellations,
    returns,
    paymentsUnknown: payments.unknown,
    paymentsWaiting: payments.waiting,
    disputes,
    refunds,
    lowStock,
    imports,
  }
}
