import type { Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { GRANT_END, revokeGrant } from './grant-store.ts'

interface InstallationColumns {
  readonly installation_id: string
  readonly installation_name: string
  readonly environment: Environment
}

/** A client in the operator's view. */
export interface ClientRecord extends InstallationColumns {
  readonly id: string
  readonly auth_method: 'none' | 'private_key_jwt'
  readonly redirect_uris: readonly string[]
  readonly key_ids: readonly string[]
  /** Active grants. */
  readonly grant_count: number
  readonly created_at: Date
}

/** A grant in the operator's view. */
export interface GrantRecord extends InstallationColumns {
  readonly id: string
  readonly client_id: string
  readonly store_slug: string | null
  readonly scopes: readonly Scope[]
  /** The email address of the staff member or operator, `operator` for the command line, or the id of a removed staff member. */
  readonly approved_by: string
  readonly created_at: Date
  readonly ends_at: Date
  readonly revoked_at: Date | null
  readonly revoked_because: 'code_reused' | 'refresh_reused' | 'revoked' | null
}

const INSTALLATION =
  'installation.id as installation_id, installation.name as installation_name, installation.environment'

const selectClients = statement<ClientRecord>(
  'oauth.list_clients',
  `select client.id, client.auth_method, client.redirect_uris, client.created_at, ${INSTALLATION},
     array(select key ->> 'kid' from jsonb_array_elements(client.jwks -> 'keys') key where key ? 'kid') as key_ids,
     (select count(*)::integer from oauth_grants g
      where client_id = client.id and revoked_at is null and ${GRANT_END} > $1) as grant_count
   from oauth_clients client
   join installations installation on installation.id = client.installation_id
   where ($2::text is null or client.id = $2) and ($3::text is null or installation.id = $3)
     and ($4::text is null or installation.name ilike $4 or client.id ilike substr($4, 2)
       or array_to_string(client.redirect_uris, ' ') ilike $4)
     and ($5::text is null or client.id < $5)
   order by client.id desc limit $6`,
)
const selectGrants = statement<GrantRecord>(
  'oauth.list_grants',
  `select g.id, g.client_id, store.slug as store_slug, g.scopes, coalesce(staff.email, operators.email, g.approved_by) as approved_by,
     g.created_at, ${GRANT_END} as ends_at, g.revoked_at, g.revoked_because, ${INSTALLATION}
   from oauth_grants g
   join oauth_clients client on client.id = g.client_id
   join installations installation on installation.id = client.installation_id
   left join stores store on store.id = g.store_id
   left join staff on staff.id = g.approved_by
   left join operators on operators.id = g.approved_by
   where ($1::text is null or g.id = $1) and ($2::text is null or installation.id = $2)
     and ($3::text is null or g.client_id = $3) and ($4::text is null or g.id < $4)
   order by g.id desc limit $5`,
)

interface ClientQuery {
  readonly installationId: string | null
  /** A LIKE pattern. */
  readonly like: string | null
  readonly afterId: string | null
  readonly limit: number
  readonly now: Date
}

/** Clients of all installations or of one, newest first. */
export function listClients(reader: Reader, query: ClientQuery): Promise<ClientRecord[]> {
  const { installationId, like, afterId, limit, now } = query
  return reader.rows(selectClients, [now, null, installationId, like, afterId, limit])
}

export function findClientRecord(reader: Reader, id: string, now: Date): Promise<ClientRecord | undefined> {
  return reader.row(selectClients, [now, id, null, null, null, 1])
}

interface GrantQuery {
  readonly installationId: string | null
  readonly clientId: string | null
  readonly afterId: string | null
  readonly limit: number
}

/** Grants of all installations, of one installation, or of one client, newest first. */
export function listGrants(reader: Reader, query: GrantQuery): Promise<GrantRecord[]> {
  const { installationId, clientId, afterId, limit } = query
  return reader.rows(selectGrants, [null, installationId, clientId, afterId, limit])
}

export function grantStatus(grant: GrantRecord, now: Date): 'active' | 'ended' | 'revoked' {
  if (grant.revoked_at) return 'revoked'
  return grant.ends_at > now ? 'active' : 'ended'
}

/**
 * Revokes a grant with all its tokens, on every node. No effect if already revoked.
 *
 * @returns the grant before and after, or `null` if it does not exist
 */
export async function revokeGrantById(
  tx: Transaction,
  grantId: string,
  now: Date,
): Promise<{ readonly before: GrantRecord; readonly after: GrantRecord } | null> {
  const before = await tx.row(selectGrants, [grantId, null, null, null, 1])
  if (!before) return null
  revokeGrant(tx, grantId, 'revoked', now)
  const after = await tx.row(selectGrants, [grantId, null, null, null, 1])
  return { before, after: after ?? before }
}
