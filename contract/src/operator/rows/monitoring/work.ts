import { type Static, Type } from 'typebox'
import { Environment } from '../../../schemas/common.ts'
import { closed, integer } from '../../../schemas/primitives.ts'
import { operatorNamed, operatorOperation } from '../../operation.ts'

/** Counting stops here: a menu shows "999+". */
export const WORK_COUNT_MAX = 1000
const count = (description: string) => integer(0, WORK_COUNT_MAX, `${description} At most ${WORK_COUNT_MAX}.`, 3)

export const OperatorWork = operatorNamed(
  'OperatorWork',
  closed('The number of open tasks.', {
    environment: Environment,
    toShip: count('Fulfillments to ship.'),
    parcels: count('Parcels that failed or are lost.'),
    cancellations: count('Cancellations to decide.'),
    returns: count('Returns to decide, inspect, resolve or complete.'),
    paymentsUnknown: count('Payments with an unknown outcome.'),
    paymentsWaiting: count('Payments to confirm.'),
    disputes: count('Disputes to respond to.'),
    refunds: count('Refunds that failed.'),
    lowStock: count('SKUs with five units or fewer to sell.'),
    imports: count('Catalog imports of the last seven days that failed or refused lines.'),
  }),
)
export type OperatorWork = Static<typeof OperatorWork>

export const workRows = {
  getWork: operatorOperation({
    method: 'GET',
    path: '/operator/v1/work',
    tag: 'Dashboard',
    summary: 'Count the open tasks of operators.',
    description:
      'In one environment. Without one, in the environment that has orders: live before test. Imports are not of one environment.',
    auth: { kind: 'operator', area: 'dashboard' },
    query: closed('The environment.', { environment: Type.Optional(Environment) }),
    data: OperatorWork,
    refusals: [],
    store: 'filter',
  }),
}
