import { setMarketingConsent } from '../../server/src/features/accounts/index.ts'
import { paidBy } from '../support/commerce/paid-orders.ts'
import { logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { CALLBACK, CHALLENGE, codeFor, registerApp } from '../support/pages/oauth.ts'
import { type Calls, changed, created, deleted } from './call.ts'
import { type Marketplace, newDeadJob } from './marketplace.ts'

/** Installations with their keys, tokens and webhooks; customers; mails and jobs. */
export const callsOfApps = {
  createInstallation: () => ({
    body: { name: 'Web shop', environment: 'test' },
    audit: created('installation', ({ id }) => id),
  }),
  updateInstallation: async ({ shop }) => {
    const id = await shop.installation()
    return { params: { installationId: id }, body: { name: 'Our web shop' }, audit: changed('installation', id) }
  },
  listInstallations: () => ({}),
  getInstallation: ({ app }) => ({ params: { installationId: app.installationId } }),
  createInstallationKey: async ({ shop }) => ({
    params: { installationId: await shop.installation() },
    body: { scopes: ['catalog:read'] },
    audit: created('key', ({ keyId }) => keyId),
  }),
  getKey: ({ app }) => ({ params: { keyId: app.keyId } }),
  rotateInstallationKey: (marketplace) => changedKey(marketplace),
  revokeInstallationKey: (marketplace) => changedKey(marketplace),
  listInstallationKeys: ({ app }) => ({ params: { installationId: app.installationId } }),
  listReadinessProofs: () => ({}),
  recordReadinessProof: async ({ operator }) => {
    const { items } = (await operator.get('/readiness-proofs')).body.data
    const { code } = items[0]
    return { body: { code, note: 'Seen.' }, audit: changed('readiness_proof', code) }
  },
  createOAuthClient: async ({ shop }) => ({
    body: { installationId: await shop.installation(), redirectUris: [CALLBACK] },
    audit: created('oauth_client', ({ id }) => id),
  }),
  removeOAuthClient: async ({ shop }) => {
    const { clientId } = await registerApp(shop)
    return { params: { clientId }, audit: deleted('oauth_client', clientId) }
  },
  createOAuthCode: async ({ shop }) => {
    const { clientId } = await registerApp(shop)
    return {
      params: { clientId },
      body: { redirectUri: CALLBACK, codeChallenge: CHALLENGE },
      audit: created('oauth_client', () => clientId),
    }
  },
  listOAuthClients: () => ({}),
  listOAuthGrants: ({ oauthClientId }) => ({ query: { clientId: oauthClientId } }),
  revokeOAuthGrant: async ({ shop, operator }) => {
    const client = await registerApp(shop)
    await codeFor(shop, client, { scopes: ['catalog:read'] })
    const { items } = (await operator.get(`/oauth-grants?clientId=${client.clientId}`)).body.data
    const { id } = items[0]
    return { params: { grantId: id }, body: {}, audit: changed('oauth_grant', id) }
  },
  sendWebhookTest: ({ endpointId }) => ({
    params: { endpointId },
    body: { message: 'Hello' },
    audit: created('webhook_endpoint', () => endpointId),
  }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: ({ endpointId }) => ({ params: { endpointId } }),
  listWebhookDeliveries: ({ endpointId }) => ({ params: { endpointId } }),
  replayWebhookDelivery: async ({ shop, app: { installationId }, endpointId }) => {
    const { id: deliveryId } = await logged(shop, { installationId, endpointId, status: 'dead' })
    return {
      params: { deliveryId },
      body: { reason: 'They were down.' },
      audit: created('webhook_delivery', ({ id }) => id),
    }
  },
  getWebhookDelivery: ({ deliveryId }) => ({ params: { deliveryId } }),
  setWebhookEndpointStatus: async ({ app }) => {
    const { id: endpointId } = await opened(app)
    return { params: { endpointId }, body: { status: 'paused' }, audit: changed('webhook_endpoint', endpointId) }
  },
  exportCustomers: () => ({ audit: created('export', () => 'customers') }),
  createIntegration: () => ({
    body: { name: 'ERP', access: { orders: 'write' }, storeSlug: 'ceramics' },
    audit: created('integration', ({ integration }) => integration.id),
  }),
  listIntegrations: async (marketplace) => {
    await newIntegration(marketplace, 'Listed')
    return {}
  },
  getIntegration: async (marketplace) => ({ params: { integrationId: await newIntegration(marketplace, 'Read') } }),
  replaceIntegrationToken: async (marketplace) => changedIntegration(await newIntegration(marketplace, 'Replaced')),
  revokeIntegration: async (marketplace) => changedIntegration(await newIntegration(marketplace, 'Revoked')),
  createIntegrationWebhook: async (marketplace) => ({
    params: { integrationId: await newIntegration(marketplace, 'Told') },
    body: { environment: 'test', ...HOOK },
    audit: created('webhook_endpoint', ({ id }) => id),
  }),
  updateIntegrationWebhook: async (marketplace) => {
    const integrationId = await newIntegration(marketplace, 'Rotated')
    const path = `/integrations/${integrationId}/webhook-endpoints`
    const { id } = await marketplace.operator.change('POST', path, { environment: 'test', ...HOOK })
    return {
      params: { integrationId, endpointId: id },
      body: { rotateSecret: true },
      audit: changed('webhook_endpoint', id),
    }
  },
  listEvents: async ({ shop, app }) => {
    await paidBy(shop, app, { MUG: 1 })
    await shop.work()
    return { query: { environment: 'test' } }
  },
  listCustomers: () => ({ query: { q: 'kept@customers.example' } }),
  getCustomer: ({ customerIds }) => ({ params: { customerId: customerIds.kept } }),
  endCustomerSessions: ({ customerIds }) => changedCustomer(customerIds.toSignOut),
  disableCustomer: ({ customerIds }) => changedCustomer(customerIds.toDisable),
  enableCustomer: ({ customerIds }) => changedCustomer(customerIds.disabled),
  withdrawCustomerConsent: async ({ shop, customerIds }) => {
    const { clock, database } = shop
    await database.transaction((tx) => setMarketingConsent(tx, customerIds.toSignOut, true, clock.now()))
    return changedCustomer(customerIds.toSignOut)
  },
  exportPerson: ({ customerIds: { kept } }) => ({ body: { person: kept }, audit: created('person', () => kept) }),
  previewErasure: ({ customerIds: { kept } }) => ({ body: { person: kept } }),
  erasePerson: ({ customerIds: { toErase } }) => ({
    body: { person: toErase },
    audit: created('person', () => toErase),
  }),
  getRetention: () => ({}),
  previewRetention: () => ({ body: RETENTION }),
  saveRetention: () => ({ body: RETENTION, audit: changed('retention', 'retention') }),
  listMails: () => ({}),
  getMail: async ({ operator }) => {
    const { items } = (await operator.get('/mails')).body.data
    return { params: { mailId: items[0].id } }
  },
  listDeadJobs: () => ({}),
  retryDeadJob: async (marketplace) => {
    const jobId = await newDeadJob(marketplace)
    return { params: { jobId }, body: {}, audit: changed('job', jobId) }
  },
} satisfies Partial<Calls>

const RETENTION = { orderYears: 10, closedAccountDays: 30, endedCartDays: 90, mailDays: 30, searchDays: 180 }
const HOOK = { url: 'https://erp.example/hooks', events: ['*'] }

async function newIntegration({ operator }: Marketplace, name: string): Promise<string> {
  const { integration } = await operator.change('POST', '/integrations', { name, access: { orders: 'read' } })
  return integration.id
}

function changedIntegration(id: string) {
  return { params: { integrationId: id }, body: {}, audit: changed('integration', id) }
}

/** A new key. */
async function changedKey({ shop }: Marketplace) {
  const { installationId, keyId } = await shop.client()
  return { params: { installationId, keyId }, body: {}, audit: changed('key', keyId) }
}

function changedCustomer(id: string) {
  return { params: { customerId: id }, body: {}, audit: changed('customer', id) }
}
