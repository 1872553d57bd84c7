import type { WebhookDeps } from './deps.ts'
import { createInstallationWebhook } from './operations/createInstallationWebhook.ts'
import { getInstallationWebhookSignatureFixture } from './operations/getInstallationWebhookSignatureFixture.ts'
import { listInstallationWebhookDeliveries } from './operations/listInstallationWebhookDeliveries.ts'
import { listInstallationWebhookEvents } from './operations/listInstallationWebhookEvents.ts'
import { listInstallationWebhooks } from './operations/listInstallationWebhooks.ts'
import { replayInstallationWebhookDelivery } from './operations/replayInstallationWebhookDelivery.ts'
import { updateInstallationWebhook } from './operations/updateInstallationWebhook.ts'

export function webhookOperations(deps: WebhookDeps) {
  return {
    listInstallationWebhooks: listInstallationWebhooks(deps),
    createInstallationWebhook: createInstallationWebhook(deps),
    updateInstallationWebhook: updateInstallationWebhook(deps),
    getInstallationWebhookSignatureFixture: getInstallationWebhookSignatureFixture(deps),
    listInstallationWebhookDeliveries: listInstallationWebhookDeliveries(deps),
    replayInstallationWebhookDelivery,
    listInstallationWebhookEvents,
  }
}
