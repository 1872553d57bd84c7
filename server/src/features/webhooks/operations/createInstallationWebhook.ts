import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { WebhookDeps } from '../deps.ts'
import { createEndpoint } from '../endpoints/change.ts'

/** POST /api/v1/open/webhooks/endpoints */
export function createInstallationWebhook(deps: WebhookDeps): Handler<typeof operations.createInstallationWebhook> {
  return ({ body }, { tx, principal, ids, now }) => createEndpoint(tx, principal, body, { ...deps, ids, now })
}
