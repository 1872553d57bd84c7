import type { IdSource } from '../../kernel/ids.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Transaction } from '../../platform/postgres/reader.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import { codeEnd, grantEnd } from './grant.ts'
import { saveGrant } from './grant-store.ts'
import { makeCode } from './tokens.ts'

export interface Approval {
  readonly request: AuthorizationRequest
  /** The store that grants; `null` is the whole marketplace, which only an operator grants. */
  readonly storeId: string | null
  /** A member of staff, or `operator`. */
  readonly approvedBy: string
}

export interface Approving {
  readonly ids: IdSource
  readonly randomness: Randomness
  readonly now: Date
}

/** Grants what a judged request asks for. Answers the code, which is shown this once. */
export function approve(tx: Transaction, approval: Approval, { ids, randomness, now }: Approving): string {
  const { request, storeId, approvedBy } = approval
  const { clientId, scopes, redirectUri, codeChallenge, dpopJkt } = request
  const code = makeCode(randomness)
  saveGrant(
    tx,
    { id: ids.next('gra'), clientId, storeId, scopes, approvedBy, createdAt: now, endsAt: grantEnd(now) },
    { code, redirectUri, codeChallenge, dpopJkt, expiresAt: codeEnd(now) },
  )
  return code
}
