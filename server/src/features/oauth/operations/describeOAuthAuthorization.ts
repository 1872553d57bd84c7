import type { AuthorizationDescription, operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { type AuthorizationRequest, validateAuthorizationRequest } from '../authorization-request.ts'
import type { Client } from '../client.ts'
import { findClient } from '../client-store.ts'
import type { OAuthDeps } from '../deps.ts'
import { CONSENT_PATH, sealRequest } from '../sealed-request.ts'
import { presentServer } from '../server-metadata.ts'

/** GET /api/v1/oauth/authorize */
export function describeOAuthAuthorization({
  server,
  pagesUrl,
  requestSecret,
}: OAuthDeps): Handler<typeof operations.describeOAuthAuthorization> {
  return async ({ query }, { reader, now }) => {
    if (Object.keys(query).length === 0) return succeeded({ server: presentServer(server) })
    const client = query.client_id === undefined ? undefined : await findClient(reader, query.client_id)

    const request = validateAuthorizationRequest(query, client, server)

    const { sealed, expiresAt } = await sealRequest(requestSecret, request, now)
    return succeeded({
      server: presentServer(server),
      request: presentRequest(request, client as Client),
      interaction: { url: `${pagesUrl}${CONSENT_PATH}?request=${sealed}`, expiresAt: expiresAt.toISOString() },
    })
  }
}

/** A description changes nothing, so its status is always `succeeded`. */
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
