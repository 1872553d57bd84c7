import { DELIVERY_STATUSES } from '@vitrine/contract'
import type { CommandLine } from '../command-line.ts'
import { limit, oneOf } from '../options.ts'
import { rotateSealingKey } from './secrets/secrets.ts'

interface DeliveriesOptions {
  readonly endpoint: string
  readonly status?: (typeof DELIVERY_STATUSES)[number]
  readonly limit: number
}

export function addWebhookCommands({ command, group, operator, out }: CommandLine): void {
  const webhook = group('webhook', 'webhook endpoints and deliveries')
  command(webhook, 'list', 'list the endpoints and their health')
    .option('--installation <id>', 'of this installation')
    .action(async ({ installation: installationId }: { installation?: string }) => {
      const query = installationId === undefined ? {} : { installationId }
      const found = await operator((client) => client.list('listWebhookEndpoints', query))
      const shown = found.map(({ endpoint, environment, installation, integration }) => {
        const { id, status, disabledReason = null, stats, events, url } = endpoint
        const { consecutiveFailures } = stats
        return {
          id,
          ownerId: installation?.id ?? integration?.id ?? '',
          environment,
          status,
          disabledReason,
          consecutiveFailures,
          events,
          url,
        }
      })
      const rows = shown.map(({ id, ownerId: of, environment, status, disabledReason, consecutiveFailures, url }) => {
        const state = disabledReason === null ? status : `${status} (${disabledReason})`
        return [id, of, environment, state, `${consecutiveFailures}`, url]
      })
      const heads = ['ID', 'OWNER', 'ENVIRONMENT', 'STATUS', 'FAILURES', 'URL']
      out.table(shown, heads, rows, 'There is no webhook endpoint yet.')
    })
  command(webhook, 'deliveries', 'list the newest deliveries to an endpoint')
    .requiredOption('--endpoint <id>', 'endpoint')
    .option('--status <status>', DELIVERY_STATUSES.join(', '), oneOf('--status', DELIVERY_STATUSES))
    .option('--limit <number>', 'number of deliveries', limit, 50)
    .action(async ({ endpoint: endpointId, status, limit: count }: DeliveriesOptions) => {
      const query = status === undefined ? {} : { status }
      const found = await operator((client) => client.list('listWebhookDeliveries', query, count, { endpointId }))
      const rows = found.map(({ id, createdAt, eventType, sequence, status: state, attempts }) => {
        const last = attempts.at(-1)
        const answer = last ? `${last.httpStatus ?? last.error}` : ''
        return [id, createdAt, eventType, `#${sequence}`, state, `${attempts.length}`, answer]
      })
      const heads = ['ID', 'CREATED', 'EVENT', 'SEQUENCE', 'STATUS', 'ATTEMPTS', 'LAST ANSWER']
      out.table(found, heads, rows, 'There are no deliveries.')
    })
  command(webhook, 'replay <delivery>', 'deliver an event again').action(async (deliveryId: string) => {
    const { id, eventId, eventType } = await operator((client) =>
      client.call('replayWebhookDelivery', { params: { deliveryId }, body: {} }),
    )
    out.result({ id, replayOf: deliveryId, eventId }, [`${id} delivers ${eventType} ${eventId} again.`])
  })
  command(webhook, 'test', 'send a test event to an endpoint')
    .requiredOption('--endpoint <id>', 'endpoint')
    .option('--message <text>', 'message', 'Hello from Vitrine')
    .action(async ({ endpoint: endpointId, message }: { endpoint: string; message: string }) => {
      await operator((client) => client.call('sendWebhookTest', { params: { endpointId }, body: { message } }))
      out.result({ endpointId, message }, [
        `A test is on its way to ${endpointId}.`,
        '',
        `See the result: vitrine webhook deliveries --endpoint ${endpointId}`,
      ])
    })
  command(webhook, 'listen', 'receive, verify and show deliveries on this machine')
    .option('--port <port>', 'port on loopback', '9000')
    .option('--secret <secret>', 'secret of the endpoint; VITRINE_WEBHOOK_SECRET by default')
    .option('--answer <status>', 'status to answer, to try out failures', '200')
    .action(async (options) => (await import('./webhook-listen.ts')).listenCommand(options, out))
  command(webhook, 'reseal', 'the earlier name of "secret rotate sealing-key"').action(() =>
    rotateSealingKey({ operator, out }),
  )
}
