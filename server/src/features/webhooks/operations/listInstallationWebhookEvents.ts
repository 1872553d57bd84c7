import { type EventKind, eventBody, eventKindNames, eventKinds, exampleOf, type operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'

/** The document never changes while we run, so it is made once. */
const events = eventKindNames.map(describeKind)

/** GET /api/v1/open/webhooks/events */
export const listInstallationWebhookEvents: Handler<typeof operations.listInstallationWebhookEvents> = async () => ({
  events,
})

function describeKind(type: EventKind) {
  const schema = eventBody(type)
  return {
    type,
    description: eventKinds[type].description,
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...plain(schema) },
    sample: plain(exampleOf(schema) as object),
  }
}

/** As JSON has it, without what our own library keeps beside. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
}
