import type { operatorOperations } from '@vitrine/contract/operator'
import {
  listOwnedDeliveries,
  listOwnedEndpoints,
  loadDeliveryWithBody,
  loadOwnedEndpoint,
  replayDelivery,
  sendTest,
  setEndpointStatus,
} from '../../../features/webhooks/index.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/webhook-endpoints */
function listWebhookEndpoints(cursorSecret: Secret): OperatorHandler<Rows['listWebhookEndpoints']> {
  return async ({ query }, { reader }) => {
    const { q, status = null, installationId = null, integrationId = null } = query
    const paging = pagingOf<string>(
      cursorSecret,
      ['webhook endpoints', q, status, installationId, integrationId],
      query,
    )
    const question = {
      like: likeOf(q),
      status,
      installationId,
      integrationId,
      afterId: paging.after,
      limit: paging.limit,
    }
    return paging.page(
      await listOwnedEndpoints(reader, question),
      ({ endpoint }) => endpoint.id,
      (row) => row,
    )
  }
}

/** GET /operator/v1/webhook-endpoints/{endpointId} */
const getWebhookEndpoint: OperatorHandler<Rows['getWebhookEndpoint']> = async ({ params }, { reader }) => {
  return loadOwnedEndpoint(reader, params.endpointId)
}

/** PATCH /operator/v1/webhook-endpoints/{endpointId} */
const setWebhookEndpointStatus: OperatorHandler<Rows['setWebhookEndpointStatus']> = async (
  { params, body },
  { tx, now, audit },
) => {
  const { endpointId } = params
  const { status } = body
  const before = await setEndpointStatus(tx, endpointId, status, now)
  audit({ subject: { type: 'webhook_endpoint', id: endpointId }, before: { status: before }, after: { status } })
  return loadOwnedEndpoint(tx, endpointId)
}

/** POST /operator/v1/webhook-endpoints/{endpointId}/test */
const sendWebhookTest: OperatorHandler<Rows['sendWebhookTest']> = async ({ params, body }, context) => {
  const { tx, ids, now, audit } = context
  const { endpointId } = params
  await sendTest(tx, { endpointId, message: body.message }, { ids, now })
  audit({ subject: { type: 'webhook_endpoint', id: endpointId }, before: null, after: { test: body.message } })
  return { status: 'accepted' }
}

/** GET /operator/v1/webhook-endpoints/{endpointId}/deliveries */
function listWebhookDeliveries(cursorSecret: Secret): OperatorHandler<Rows['listWebhookDeliveries']> {
  return async ({ params, query }, { reader }) => {
    const { status = null, eventType = null } = query
    const list = ['webhook deliveries', params.endpointId, status, eventType]
    const paging = pagingOf<string>(cursorSecret, list, query)
    const question = { status, eventType, afterId: paging.after, limit: paging.limit }
    return paging.page(
      await listOwnedDeliveries(reader, params.endpointId, question),
      ({ id }) => id,
      (row) => row,
    )
  }
}

/** GET /operator/v1/webhook-deliveries/{deliveryId} */
const getWebhookDelivery: OperatorHandler<Rows['getWebhookDelivery']> = async ({ params }, { reader }) => {
  const { delivery, body } = await loadDeliveryWithBody(reader, params.deliveryId)
  return { delivery, ...(body && { body: body.toString() }), bodyBytes: body?.length ?? 0 }
}

/** POST /operator/v1/webhook-deliveries/{deliveryId}/replay */
const replayWebhookDelivery: OperatorHandler<Rows['replayWebhookDelivery']> = async ({ params, body }, context) => {
  const { tx, ids, now, audit } = context
  const { reason = null } = body
  const replay = await replayDelivery(tx, params.deliveryId, { id: ids.next('whd'), reason, now })
  const after = { replayOf: params.deliveryId, endpointId: replay.endpointId, ...(reason !== null && { reason }) }
  audit({ subject: { type: 'webhook_delivery', id: replay.id }, before: null, after })
  return replay
}

export interface WebhookOperationDeps {
  readonly cursorSecret: Secret
}

export function webhookOperations({ cursorSecret }: WebhookOperationDeps) {
  return {
    listWebhookEndpoints: listWebhookEndpoints(cursorSecret),
    getWebhookEndpoint,
    setWebhookEndpointStatus,
    sendWebhookTest,
    listWebhookDeliveries: listWebhookDeliveries(cursorSecret),
    getWebhookDelivery,
    replayWebhookDelivery,
  }
}
