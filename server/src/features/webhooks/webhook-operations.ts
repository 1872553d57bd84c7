import type { WebhookDeps } from './deps.ts'
import { createInstallationWebhook } from './operations/createInstallationWebhook.ts'
import { getInstallationWebhookSignatureFixture } from './operations/getInstallationWebhookSignatureFixture.ts'
import { listInstallationWebhookDeliveries } from './operations/listInstallationWebhookDeliveries.ts'
import { listInstallationWebhookEvents } from './operations/listInstallationWebhookEvents.ts'
import { listInstallationWebhooks } from './operations/listInstallationWebhooks.ts'
import { replayInstallationWebhookDelivery } from './operations/replayInstallationWebhookDelivery.ts'
import { updateInstallationWebhook } from './operations/updateInstallationWebhook.ts'

/** Rows 50 to 56 of the contract. */
export function webhookOperations(parts: WebhookDeps) {
  return {
    listInstallationWebhooks: listInstallationWebhooks(parts),
    createInstallationWebhook: createInstallationWebhook(parts),
    updateInstallationWebhook: updateInstallationWebhook(parts),
    getInstallationWebhookSignatureFixture: getInstallationWebhookSignatureFixture(parts),
    listInstallationWebhookDeliveries: listInstallationWebhookDeliveries(parts),
    replayInstallationWebhookDelivery,
    listInstallationWebhookEvents,
  }
}
