import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { WebhookDeps } from '../deps.ts'
import { signatureFixture } from '../endpoints/signature-fixture.ts'
import { loadEndpoint } from '../endpoints/store.ts'

/** GET /api/v1/open/webhooks/endpoints/{id}/signature-fixture */
export function getInstallationWebhookSignatureFixture({
  fixtureSecret,
}: WebhookDeps): Handler<typeof operations.getInstallationWebhookSignatureFixture> {
  return async ({ params }, { reader, principal, now }) => {
    const endpoint = await loadEndpoint(reader, principal, params.id)

    return signatureFixture(endpoint, fixtureSecret, now)
  }
}
