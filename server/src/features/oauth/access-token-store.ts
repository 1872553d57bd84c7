import type { Scope } from '@vitrine/contract'
import { displayOfAccessToken } from '../../platform/auth/access-token.ts'
import type { StoredCredential } from '../../platform/auth/authenticate.ts'
import { hashOfToken } from '../../platform/auth/opaque-token.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement, sweepStatement } from '../../platform/postgres/statement.ts'
import {
  CREDENTIAL_INSTALLATION_COLUMNS,
  type CredentialInstallationRow,
  installationOfCredential,
} from '../installations/index.ts'

interface AccessTokenRow extends CredentialInstallationRow {
  id: string
  grant_id: string
  granted_store_id: string | null
  jkt: string
  scopes: Scope[]
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
}

// Read in every request, and in the transaction of a write, so that a revocation applies on every node at once.
const findByHash = statement<AccessTokenRow>(
  'oauth.find_access_token',
  `select t.id, t.grant_id, g.store_id as granted_store_id, t.jkt, t.scopes, t.created_at, t.expires_at,
          coalesce(t.revoked_at, g.revoked_at) as revoked_at, ${CREDENTIAL_INSTALLATION_COLUMNS}
   from oauth_access_tokens t
     join oauth_grants g on g.id = t.grant_id
     join oauth_clients c on c.id = g.client_id
     join installations i on i.id = c.installation_id
   where t.token_hash = $1`,
)

/** An access token as a credential: its installation, limited to the granted scopes and store. */
export async function findAccessToken(reader: Reader, token: string): Promise<StoredCredential | undefined> {
  const row = await reader.row(findByHash, [hashOfToken(token)])
  if (!row) return undefined
  const installation = installationOfCredential(row)
  return {
    type: 'access_token',
    id: row.id,
    display: displayOfAccessToken(token),
    createdAt: row.created_at,
    ...installation,
    storeId: installation.storeId ?? row.granted_store_id,
    narrowedTo:
      installation.storeId === null && row.granted_store_id !== null
        ? { storeId: row.granted_store_id, grantId: row.grant_id }
        : null,
    scopes: row.scopes,
    jkt: row.jkt,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}

const insert = statement(
  'oauth.insert_access_token',
  `insert into oauth_access_tokens (id, token_hash, grant_id, jkt, scopes, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7)`,
)

interface NewAccessToken {
  readonly id: string
  readonly token: string
  readonly grantId: string
  readonly jkt: string
  readonly scopes: readonly Scope[]
  readonly createdAt: Date
  readonly expiresAt: Date
}

export function saveAccessToken(tx: Transaction, token: NewAccessToken): void {
  const { id, grantId, jkt, scopes, createdAt, expiresAt } = token
  tx.write(insert, [id, hashOfToken(token.token), grantId, jkt, scopes, createdAt, expiresAt])
}

/** The grant, client and key of a token. A revocation is checked against them. */
export interface TokenOwner {
  readonly grantId: string
  readonly clientId: string
  readonly jkt: string
}

const ownerOf = (kind: 'access' | 'refresh') =>
  statement<{ grant_id: string; client_id: string; jkt: string }>(
    `oauth.owner_of_${kind}_token`,
    `select t.grant_id, g.client_id, t.jkt from oauth_${kind}_tokens t join oauth_grants g on g.id = t.grant_id
     where t.token_hash = $1`,
  )
const owners = { access: ownerOf('access'), refresh: ownerOf('refresh') } as const

export async function findTokenOwner(
  reader: Reader,
  kind: 'access' | 'refresh',
  token: string,
): Promise<TokenOwner | undefined> {
  const row = await reader.row(owners[kind], [hashOfToken(token)])
  return row && { grantId: row.grant_id, clientId: row.client_id, jkt: row.jkt }
}

const revoke = statement(
  'oauth.revoke_access_token',
  'update oauth_access_tokens set revoked_at = $2 where token_hash = $1 and revoked_at is null',
)

export function revokeAccessToken(tx: Transaction, token: string, now: Date): void {
  tx.write(revoke, [hashOfToken(token), now])
}

/** Deletes access tokens that expired before `$1`. */
export const sweepAccessTokens = sweepStatement('oauth_access_tokens', 'expires_at')
