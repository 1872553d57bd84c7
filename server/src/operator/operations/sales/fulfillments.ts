import type { OperatorFulfilment, operatorOperations } from '@vitrine/contract/operator'
import {
  correctParcel as correct,
  type IntentPosition,
  intentsOf,
  listIntents,
  markDelivered,
  markFailed,
  markLost,
  orderOfIntent,
  type SentIntent,
  sendAgain,
} from '../../../features/fulfillment/index.ts'
import { lockOrderById } from '../../../features/orders/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { OperatorHandler, OperatorWriteContext } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'
import { presentFulfilment, slugsOfStores } from './order-views.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/fulfilments */
function listFulfilments(cursorSecret: Buffer): OperatorHandler<Rows['listFulfilments']> {
  return async ({ query }, { reader }) => {
    const { status = 'pending' } = query
    const paging = pagingOf<IntentPosition>(cursorSecret, ['fulfilments', status], query)
    const [found, slugs] = await Promise.all([
      listIntents(reader, status, paging.limit, paging.after ?? undefined),
      slugsOfStores(reader),
    ])
    return paging.page(
      found,
      ({ intent: { createdAt, id } }) => ({ createdAt: createdAt.toISOString(), id }),
      ({ intent, orderNumber }) => presentFulfilment(intent, orderNumber, slugs),
    )
  }
}

/** POST /operator/v1/fulfilments/{fulfilmentId}/correct */
const correctParcel: OperatorHandler<Rows['correctParcel']> = ({ params, body }, context) => {
  return changed(params.fulfilmentId, context, (id) => correct(context.tx, id, body, context))
}

/** POST /operator/v1/fulfilments/{fulfilmentId}/delivered */
const markParcelDelivered: OperatorHandler<Rows['markParcelDelivered']> = ({ params }, context) => {
  return changed(params.fulfilmentId, context, (id) => markDelivered(context.tx, id, context))
}

/** POST /operator/v1/fulfilments/{fulfilmentId}/failed */
const markParcelFailed: OperatorHandler<Rows['markParcelFailed']> = ({ params, body }, context) => {
  return changed(params.fulfilmentId, context, (id) => markFailed(context.tx, id, body.reason, context))
}

/** POST /operator/v1/fulfilments/{fulfilmentId}/lost */
const markParcelLost: OperatorHandler<Rows['markParcelLost']> = ({ params, body }, context) => {
  return changed(params.fulfilmentId, context, (id) => markLost(context.tx, id, body.reason, context))
}

/** POST /operator/v1/fulfilments/{fulfilmentId}/send-again */
const sendParcelAgain: OperatorHandler<Rows['sendParcelAgain']> = ({ params, body }, context) => {
  return changed(params.fulfilmentId, context, (id) => sendAgain(context.tx, id, body, context))
}

export function fulfilmentOperations({ cursorSecret }: { readonly cursorSecret: Buffer }) {
  return {
    listFulfilments: listFulfilments(cursorSecret),
    correctParcel,
    markParcelDelivered,
    markParcelFailed,
    markParcelLost,
    sendParcelAgain,
  }
}

/** Takes a step with a parcel under the lock of its order, and writes down what it was and is. */
async function changed(
  id: string,
  { tx, audit }: OperatorWriteContext,
  change: (id: string) => Promise<SentIntent>,
): Promise<OperatorFulfilment> {
  const orderId = (await orderOfIntent(tx, id)) ?? refuse('not_found')
  const { number } = await lockOrderById(tx, orderId)
  const before = present(
    (await intentsOf(tx, orderId)).find((intent) => intent.id === id),
    'a fulfilment stays with its order',
  )
  const slugs = await slugsOfStores(tx)
  const was = presentFulfilment(before, number, slugs)
  const is = presentFulfilment(await change(id), number, slugs)
  audit({ subject: { type: 'fulfilment', id }, before: whereItIs(was), after: { ...whereItIs(is), orderId } })
  return is
}

/** What of a parcel changes by hand. */
function whereItIs({ status, carrier, trackingNumber, trackingUrl, note }: OperatorFulfilment) {
  return { status, carrier, trackingNumber, trackingUrl, note }
}
