import type { AuthorizationDescription, operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import type { AuthorizationRequest } from '../authorization-request.ts'
import { beginAuthorization } from '../begin-authorization.ts'
import type { Client } from '../client.ts'
import type { OAuthDeps } from '../deps.ts'
import { presentServer } from '../server-metadata.ts'

/** GET /api/v1/oauth/authorize */
export function describeOAuthAuthorization(deps: OAuthDeps): Handler<typeof operations.describeOAuthAuthorization> {
  const server = presentServer(deps.server)
  return async ({ query }, { reader, now }) => {
    if (Object.keys(query).length === 0) return succeeded({ server })

    const { request, client, url, expiresAt } = await beginAuthorization(reader, deps, query, now)

    const interaction = { url, expiresAt: expiresAt.toISOString() }
    return succeeded({ server, request: presentRequest(request, client), interaction })
  }
}

/** Describing a request changes nothing, so the status is always `succeeded`. */
function succeeded(result: AuthorizationDescription) {
  return { operation: 'describeOAuthAuthorization', status: 'succeeded', result } as const
}

function presentRequest(
  request: AuthorizationRequest,
  client: Client,
): NonNullable<AuthorizationDescription['request']> {
  const { clientId, redirectUri, scopes, state, codeChallenge, dpopJkt } = request
  return {
    clientId,
    clientName: client.installation.name,
    redirectUri,
    responseType: 'code',
    scopes: [...scopes],
    ...(state !== null && { state }),
    codeChallenge,
    codeChallengeMethod: 'S256',
    ...(dpopJkt !== null && { dpopJkt }),
  }
}
