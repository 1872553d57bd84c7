import { type EventKind, eventBody, eventKindNames, eventKinds, exampleOf, type operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'

/** Built once: it depends on the contract alone. */
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

/** The plain JSON, without the schema library's own properties. */
function plain(value: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>
}
