import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type ApprovalContext, issueCode } from './approve.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Client } from './client.ts'
import { findClient } from './client-store.ts'
import type { OAuthDeps } from './deps.ts'
import { openRequest } from './sealed-request.ts'
import { findStaffSession, remainsStaff, type Staff } from './staff.ts'

/** The contents of the consent page. */
export interface ConsentPrompt {
  readonly request: AuthorizationRequest
  readonly client: Client
  /** The signed-in staff member; `null` if they must sign in first. */
  readonly staff: Staff | null
  /** Whether the app belongs to a different store than the staff member. */
  readonly isOtherStore: boolean
}

interface ConsentInput {
  readonly sealed: string
  /** The value of the session cookie. */
  readonly session: string | null
  readonly now: Date
}

/**
 * Decrypts a sealed request and reloads its client, which may have changed.
 *
 * Refusal: `oauth_invalid_request` if the request is expired or invalid, or the client no longer qualifies.
 */
export async function loadConsent(
  reader: Reader,
  { requestSecret }: Pick<OAuthDeps, 'requestSecret'>,
  { sealed, session, now }: ConsentInput,
): Promise<ConsentPrompt> {
  const opened = await openRequest(requestSecret, sealed, now)
  if (!opened) return refuse('oauth_invalid_request', { reason: 'sealed request' })
  const { request, issuedAt } = opened
  const [client, signedIn] = await Promise.all([
    findClient(reader, request.clientId),
    session === null ? null : findStaffSession(reader, session, now),
  ])
  const isAllowed = client?.installation.status === 'active' && client.redirectUris.includes(request.redirectUri)
  if (!client || !isAllowed) return refuse('oauth_invalid_request', { reason: 'client has changed' })
  const staff = signedIn && !(request.signInAgain && signedIn.since < issuedAt) ? signedIn.staff : null
  const { storeId } = client.installation
  return { request, client, staff, isOtherStore: staff !== null && storeId !== null && storeId !== staff.storeId }
}

/** The redirect URI with the authorization response. @see RFC 6749 §4.1.2 and 4.1.2.1, RFC 9207 §2 */
function authorizationResponseUrl(
  { redirectUri, state }: AuthorizationRequest,
  issuer: string,
  result: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(result)) url.searchParams.append(name, value)
  if (state !== null) url.searchParams.append('state', state)
  url.searchParams.append('iss', issuer)
  return url.href
}

/** Grants the request. Returns the redirect with the code. Refusal: `oauth_unauthorized_client`. */
export async function consent(
  tx: Transaction,
  { request, staff, isOtherStore }: ConsentPrompt,
  { server }: Pick<OAuthDeps, 'server'>,
  context: ApprovalContext,
): Promise<string> {
  // Grants end with their approver: without the lock, one approved while its approver is removed would remain.
  if (!staff || isOtherStore || !(await remainsStaff(tx, staff.id)))
    return refuse('oauth_unauthorized_client', { reason: 'not signed in as staff of this store' })
  const code = issueCode(tx, { request, storeId: staff.storeId, approvedBy: staff.id }, context)
  return authorizationResponseUrl(request, server.issuer, { code })
}

/** Denies the request. Returns the redirect with the error. */
export function deny({ request }: ConsentPrompt, { server }: Pick<OAuthDeps, 'server'>): string {
  return authorizationResponseUrl(request, server.issuer, { error: 'access_denied' })
}
