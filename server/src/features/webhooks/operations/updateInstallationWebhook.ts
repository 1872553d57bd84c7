import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { WebhookDeps } from '../deps.ts'
import { updateEndpoint } from '../endpoints/change.ts'

/** PATCH /api/v1/open/webhooks/endpoints/{id} */
export function updateInstallationWebhook(deps: WebhookDeps): Handler<typeof operations.updateInstallationWebhook> {
  return ({ params, body }, { tx, principal, now }) => updateEndpoint(tx, principal, params.id, body, { ...deps, now })
}
