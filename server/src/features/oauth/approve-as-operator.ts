import { Refusal } from '../../kernel/refusal.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import { type Approving, approve } from './approve.ts'
import { type AuthorizationQuery, judgeAuthorization } from './authorization-request.ts'
import { findClient, OAuthClientError } from './client-store.ts'
import type { AuthorizationServer } from './server-metadata.ts'

/** What an operator grants without a page: RFC 6749's parameters, as a client would send them. */
export type OperatorApproval = Pick<
  AuthorizationQuery,
  'client_id' | 'redirect_uri' | 'code_challenge' | 'dpop_jkt' | 'scope'
>

/**
 * Grants in an operator's name, by the path that the consent page takes: the request is judged by the same rules and the
 * code is of the same kind. It reaches as far as the installation does.
 *
 * @throws OAuthClientError with the sentence that a client would have been told
 */
export async function approveAsOperator(
  tx: Transaction,
  asked: OperatorApproval,
  server: AuthorizationServer,
  approving: Approving,
): Promise<string> {
  const client = asked.client_id === undefined ? undefined : await findClient(tx, asked.client_id)
  const query = { ...asked, response_type: 'code', code_challenge_method: 'S256' }
  const request = inASentence(() => judgeAuthorization(query, client, server))
  const storeId = client?.installation.storeId ?? null
  return approve(tx, { request, storeId, approvedBy: 'operator' }, approving)
}

function inASentence<Result>(judge: () => Result): Result {
  try {
    return judge()
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure
    throw new OAuthClientError(failure.facts.details?.[0]?.message ?? 'The installation of the client is suspended.')
  }
}
