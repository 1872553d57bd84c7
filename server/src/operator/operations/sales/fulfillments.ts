import type { OperatorFulfillment, operatorOperations } from '@vitrine/contract/operator'
import {
  correctParcel as correct,
  intentsOf,
  listIntents,
  markDelivered,
  markFailed,
  markLost,
  orderOfIntent,
  type SentIntent,
  sendAgain,
} from '../../../features/fulfillment/index.ts'
import { lockOrderById, type QueuePosition } from '../../../features/orders/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler, OperatorWriteContext } from '../../door/handler.ts'
import { pagingOf } from '../../door/paging.ts'
import { presentFulfillment, slugsOfStores } from './order-views.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/fulfilments */
function listFulfillments(cursorSecret: Secret): OperatorHandler<Rows['listFulfillments']> {
  return async ({ query }, { reader, operator }) => {
    const { status = 'pending', environment = null } = query
    const paging = pagingOf<QueuePosition>(cursorSecret, ['fulfilments', status, environment], query)
    const page = { limit: paging.limit, after: paging.after, environment, storeId: operator.store?.id ?? null }
    const [found, slugs] = await Promise.all([listIntents(reader, status, page), slugsOfStores(reader)])
    return paging.page(
      found,
      ({ intent: { createdAt, id } }) => ({ createdAt: createdAt.toISOString(), id }),
      ({ intent, orderNumber }) => presentFulfillment(intent, orderNumber, slugs),
    )
  }
}

/** POST /operator/v1/fulfilments/{fulfillmentId}/correct */
const correctParcel: OperatorHandler<Rows['correctParcel']> = ({ params, body }, context) => {
  return changed(params.fulfillmentId, context, (id) => correct(context.tx, id, body, context))
}

/** POST /operator/v1/fulfilments/{fulfillmentId}/delivered */
const markParcelDelivered: OperatorHandler<Rows['markParcelDelivered']> = ({ params }, context) => {
  return changed(params.fulfillmentId, context, (id) => markDelivered(context.tx, id, context))
}

/** POST /operator/v1/fulfilments/{fulfillmentId}/failed */
const markParcelFailed: OperatorHandler<Rows['markParcelFailed']> = ({ params, body }, context) => {
  return changed(params.fulfillmentId, context, (id) => markFailed(context.tx, id, body.reason, context))
}

/** POST /operator/v1/fulfilments/{fulfillmentId}/lost */
const markParcelLost: OperatorHandler<Rows['markParcelLost']> = ({ params, body }, context) => {
  return changed(params.fulfillmentId, context, (id) => markLost(context.tx, id, body.reason, context))
}

/** POST /operator/v1/fulfilments/{fulfillmentId}/send-again */
const sendParcelAgain: OperatorHandler<Rows['sendParcelAgain']> = ({ params, body }, context) => {
  return changed(params.fulfillmentId, context, (id) => sendAgain(context.tx, id, body, context))
}

export function fulfillmentOperations({ cursorSecret }: { readonly cursorSecret: Secret }) {
  return {
    listFulfillments: listFulfillments(cursorSecret),
    correctParcel,
    markParcelDelivered,
    markParcelFailed,
    markParcelLost,
    sendParcelAgain,
  }
}

/** Changes a parcel under the lock of its order, and audits the values before and after. */
async function changed(
  id: string,
  { tx, audit }: OperatorWriteContext,
  change: (id: string) => Promise<SentIntent>,
): Promise<OperatorFulfillment> {
  const orderId = (await orderOfIntent(tx, id)) ?? refuse('not_found')
  const { number } = await lockOrderById(tx, orderId)
  const before = present(
    (await intentsOf(tx, orderId)).find((intent) => intent.id === id),
    'a fulfillment stays with its order',
  )
  const slugs = await slugsOfStores(tx)
  const was = presentFulfillment(before, number, slugs)
  const is = presentFulfillment(await change(id), number, slugs)
  audit({ subject: { type: 'fulfilment', id }, before: auditedFields(was), after: { ...auditedFields(is), orderId } })
  return is
}

/** The fields that an operator can change. */
function auditedFields({ status, carrier, trackingNumber, trackingUrl, note }: OperatorFulfillment) {
  return { status, carrier, trackingNumber, trackingUrl, note }
}
