import type { WebhookDelivery } from '@vitrine/contract'
import type { LoggedDelivery } from './log.ts'

export function presentDelivery(delivery: LoggedDelivery): WebhookDelivery {
  const { id, endpointId, eventId, eventType, sequence, status, attempts, dueAt, replayOf } = delivery
  return {
    id,
    endpointId,
    eventId,
    eventType,
    sequence,
    status,
    attempts: attempts.map(({ n, at, durationMs, httpStatus, error }) => ({
      n,
      at: at.toISOString(),
      durationMs,
      ...(httpStatus !== null && { httpStatus }),
      ...(error !== null && { error }),
    })),
    ...(dueAt && { nextAttemptAt: dueAt.toISOString() }),
    ...(replayOf !== null && { replayOf }),
    version: delivery.version,
    createdAt: delivery.createdAt.toISOString(),
    updatedAt: delivery.updatedAt.toISOString(),
  }
}
