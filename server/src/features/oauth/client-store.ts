import type { IdSource } from '../../kernel/ids.ts'
import { refuseField } from '../../kernel/refusal.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { type Client, redirectUriFault } from './client.ts'
import { readClientKeys } from './client-keys.ts'
import { GRANT_END } from './grant-store.ts'

interface ClientRow {
  id: string
  auth_method: Client['authMethod']
  jwks: Client['jwks']
  redirect_uris: string[]
  installation_id: string
  name: string
  status: 'active' | 'suspended'
  store_id: string | null
}

const findById = statement<ClientRow>(
  'oauth.find_client',
  `select c.id, c.auth_method, c.jwks, c.redirect_uris, i.id as installation_id, i.name, i.status, i.store_id
   from oauth_clients c join installations i on i.id = c.installation_id where c.id = $1`,
)

export async function findClient(reader: Reader, clientId: string): Promise<Client | undefined> {
  const row = await reader.row(findById, [clientId])
  if (!row) return undefined
  return {
    id: row.id,
    authMethod: row.auth_method,
    jwks: row.jwks,
    redirectUris: row.redirect_uris,
    installation: { id: row.installation_id, name: row.name, status: row.status, storeId: row.store_id },
  }
}

const installationExists = statement('oauth.installation_exists', 'select from installations where id = $1')
const insert = statement(
  'oauth.insert_client',
  `insert into oauth_clients (id, installation_id, auth_method, jwks, redirect_uris, created_at)
   values ($1, $2, $3, $4, $5, $6)`,
)

const REDIRECT_URIS_MAX = 20

export interface NewClient {
  readonly installationId: string
  readonly redirectUris: readonly string[]
  /** A JWK Set with the public keys of a `private_key_jwt` client. Absent for a public client. */
  readonly jwks?: unknown
}

/**
 * Registers a client of an installation.
 *
 * Refusals: `validation_failed` if the installation does not exist, or a redirect URI or key is invalid.
 */
export async function createClient(
  tx: Transaction,
  { installationId, redirectUris, jwks }: NewClient,
  { ids, now }: { readonly ids: IdSource; readonly now: Date },
): Promise<string> {
  const uris = [...new Set(redirectUris)]
  if (uris.length < 1 || uris.length > REDIRECT_URIS_MAX) {
    refuseField('redirectUris', 'out_of_range', `A client has 1 to ${REDIRECT_URIS_MAX} redirect URIs.`)
  }
  for (const [index, uri] of uris.entries()) {
    const fault = redirectUriFault(uri)
    if (fault) refuseField(`redirectUris/${index}`, 'not_allowed', `The redirect URI "${uri}" ${fault}.`)
  }
  const keys = jwks === undefined ? null : readClientKeys(jwks)
  if (typeof keys === 'string') refuseField('jwks', 'invalid', keys)
  if (!(await tx.row(installationExists, [installationId]))) {
    refuseField('installationId', 'not_found', `There is no installation "${installationId}".`)
  }
  const id = ids.next('cli')
  const method = keys === null ? 'none' : 'private_key_jwt'
  tx.write(insert, [id, installationId, method, keys && JSON.stringify(keys), uris, now])
  return id
}

const lock = statement('oauth.lock_client', 'select from oauth_clients where id = $1 for update')
const removeGrants = statement<{ is_active: boolean }>(
  'oauth.remove_grants_of_client',
  `delete from oauth_grants g where client_id = $1 returning revoked_at is null and ${GRANT_END} > $2 as is_active`,
)
const remove = statement('oauth.remove_client', 'delete from oauth_clients where id = $1')

/**
 * Removes a client with its grants, their tokens and the objects that those created, on every node at commit. The lock blocks
 * concurrent approvals.
 *
 * @returns the number of active grants that ended; `undefined` if there is no such client
 */
export async function removeClient(tx: Transaction, clientId: string, now: Date): Promise<number | undefined> {
  if (!(await tx.row(lock, [clientId]))) return undefined
  const removed = await tx.rows(removeGrants, [clientId, now])
  tx.write(remove, [clientId])
  return removed.filter((grant) => grant.is_active).length
}
