import { accountsOf } from '../support/commerce/accounts.ts'
import { logged, opened } from '../support/commerce/webhook-endpoints.ts'
import { CALLBACK, CHALLENGE, codeFor, registerApp } from '../support/pages/oauth.ts'
import { type Calls, changed, made, type Stage } from './call.ts'

const CUSTOMER = 'ada@example.com'

/** Apps with their keys, tokens and webhooks, and the shoppers. */
export const callsOfApps = {
  createInstallation: () => ({
    body: { name: 'Web shop', environment: 'test' },
    leaves: made('installation', ({ id }) => id),
  }),
  updateInstallation: ({ said }) => {
    const { id } = said('createInstallation')
    return { params: { installationId: id }, body: { name: 'Our web shop' }, leaves: changed('installation', id) }
  },
  listInstallations: () => ({}),
  getInstallation: (stage) => ({ params: theInstallation(stage) }),
  createInstallationKey: (stage) => ({
    params: theInstallation(stage),
    body: { scopes: ['catalog:read'] },
    leaves: made('key', ({ keyId }) => keyId),
  }),
  getKey: ({ said }) => ({ params: { keyId: said('createInstallationKey').keyId } }),
  rotateInstallationKey: (stage) => {
    const { keyId } = stage.said('createInstallationKey')
    return { params: { ...theInstallation(stage), keyId }, body: {}, leaves: changed('key', keyId) }
  },
  revokeInstallationKey: (stage) => {
    const { keyId } = stage.said('rotateInstallationKey')
    return { params: { ...theInstallation(stage), keyId }, body: {}, leaves: changed('key', keyId) }
  },
  listInstallationKeys: (stage) => ({ params: theInstallation(stage) }),
  listReadinessProofs: () => ({}),
  recordReadinessProof: ({ said }) => {
    const { code } = said('listReadinessProofs').items[0]!
    return { body: { code, note: 'Seen.' }, leaves: changed('readiness_proof', code) }
  },
  createOAuthClient: (stage) => ({
    body: { ...theInstallation(stage), redirectUris: [CALLBACK] },
    leaves: made('oauth_client', ({ id }) => id),
  }),
  createOAuthCode: ({ said }) => {
    const { id } = said('createOAuthClient')
    return {
      params: { clientId: id },
      body: { redirectUri: CALLBACK, codeChallenge: CHALLENGE },
      leaves: made('oauth_client', () => id),
    }
  },
  listOAuthClients: () => ({}),
  listOAuthGrants: async ({ shop }) => {
    const { clientId, ...app } = await registerApp(shop)
    await codeFor(shop, { clientId, ...app }, { scopes: ['catalog:read'] })
    return { query: { clientId } }
  },
  revokeOAuthGrant: ({ said }) => {
    const { id } = said('listOAuthGrants').items[0]!
    return { params: { grantId: id }, body: {}, leaves: changed('oauth_grant', id) }
  },
  sendWebhookTest: async (stage) => {
    const endpointId = await theEndpoint(stage)
    return {
      params: { endpointId },
      body: { message: 'Hello' },
      leaves: made('webhook_endpoint', () => endpointId),
    }
  },
  resealWebhookSecrets: () => ({ body: {}, leaves: made('webhook_secrets', ({ keyId }) => keyId) }),
  listWebhookEndpoints: () => ({}),
  getWebhookEndpoint: async (stage) => ({ params: { endpointId: await theEndpoint(stage) } }),
  listWebhookDeliveries: async (stage) => ({ params: { endpointId: await theEndpoint(stage) } }),
  replayWebhookDelivery: async (stage) => ({
    params: { deliveryId: await theDelivery(stage) },
    body: { reason: 'They were down.' },
    leaves: made('webhook_delivery', ({ id }) => id),
  }),
  getWebhookDelivery: async (stage) => ({ params: { deliveryId: await theDelivery(stage) } }),
  setWebhookEndpointStatus: async (stage) => {
    const endpointId = await theEndpoint(stage)
    return { params: { endpointId }, body: { status: 'paused' }, leaves: changed('webhook_endpoint', endpointId) }
  },
  listCustomers: async ({ shop }) => {
    const accounts = accountsOf(shop)
    await accounts.customer(CUSTOMER)
    await accounts.session(CUSTOMER)
    return { query: { q: CUSTOMER } }
  },
  getCustomer: ({ said }) => ({ params: { customerId: said('listCustomers').items[0]!.id } }),
  endCustomerSessions: (stage) => theCustomer(stage),
  disableCustomer: (stage) => theCustomer(stage),
  enableCustomer: (stage) => theCustomer(stage),
  listMails: () => ({}),
  listDeadJobs: () => ({}),
  retryDeadJob: async (stage) => {
    const jobId = await theDeadJob(stage)
    return { params: { jobId }, body: {}, leaves: changed('job', jobId) }
  },
  getMail: ({ said }) => ({ params: { mailId: said('listMails').items[0]!.id } }),
} satisfies Partial<Calls>

function theDeadJob({ shop, once }: Stage): Promise<string> {
  return once('dead job', async () => {
    const id = shop.ids.next('job')
    const now = shop.clock.now()
    await shop.query(
      `insert into jobs (id, kind, subject, run_at, attempts, attempts_max, last_error, dead_at)
       values ($1, 'mail.deliver', 'mail_a', $2, 8, 8, 'no route to host', $2)`,
      [id, now],
    )
    return id
  })
}

function theInstallation({ said }: Stage) {
  return { installationId: said('createInstallation').id }
}

function theCustomer({ said }: Stage) {
  const { id } = said('getCustomer')
  return { params: { customerId: id }, body: {}, leaves: changed('customer', id) }
}

function theEndpoint({ app, once }: Stage): Promise<string> {
  return once('endpoint', async () => (await opened(app)).id)
}

function theDelivery(stage: Stage): Promise<string> {
  return stage.once('delivery', async () => {
    const { shop, app } = stage
    const { installationId } = app
    return (await logged(shop, { installationId, endpointId: await theEndpoint(stage), status: 'dead' })).id
  })
}
