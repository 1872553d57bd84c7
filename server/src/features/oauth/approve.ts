import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import {
  type AuthorizationParameters,
  type AuthorizationRequest,
  validateAuthorizationRequest,
} from './authorization-request.ts'
import { findClient } from './client-store.ts'
import { codeExpiry, grantExpiry } from './grant.ts'
import { saveGrant } from './grant-store.ts'
import type { AuthorizationServer } from './server-metadata.ts'
import { generateCode } from './tokens.ts'

interface GrantApproval {
  readonly request: AuthorizationRequest
  /** `null` for the whole marketplace, which only an operator can grant. */
  readonly storeId: string | null
  /** The id of a staff member or operator; `operator`: the command line. */
  readonly approvedBy: string
}

export interface ApprovalContext {
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly now: Date
}

/** Saves the grant of a validated request and returns its authorization code, which is stored as a hash. */
export function issueCode(
  tx: Transaction,
  { request, storeId, approvedBy }: GrantApproval,
  { ids, randomness, now }: ApprovalContext,
): string {
  const { clientId, scopes, redirectUri, codeChallenge, dpopJkt } = request
  const code = generateCode(randomness)
  saveGrant(
    tx,
    { id: ids.next('gra'), clientId, storeId, scopes, approvedBy, createdAt: now, endsAt: grantExpiry(now) },
    { code, redirectUri, codeChallenge, dpopJkt, expiresAt: codeExpiry(now) },
  )
  return code
}

/** The RFC 6749 parameters of a request that an operator approves without the consent page. */
type OperatorApproval = Pick<
  AuthorizationParameters,
  'client_id' | 'redirect_uri' | 'code_challenge' | 'dpop_jkt' | 'scope'
>

/**
 * Approves a request as an operator, or from the command line, and returns the code. The request is validated as on the consent
 * page. The grant covers the store of the installation, or the whole marketplace.
 *
 * @see validateAuthorizationRequest for its refusals
 */
export async function approveAsOperator(
  tx: Transaction,
  parameters: OperatorApproval,
  server: AuthorizationServer,
  { operatorId, ...context }: ApprovalContext & { readonly operatorId: string | null },
): Promise<string> {
  const client = parameters.client_id === undefined ? undefined : await findClient(tx, parameters.client_id)
  const query = { ...parameters, response_type: 'code', code_challenge_method: 'S256' }
  const request = validateAuthorizationRequest(query, client, server)
  const storeId = client?.installation.storeId ?? null
  return issueCode(tx, { request, storeId, approvedBy: operatorId ?? 'operator' }, context)
}
