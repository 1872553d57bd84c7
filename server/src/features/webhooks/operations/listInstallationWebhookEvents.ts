import {
  type EventKind,
  eventBody,
  eventKindNames,
  eventKinds,
  exampleOf,
  type operations,
  publishedSchema,
} from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'

/** Built once: it depends only on the contract. */
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
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', ...publishedSchema(schema, 'open') },
    sample: exampleOf(schema) as Record<string, unknown>,
  }
}
