import { refuse } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { type Approving, approve } from './approve.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Client } from './client.ts'
import { findClient } from './client-store.ts'
import { openRequest } from './consent-request.ts'
import type { OAuthDeps } from './parts.ts'
import { findStaffSession, type Staff } from './staff-store.ts'

/** What a member of staff is asked. */
export interface ConsentQuestion {
  readonly request: AuthorizationRequest
  readonly client: Client
  /** Who is signed in; `null` where somebody has to sign in first. */
  readonly staff: Staff | null
  /** Whether the app is one of another store, which this member of staff has no say in. */
  readonly isForeign: boolean
}

export interface Asking {
  readonly sealed: string
  /** What the browser keeps of a session. */
  readonly session: string | null
  readonly now: Date
}

/**
 * Opens a sealed request. What was registered is looked at again: a client may have gone since.
 *
 * Refusal: `oauth_invalid_request` where it is too old, changed, or of a client that is no more.
 */
export async function openQuestion(
  reader: Reader,
  { requestSecret }: Pick<OAuthDeps, 'requestSecret'>,
  { sealed, session, now }: Asking,
): Promise<ConsentQuestion> {
  const opened = await openRequest(requestSecret, sealed, now)
  if (!opened) return refuse('oauth_invalid_request', { reason: 'sealed request' })
  const { request, issuedAt } = opened
  const [client, signedIn] = await Promise.all([
    findClient(reader, request.clientId),
    session === null ? null : findStaffSession(reader, session, now),
  ])
  const isGood = client?.installation.status === 'active' && client.redirectUris.includes(request.redirectUri)
  if (!client || !isGood) return refuse('oauth_invalid_request', { reason: 'client has changed' })
  const staff = signedIn && !(request.signInAgain && signedIn.since < issuedAt) ? signedIn.staff : null
  const { storeId } = client.installation
  return { request, client, staff, isForeign: staff !== null && storeId !== null && storeId !== staff.storeId }
}

/** Where the browser goes with the answer. @see RFC 6749 §4.1.2 and 4.1.2.1, RFC 9207 §2 */
function answerTo(
  { redirectUri, state }: AuthorizationRequest,
  issuer: string,
  answer: Record<string, string>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(answer)) url.searchParams.append(name, value)
  if (state !== null) url.searchParams.append('state', state)
  url.searchParams.append('iss', issuer)
  return url.href
}

/** Grants what was asked for. Answers where the browser goes with the code. Refusal: `oauth_unauthorized_client`. */
export function consent(
  tx: Transaction,
  { request, staff, isForeign }: ConsentQuestion,
  { server }: Pick<OAuthDeps, 'server'>,
  approving: Approving,
): string {
  if (!staff || isForeign) return refuse('oauth_unauthorized_client', { reason: 'nobody of this store' })
  const code = approve(tx, { request, storeId: staff.storeId, approvedBy: staff.id }, approving)
  return answerTo(request, server.issuer, { code })
}

/** Says no. Answers where the browser goes with it. */
export function deny({ request }: ConsentQuestion, { server }: Pick<OAuthDeps, 'server'>): string {
  return answerTo(request, server.issuer, { error: 'access_denied' })
}
