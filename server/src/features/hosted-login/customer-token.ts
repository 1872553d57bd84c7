import { limits } from '@vitrine/contract'
import { type Owner, ofGrant } from '../../kernel/owner.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { hashOfToken, isOpaqueToken, opaqueToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'

const PREFIX = 'cut_'
const TOKEN_BYTES = 32

const insert = statement(
  'hosted_login.insert_customer_token',
  `insert into customer_tokens (token_hash, login_id, customer_id, installation_id, environment, grant_id, created_at,
     expires_at, credential_version)
   select $1, id, $3, $4, $5, $6, $7, $8, credential_version from hosted_logins where id = $2`,
)
// A changed password, signing out everywhere or a block ends all sign-ins of the customer, and with them the token.
const find = statement<{ customer_id: string }>(
  'hosted_login.customer_by_token',
  `select customer_id from customer_tokens as token join customers as customer on customer.id = customer_id
   where token_hash = $1 and ${ofGrant.where('token', 2)} and token.expires_at > $5
     and customer.status = 'active' and customer.credential_version = token.credential_version`,
)

/** Issues the token that identifies the customer to an installation. Returned once and stored as a hash. */
export function issueCustomerToken(
  tx: Transaction,
  owner: Owner,
  { loginId, customerId }: { readonly loginId: string; readonly customerId: string },
  { now, randomness }: { readonly now: Date; readonly randomness: Randomness },
): { readonly token: string; readonly expiresAt: Date } {
  const token = opaqueToken(PREFIX, randomness.bytes(TOKEN_BYTES))
  const expiresAt = new Date(now.getTime() + limits.hostedLogin.customerTokenSeconds * 1000)
  tx.write(insert, [hashOfToken(token), loginId, customerId, ...ofGrant.values(owner), now, expiresAt], { rows: 1 })
  return { token, expiresAt }
}

/** The customer of a token, or null if it is not a valid token of this owner. */
export async function findCustomerByToken(
  reader: Reader,
  token: string,
  { principal, now }: { readonly principal: Owner; readonly now: Date },
): Promise<string | null> {
  if (!isOpaqueToken(PREFIX, token)) return null
  const found = await reader.row(find, [hashOfToken(token), ...ofGrant.values(principal), now])
  return found?.customer_id ?? null
}

/** Deletes tokens that expired before `$1`. */
export const sweepCustomerTokens = sweepStatement('customer_tokens', 'expires_at')
