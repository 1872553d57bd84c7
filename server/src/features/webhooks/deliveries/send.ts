import { present } from '../../../kernel/assert.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { crashPoint } from '../../../platform/crash/crash-points.ts'
import type { Logger } from '../../../platform/observe/logger.ts'
import { inOwnTrace } from '../../../platform/observe/tracing.ts'
import {
  NO_RESPONSE_MESSAGES,
  type NoResponse,
  type OutboundHttp,
  type OutboundResponse,
} from '../../../platform/outbound/index.ts'
import type { Database } from '../../../platform/postgres/index.ts'
import type { Keyring } from '../../../platform/secrets/keyring.ts'
import { signingSecrets } from '../endpoints/secret-store.ts'
import { signatureHeaders } from '../endpoints/signing.ts'
import type { HeldDelivery } from './claim.ts'
import { type Outcome, parseRetryAfter } from './retry-policy.ts'

const USER_AGENT = 'Vitrine-Webhooks/1'

export interface SendDeps {
  readonly database: Database
  readonly clock: Clock
  readonly keyring: Keyring
  readonly outboundHttp: OutboundHttp
  readonly log: Logger
}

/**
 * Signs a delivery and posts it. Never throws: failing to send is an outcome as well.
 *
 * @param secrets the endpoint's signing secrets; read here if absent
 */
export async function sendDelivery(
  { database, keyring, outboundHttp, clock, log }: SendDeps,
  delivery: HeldDelivery,
  secrets: readonly Buffer[] | undefined,
  signal: AbortSignal,
): Promise<Outcome> {
  try {
    const sentAt = clock.now()
    const { endpointId, body } = delivery
    const known = secrets ?? (await signingSecrets(database.reader, keyring, [endpointId], sentAt)).get(endpointId)
    const headers = {
      'content-type': 'application/json',
      'user-agent': USER_AGENT,
      ...signatureHeaders({ id: delivery.eventId, sentAt, body }, present(known, 'an endpoint has a secret')),
      'webhook-delivery-id': delivery.id,
      'webhook-attempt': String(delivery.attempt),
    }
    const attributes = { 'vitrine.delivery': delivery.id, 'vitrine.event': delivery.eventId }
    const answer = await inOwnTrace('webhook.deliver', { kind: 'client', attributes }, async (span) => {
      const received = await outboundHttp.post({ url: delivery.url, headers, body }, signal)
      if (received.kind === 'answered') span.setAttribute('http.response.status_code', received.status)
      else span.setAttribute('error.type', received.reason)
      return received
    })
    crashPoint('delivery.answered')
    return outcomeOf(answer, clock.now())
  } catch (error) {
    log.error({ err: error, delivery: delivery.id }, 'webhook delivery: the request could not be sent')
    return { kind: 'unanswered', error: 'The request could not be sent.' }
  }
}

function outcomeOf(answer: OutboundResponse | NoResponse, now: Date): Outcome {
  if (answer.kind === 'answered') {
    return { kind: 'answered', httpStatus: answer.status, retryAfterMs: parseRetryAfter(answer.retryAfter, now) }
  }
  const kind = answer.reason === 'stopped' ? 'interrupted' : 'unanswered'
  return { kind, error: NO_RESPONSE_MESSAGES[answer.reason] }
}
