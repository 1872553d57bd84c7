import { OperatorError } from '../../kernel/operator-error.ts'
import { type EventContext, publishEvent } from '../../platform/outbox/outbox.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import type { DeliveryStatus } from './delivery.ts'
import { findDelivery, insertReplay, type LoggedDelivery, listDeliveries } from './delivery-log.ts'
import type { Endpoint } from './endpoint.ts'
import { findEndpoint } from './endpoint-store.ts'
import { replayProblem } from './replay.ts'

/** What an operator asked for cannot be done: a sentence that says why. */
export class WebhookError extends OperatorError {
  override readonly name = 'WebhookError'
}

/** An endpoint as an operator sees it. */
export interface EndpointRow {
  readonly id: string
  readonly installation_id: string
  readonly environment: 'test' | 'live'
  readonly status: Endpoint['status']
  readonly disabled_reason: string | null
  readonly url: string
  readonly events: readonly string[]
  readonly consecutive_failures: number
}

const list = statement<EndpointRow>(
  'webhook_endpoints.list_all',
  `select id, installation_id, environment, status, disabled_reason, url, events,
     coalesce(consecutive_failures, 0) as consecutive_failures
   from webhook_endpoints left join webhook_health on endpoint_id = id
   where $1::text is null or installation_id = $1 order by id desc limit $2`,
)
interface Owner {
  readonly installationId: string
  readonly environment: 'test' | 'live'
}
interface OwnerRow {
  readonly installation_id: string
  readonly environment: 'test' | 'live'
}
const ownerOfEndpoint = statement<OwnerRow>(
  'webhook_endpoints.owner',
  'select installation_id, environment from webhook_endpoints where id = $1',
)
const ownerOfDelivery = statement<OwnerRow>(
  'webhook_deliveries.owner',
  `select installation_id, environment from webhook_deliveries as delivery
     join webhook_endpoints as endpoint on endpoint.id = delivery.endpoint_id
   where delivery.id = $1`,
)

const LIST_MAX = 1000

/** The endpoints of an installation or of all, the newest first, at most a thousand. */
export function listAllEndpoints(reader: Reader, installationId: string | null): Promise<EndpointRow[]> {
  return reader.rows(list, [installationId, LIST_MAX])
}

/** The newest deliveries to an endpoint. @throws WebhookError where there is no such endpoint */
export async function listEndpointDeliveries(
  reader: Reader,
  endpointId: string,
  { status, limit }: { readonly status: DeliveryStatus | null; readonly limit: number },
): Promise<LoggedDelivery[]> {
  const owner = ownerIn(await reader.row(ownerOfEndpoint, [endpointId]), `There is no endpoint ${endpointId}.`)
  return listDeliveries(reader, owner, { endpointId, status, eventType: null, behind: null, limit })
}

/**
 * Sends a test to an endpoint, whatever it listens to.
 *
 * @throws WebhookError where nothing goes to it
 */
export async function sendTest(
  tx: Transaction,
  { endpointId, message }: { readonly endpointId: string; readonly message: string },
  context: EventContext,
): Promise<void> {
  const owner = ownerIn(await tx.row(ownerOfEndpoint, [endpointId]), `There is no endpoint ${endpointId}.`)
  const { status } = await findEndpoint(tx, owner, endpointId)
  if (status !== 'enabled') throw new WebhookError(`${endpointId} is ${status}: nothing goes to it.`)
  const event = { kind: 'webhook.test', ...owner, storeId: null, subjectId: endpointId } as const
  publishEvent(tx, { ...event, data: { endpointId, message } }, context)
}

/**
 * Delivers an event again, as the operation of the contract does.
 *
 * @throws WebhookError where the delivery has not ended, or nothing goes to its endpoint
 */
export async function replayAsOperator(
  tx: Transaction,
  deliveryId: string,
  context: EventContext,
): Promise<LoggedDelivery> {
  const owner = ownerIn(await tx.row(ownerOfDelivery, [deliveryId]), `There is no delivery ${deliveryId}.`)
  const delivery = await findDelivery(tx, owner, deliveryId)
  const problem = replayProblem(delivery.status, await findEndpoint(tx, owner, delivery.endpointId))
  if (problem?.code === 'delivery_in_progress') {
    throw new WebhookError(`${deliveryId} is ${problem.currentState}: what succeeded or is dead is delivered again.`)
  }
  if (problem) throw new WebhookError(`Its endpoint is ${problem.currentState}: nothing goes to it.`)
  return insertReplay(tx, delivery, { id: context.ids.next('whd'), reason: null, now: context.now })
}

function ownerIn(row: OwnerRow | undefined, sentence: string): Owner {
  if (!row) throw new WebhookError(sentence)
  return { installationId: row.installation_id, environment: row.environment }
}
