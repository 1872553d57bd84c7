import { LIMIT_DEFAULT, type OperatorEvent, type operatorOperations, roleMayGive } from '@vitrine/contract/operator'
import { findStore } from '../../../features/catalog/index.ts'
import {
  createEndpoint,
  type EndpointDeps,
  type LoggedEvent,
  loadOwnedEndpoint,
  readEvents,
  updateEndpoint,
} from '../../../features/webhooks/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../../platform/postgres/reader.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import {
  findIntegration,
  type IntegrationRow,
  insertIntegration,
  listIntegrationRows,
  lockIntegration,
  newToken,
  presentIntegration,
  replaceToken,
  saveRevocation,
  statusOf,
} from '../../door/integration-store.ts'
import { expiryOf } from '../../door/period.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/integrations */
const listIntegrations: OperatorHandler<Rows['listIntegrations']> = async (_input, { reader, now }) => {
  return { items: (await listIntegrationRows(reader)).map((row) => presentIntegration(row, now)) }
}

/** GET /operator/v1/integrations/{integrationId} */
const getIntegration: OperatorHandler<Rows['getIntegration']> = async ({ params }, { reader, now }) => {
  return presentIntegration((await findIntegration(reader, params.integrationId)) ?? refuse('not_found'), now)
}

/** POST /operator/v1/integrations */
const createIntegration: OperatorHandler<Rows['createIntegration']> = async ({ body }, context) => {
  const { tx, ids, now, randomness, operator, audit } = context
  const { name, access, storeSlug, expiresAt } = body
  if (!roleMayGive(operator.role, access)) refuse('role_insufficient')
  const expiry = expiryOf(expiresAt, now)
  const store = storeSlug === undefined ? null : ((await findStore(tx, storeSlug)) ?? refuse('not_found'))

  const [id, token] = [ids.next('itg'), newToken(randomness)]
  const integration = { id, name, token, access, storeId: store?.id ?? null, expiresAt: expiry, now }
  if (!(await insertIntegration(tx, integration))) refuse('name_taken')
  audit({ subject: { type: 'integration', id }, before: null, after: { ...body } })
  return { integration: presentIntegration(await integrationOf(tx, id), now), token }
}

/** POST /operator/v1/integrations/{integrationId}/token */
const replaceIntegrationToken: OperatorHandler<Rows['replaceIntegrationToken']> = async ({ params }, context) => {
  const { tx, now, randomness, operator, audit } = context
  const before = await activeIntegration(tx, params.integrationId, now)
  if (!roleMayGive(operator.role, before.access)) refuse('role_insufficient')

  const token = newToken(randomness)
  replaceToken(tx, before.id, token)
  const integration = presentIntegration(await integrationOf(tx, before.id), now)
  audit({
    subject: { type: 'integration', id: before.id },
    before: { tokenHint: presentIntegration(before, now).tokenHint },
    after: { tokenHint: integration.tokenHint },
  })
  return { integration, token }
}

/** POST /operator/v1/integrations/{integrationId}/revoke */
const revokeIntegration: OperatorHandler<Rows['revokeIntegration']> = async ({ params }, { tx, now, audit }) => {
  const before = (await lockIntegration(tx, params.integrationId)) ?? refuse('not_found')
  const status = statusOf(before, now)
  if (status === 'revoked') refuse('state_conflict', { conflict: { currentState: status } })

  saveRevocation(tx, before.id, now)
  audit({ subject: { type: 'integration', id: before.id }, before: { status }, after: { status: 'revoked' } })
  return presentIntegration(await integrationOf(tx, before.id), now)
}

/** POST /operator/v1/integrations/{integrationId}/webhook-endpoints */
function createIntegrationWebhook(deps: EndpointDeps): OperatorHandler<Rows['createIntegrationWebhook']> {
  return async ({ params, body }, { tx, ids, now, audit }) => {
    const { id: installationId } = await activeIntegration(tx, params.integrationId, now)
    const { environment, ...endpoint } = body
    const owner = { installationId, environment, narrowedTo: null, isIntegration: true } as const
    const created = await createEndpoint(tx, owner, endpoint, { ...deps, ids, now })
    const after = { ...body, integrationId: installationId }
    audit({ subject: { type: 'webhook_endpoint', id: created.id }, before: null, after })
    return created
  }
}

/** PATCH /operator/v1/integrations/{integrationId}/webhook-endpoints/{endpointId} */
function updateIntegrationWebhook(deps: EndpointDeps): OperatorHandler<Rows['updateIntegrationWebhook']> {
  return async ({ params, body }, { tx, now, audit }) => {
    const { integrationId: installationId, endpointId } = params
    const { endpoint, environment, integration } = await loadOwnedEndpoint(tx, endpointId)
    if (integration?.id !== installationId) refuse('not_found')
    const owner = { installationId, environment, narrowedTo: null, isIntegration: true } as const
    const updated = await updateEndpoint(tx, owner, endpointId, body, { ...deps, now })
    const shown = ({ url, events, status, description }: typeof endpoint) => ({ url, events, status, description })
    const after = { ...shown(updated), ...(body.rotateSecret && { secretReplaced: true }) }
    audit({ subject: { type: 'webhook_endpoint', id: endpointId }, before: shown(endpoint), after })
    return updated
  }
}

/** GET /operator/v1/events */
const listEvents: OperatorHandler<Rows['listEvents']> = async ({ query }, { reader, operator }) => {
  const { environment, after = 0, limit = LIMIT_DEFAULT } = query
  const { store, integration } = operator
  const ofStore = store ? { storeId: store.id, since: integration?.createdAt ?? null } : null
  const page = await readEvents(reader, { environment, after, limit, ofStore })
  return { items: page.events.map(presentEvent), position: page.position, hasMore: page.hasMore }
}

export function integrationOperations(deps: EndpointDeps) {
  return {
    listIntegrations,
    getIntegration,
    createIntegration,
    replaceIntegrationToken,
    revokeIntegration,
    createIntegrationWebhook: createIntegrationWebhook(deps),
    updateIntegrationWebhook: updateIntegrationWebhook(deps),
    listEvents,
  }
}

async function integrationOf(reader: Reader, id: string): Promise<IntegrationRow> {
  return present(await findIntegration(reader, id), 'the integration')
}

/** Locks an active integration. Refusals: `not_found`, `state_conflict`. */
async function activeIntegration(tx: Transaction, id: string, now: Date): Promise<IntegrationRow> {
  const row = (await lockIntegration(tx, id)) ?? refuse('not_found')
  const status = statusOf(row, now)
  if (status !== 'active') refuse('state_conflict', { conflict: { currentState: status, allowed: ['active'] } })
  return row
}

/** Presents an event from the body of its webhook, which has everything but the position. */
function presentEvent({ position, body }: LoggedEvent): OperatorEvent {
  const { id, type, timestamp, environment, sequence, data } = JSON.parse(body.toString())
  return { position, id, type, timestamp, environment, sequence, data }
}
