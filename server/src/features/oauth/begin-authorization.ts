import type { Reader } from '../../platform/postgres/reader.ts'
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  validateAuthorizationRequest,
} from './authorization-request.ts'
import type { Client } from './client.ts'
import { findClient } from './client-store.ts'
import type { OAuthDeps } from './deps.ts'
import { CONSENT_PATH, sealRequest } from './sealed-request.ts'

/** A valid authorization request and the URL of its consent page. */
interface BegunAuthorization {
  readonly request: AuthorizationRequest
  readonly client: Client
  readonly url: string
  readonly expiresAt: Date
}

/** Validates an authorization request, without storing anything. Refusals: see `validateAuthorizationRequest`. */
export async function beginAuthorization(
  reader: Reader,
  { server, pagesUrl, requestSecret }: OAuthDeps,
  query: AuthorizationParameters,
  now: Date,
): Promise<BegunAuthorization> {
  const client = query.client_id === undefined ? undefined : await findClient(reader, query.client_id)
  const request = validateAuthorizationRequest(query, client, server)
  const { sealed, expiresAt } = await sealRequest(requestSecret, request, now)
  return { request, client: client as Client, url: `${pagesUrl}${CONSENT_PATH}?request=${sealed}`, expiresAt }
}
