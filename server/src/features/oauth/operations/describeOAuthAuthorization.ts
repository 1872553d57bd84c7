import type { AuthorizationDescription, operations } from '@vitrine/contract'
import type { Handler } from '../../../platform/http/handler.ts'
import { type AuthorizationRequest, judgeAuthorization } from '../authorization-request.ts'
import type { Client } from '../client.ts'
import { findClient } from '../client-store.ts'
import { CONSENT_PATH, sealRequest } from '../consent-request.ts'
import type { OAuthDeps } from '../parts.ts'
import { presentServer } from '../server-metadata.ts'

/** GET /api/v1/oauth/authorize */
export function describeOAuthAuthorization(parts: OAuthDeps): Handler<typeof operations.describeOAuthAuthorization> {
  const { server, pagesUrl, requestSecret } = parts
  return async ({ query }, { reader, now }) => {
    if (Object.keys(query).length === 0) return told({ server: presentServer(server) })
    const client = query.client_id === undefined ? undefined : await findClient(reader, query.client_id)

    const request = judgeAuthorization(query, client, server)

    const { sealed, expiresAt } = await sealRequest(requestSecret, request, now)
    return told({
      server: presentServer(server),
      request: viewRequest(request, client as Client),
      interaction: { url: `${pagesUrl}${CONSENT_PATH}?request=${sealed}`, expiresAt: expiresAt.toISOString() },
    })
  }
}

/** A description changes nothing, so it has always succeeded. */
function told(result: AuthorizationDescription) {
  return { operation: 'describeOAuthAuthorization', status: 'succeeded', result } as const
}

function viewRequest(request: AuthorizationRequest, client: Client): NonNullable<AuthorizationDescription['request']> {
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
