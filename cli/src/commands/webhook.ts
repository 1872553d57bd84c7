import { DELIVERY_STATUSES } from '@vitrine/contract'
import {
  forgetOtherKeys,
  listAllEndpoints,
  listEndpointDeliveries,
  openKeyring,
  replayAsOperator,
  assertSecretsOpenable,
  resealSecrets,
  sendTest,
} from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'

const LIST_MAX = 1000

/** `vitrine webhook list`: the endpoints, and how they fare. */
export async function listWebhooksCommand(
  { installation }: { readonly installation?: string },
  output: Output,
): Promise<void> {
  const rows = await inHouse(output, ({ database }) => listAllEndpoints(database.reader, installation ?? null))
  const shown = rows.map((row) => ({
    id: row.id,
    installationId: row.installation_id,
    environment: row.environment,
    status: row.status,
    disabledReason: row.disabled_reason,
    consecutiveFailures: row.consecutive_failures,
    events: row.events,
    url: row.url,
  }))
  const lines = shown.map((row) => [
    row.id,
    row.installationId,
    row.environment,
    row.disabledReason === null ? row.status : `${row.status} (${row.disabledReason})`,
    String(row.consecutiveFailures),
    row.url,
  ])
  const head = ['ID', 'INSTALLATION', 'ENVIRONMENT', 'STATUS', 'FAILURES', 'URL']
  output.result(shown, lines.length > 0 ? columns([head, ...lines]) : ['There is no webhook endpoint yet.'])
}

export interface DeliveriesOptions {
  readonly endpoint: string
  readonly status?: string
  readonly limit: string
}

/** `vitrine webhook deliveries`: the newest deliveries to an endpoint, and what came of each. */
export async function listDeliveriesCommand(options: DeliveriesOptions, output: Output): Promise<void> {
  const limit = Number(options.limit)
  if (!Number.isInteger(limit) || limit < 1 || limit > LIST_MAX) {
    throw new UsageError(`--limit must be a whole number from 1 to ${LIST_MAX}, not "${options.limit}".`)
  }
  const status = options.status === undefined ? null : statusIn(options.status)
  const deliveries = await inHouse(output, ({ database }) =>
    listEndpointDeliveries(database.reader, options.endpoint, { status, limit }),
  )
  const lines = deliveries.map((delivery) => {
    const last = delivery.attempts.at(-1)
    const came = last ? String(last.httpStatus ?? last.error) : ''
    const { id, createdAt, eventType, sequence, attempts } = delivery
    return [id, createdAt.toISOString(), eventType, `#${sequence}`, delivery.status, String(attempts.length), came]
  })
  const head = ['ID', 'CREATED', 'EVENT', 'SEQUENCE', 'STATUS', 'ATTEMPTS', 'LAST ANSWER']
  output.result(deliveries, lines.length > 0 ? columns([head, ...lines]) : ['There are no deliveries.'])
}

function statusIn(text: string): (typeof DELIVERY_STATUSES)[number] {
  const status = DELIVERY_STATUSES.find((each) => each === text)
  if (status === undefined) throw new UsageError(`--status is one of ${DELIVERY_STATUSES.join(', ')}, not "${text}".`)
  return status
}

/** `vitrine webhook replay ID`: delivers an event again. */
export async function replayDeliveryCommand(id: string, output: Output): Promise<void> {
  const replay = await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => replayAsOperator(tx, id, { ids, now: now() })),
  )
  output.result({ id: replay.id, replayOf: id, eventId: replay.eventId }, [
    `${replay.id} delivers ${replay.eventType} ${replay.eventId} again.`,
  ])
}

export interface SendTestOptions {
  readonly endpoint: string
  readonly message: string
}

/** `vitrine webhook test`: sends a test to an endpoint, whatever it listens to. */
export async function sendTestCommand({ endpoint, message }: SendTestOptions, output: Output): Promise<void> {
  if (message.length < 1 || message.length > 200) throw new UsageError('--message has 1 to 200 letters.')
  await inHouse(output, ({ database, ids, now }) =>
    database.transaction((tx) => sendTest(tx, { endpointId: endpoint, message }, { ids, now: now() })),
  )
  output.result({ endpointId: endpoint, message }, [
    `A test is on its way to ${endpoint}.`,
    '',
    `See what came of it: vitrine webhook deliveries --endpoint ${endpoint}`,
  ])
}

/** `vitrine webhook reseal`: seals all secrets with the newest key, so that the others may go. */
export async function resealCommand(output: Output): Promise<void> {
  const { resealed, keyId } = await inHouse(output, async ({ config, database, randomness }) => {
    const ring = await openKeyring(config, randomness)
    const count = await database.transaction(async (tx) => {
      await assertSecretsOpenable(tx, ring)
      const sealed = await resealSecrets(tx, ring)
      forgetOtherKeys(tx, ring)
      return sealed
    })
    return { resealed: count, keyId: ring.keyId }
  })
  output.result({ resealed, keyId }, [
    `${resealed} secrets were sealed anew. All of them are sealed with ${keyId} now: the other keys may go.`,
  ])
}
