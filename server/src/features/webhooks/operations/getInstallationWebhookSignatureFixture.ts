import type { operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { findEndpoint } from '../endpoint-store.ts'
import type { WebhookDeps } from '../parts.ts'
import { signatureFixture } from '../signature-fixture.ts'

/** GET /api/v1/open/webhooks/endpoints/{id}/signature-fixture */
export function getInstallationWebhookSignatureFixture({
  fixtureSecret,
}: WebhookDeps): Handler<typeof operations.getInstallationWebhookSignatureFixture> {
  return async ({ params }, { reader, principal, now }) => {
    const endpoint = await findEndpoint(reader, principal, params.id)

    return signatureFixture(endpoint, fixtureSecret, now)
  }
}
