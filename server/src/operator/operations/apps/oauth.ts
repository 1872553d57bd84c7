import {
  type OperatorGrant,
  type OperatorOAuthClient,
  type operatorOperations,
  operatorRoles,
} from '@vitrine/contract/operator'
import {
  type AuthorizationServer,
  approveAsOperator,
  type ClientRecord,
  createClient,
  findClientRecord,
  type GrantRecord,
  grantStatus,
  listClients,
  listGrants,
  removeClient,
  revokeGrantById,
} from '../../../features/oauth/index.ts'
import { present } from '../../../kernel/assert.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { Secret } from '../../../platform/secrets/rotating-secret.ts'
import { refuseAccess } from '../../door/access.ts'
import type { OperatorHandler } from '../../door/handler.ts'
import { likeOf, pagingOf } from '../../door/paging.ts'
import { lockOperatorById } from '../../door/session-store.ts'

type Rows = typeof operatorOperations

/** GET /operator/v1/oauth-clients */
function listOAuthClients(cursorSecret: Secret): OperatorHandler<Rows['listOAuthClients']> {
  return async ({ query }, { reader, now }) => {
    const { q, installationId = null } = query
    const paging = pagingOf<string>(cursorSecret, ['oauth clients', q, installationId], query)
    const question = { installationId, like: likeOf(q), afterId: paging.after, limit: paging.limit, now }
    return paging.page(await listClients(reader, question), ({ id }) => id, presentClient)
  }
}

/** POST /operator/v1/oauth-clients */
const createOAuthClient: OperatorHandler<Rows['createOAuthClient']> = async ({ body }, { tx, ids, now, audit }) => {
  const id = await createClient(tx, body, { ids, now })
  const created = presentClient(present(await findClientRecord(tx, id, now), 'just created'))
  const { authMethod, redirectUris, keyIds } = created
  const after = { installationId: body.installationId, authMethod, redirectUris, keyIds }
  audit({ subject: { type: 'oauth_client', id }, before: null, after })
  return created
}

/** DELETE /operator/v1/oauth-clients/{clientId} */
const removeOAuthClient: OperatorHandler<Rows['removeOAuthClient']> = async ({ params }, { tx, now, audit }) => {
  const { clientId: id } = params
  const found = (await findClientRecord(tx, id, now)) ?? refuse('not_found')
  const endedGrants = (await removeClient(tx, id, now)) ?? refuse('not_found')

  const { authMethod, redirectUris, installation } = presentClient(found)
  const before = { installationId: installation.id, authMethod, redirectUris, activeGrants: endedGrants }
  audit({ subject: { type: 'oauth_client', id }, before, after: null })

  return { status: 'removed', endedGrants }
}

/** POST /operator/v1/oauth-clients/{clientId}/codes */
function createOAuthCode(server: AuthorizationServer): OperatorHandler<Rows['createOAuthCode']> {
  return async ({ params: { clientId }, body }, { tx, ids, randomness, now, operator, audit }) => {
    const { redirectUri, codeChallenge, dpopJkt, scopes } = body
    // Grants end with their approver: one approved while its approver is disabled or demoted would remain.
    const approver = operator.id === null ? operator : await lockOperatorById(tx, operator.id)
    if (!approver || approver.store || operatorRoles[approver.role].apps !== 'write') refuseAccess(operator)
    const approval = {
      client_id: clientId,
      redirect_uri: redirectUri,
      code_challenge: codeChallenge,
      ...(dpopJkt !== undefined && { dpop_jkt: dpopJkt }),
      ...(scopes !== undefined && { scope: scopes.join(' ') }),
    }
    const code = await approveAsOperator(tx, approval, server, { ids, randomness, now, operatorId: operator.id })
    audit({
      subject: { type: 'oauth_client', id: clientId },
      before: null,
      after: { approved: scopes ?? 'all scopes' },
    })
    return { code }
  }
}

/** GET /operator/v1/oauth-grants */
function listOAuthGrants(cursorSecret: Secret): OperatorHandler<Rows['listOAuthGrants']> {
  return async ({ query }, { reader, now }) => {
    const { installationId = null, clientId = null } = query
    const paging = pagingOf<string>(cursorSecret, ['oauth grants', installationId, clientId], query)
    const question = { installationId, clientId, afterId: paging.after, limit: paging.limit }
    return paging.page(
      await listGrants(reader, question),
      ({ id }) => id,
      (grant) => presentGrant(grant, now),
    )
  }
}

/** POST /operator/v1/oauth-grants/{grantId}/revoke */
const revokeOAuthGrant: OperatorHandler<Rows['revokeOAuthGrant']> = async ({ params }, { tx, now, audit }) => {
  const { before, after } = (await revokeGrantById(tx, params.grantId, now)) ?? refuse('not_found')
  audit({
    subject: { type: 'oauth_grant', id: params.grantId },
    before: { standing: grantStatus(before, now) },
    after: { standing: grantStatus(after, now), clientId: after.client_id },
  })
  return presentGrant(after, now)
}

export interface OAuthOperationDeps {
  readonly cursorSecret: Secret
  readonly authorizationServer: AuthorizationServer
}

export function oauthClientOperations({ cursorSecret, authorizationServer }: OAuthOperationDeps) {
  return {
    listOAuthClients: listOAuthClients(cursorSecret),
    createOAuthClient,
    removeOAuthClient,
    createOAuthCode: createOAuthCode(authorizationServer),
    listOAuthGrants: listOAuthGrants(cursorSecret),
    revokeOAuthGrant,
  }
}

function installationOf({ installation_id, installation_name, environment }: ClientRecord | GrantRecord) {
  return { id: installation_id, name: installation_name, environment }
}

function presentClient(client: ClientRecord): OperatorOAuthClient {
  return {
    id: client.id,
    installation: installationOf(client),
    authMethod: client.auth_method,
    redirectUris: [...client.redirect_uris],
    keyIds: [...client.key_ids],
    grantCount: client.grant_count,
    createdAt: client.created_at.toISOString(),
  }
}

function presentGrant(grant: GrantRecord, now: Date): OperatorGrant {
  return {
    id: grant.id,
    clientId: grant.client_id,
    installation: installationOf(grant),
    ...(grant.store_slug !== null && { store: grant.store_slug }),
    scopes: [...grant.scopes],
    approvedBy: grant.approved_by,
    standing: grantStatus(grant, now),
    createdAt: grant.created_at.toISOString(),
    endsAt: grant.ends_at.toISOString(),
    ...(grant.revoked_at && { revokedAt: grant.revoked_at.toISOString() }),
    ...(grant.revoked_because !== null && { revokedBecause: grant.revoked_because }),
  }
}
