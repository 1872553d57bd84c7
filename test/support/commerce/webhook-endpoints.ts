import type { Environment } from '../../../server/src/kernel/environment.ts'
import { statement } from '../../../server/src/platform/postgres/index.ts'
import { type Answer, type Client, dataOf } from '../client.ts'
import type { World } from '../world.ts'

export const WEBHOOKS = {
  endpoints: '/api/v1/open/webhooks/endpoints',
  deliveries: '/api/v1/open/webhooks/deliveries',
  events: '/api/v1/open/webhooks/events',
} as const

/** Requests a new endpoint for all events, as an installation. */
export function open(client: Client, more: object = {}, key?: string): Promise<Answer> {
  const body = { url: 'https://shop.example/hooks', events: ['*'], ...more }
  return client.post(WEBHOOKS.endpoints, body, key === undefined ? {} : { key })
}

/** Creates an endpoint. Returns it with its secret. */
export async function opened(client: Client, more: object = {}): Promise<Answer['body']> {
  return dataOf(await open(client, more))
}

export function change(client: Client, id: string, body: object): Promise<Answer> {
  return client.patch(`${WEBHOOKS.endpoints}/${id}`, body)
}

export interface LoggedOptions {
  readonly installationId: string
  readonly endpointId: string
  readonly environment?: Environment
  readonly status?: 'pending' | 'delivering' | 'retrying' | 'succeeded' | 'dead' | 'canceled'
  readonly eventType?: string
  readonly attempts?: readonly { readonly durationMs: number; readonly httpStatus?: number; readonly error?: string }[]
}

const insertEvent = statement(
  'test.event',
  `insert into events (id, kind, environment, installation_id, subject_id, sequence, data, body, created_at)
   values ($1, $2, $3, $4, $5, 1, '{}', $6, $7)`,
)
const insertDelivery = statement(
  'test.delivery',
  `insert into webhook_deliveries (id, endpoint_id, event_id, event_type, sequence, status, attempts, attempted_at,
     due_at, lease_until, created_at, updated_at)
   values ($1, $2, $3, $4, 1, $5, $6, $7, $8, $9, $10, $10)`,
)
const insertAttempt = statement(
  'test.attempt',
  `insert into webhook_attempts (delivery_id, n, at, duration_ms, http_status, error) values ($1, $2, $3, $4, $5, $6)`,
)

/** Inserts a delivery into the log, later than all earlier ones. Returns its id and the id of its event. */
export async function logged(
  { database, clock, ids }: World,
  options: LoggedOptions,
): Promise<{ readonly id: string; readonly eventId: string }> {
  const { installationId, endpointId, environment = 'test', eventType = 'cart.revoked' } = options
  const { status = 'succeeded', attempts = status === 'pending' ? [] : [{ durationMs: 84, httpStatus: 200 }] } = options
  clock.advance(1)
  const now = clock.now()
  const [id, eventId, cartId] = [ids.next('whd'), ids.next('evt'), ids.next('cart')]
  const dueAt = status === 'pending' || status === 'retrying' ? now : null
  const leaseUntil = status === 'delivering' ? now : null
  const attemptedAt = attempts.length > 0 ? now : null
  await database.transaction(async (tx) => {
    tx.write(insertEvent, [eventId, eventType, environment, installationId, cartId, Buffer.from('{}'), now])
    tx.write(insertDelivery, [
      id,
      endpointId,
      eventId,
      eventType,
      status,
      attempts.length,
      attemptedAt,
      dueAt,
      leaseUntil,
      now,
    ])
    for (const [index, { durationMs, httpStatus = null, error = null }] of attempts.entries()) {
      tx.write(insertAttempt, [id, index + 1, now, durationMs, httpStatus, error])
    }
  })
  return { id, eventId }
}
