import { rebaseListings } from './features/catalog/index.ts'
import { type Restored, type RestoreOptions, restoreInto as restoreRows } from './platform/backup/restore.ts'
import { connectDirectly, directFailure } from './platform/postgres/direct-client.ts'
import type { Transaction } from './platform/postgres/reader.ts'
import { statement } from './platform/postgres/statement.ts'

/** A credential that was valid when the backup was made. */
interface RestoredCredential {
  readonly kind: 'API key' | 'OAuth grant' | 'integration' | 'operator' | 'staff'
  readonly id: string
  /** The installation, the email address or the name that it belongs to. */
  readonly of: string
}

/** Sessions and single-use links. They may have ended since the backup; their owners sign in again. */
const ENDED = [
  'operator_sessions',
  'operator_links',
  'operator_challenges',
  'staff_sessions',
  'customer_sessions',
  'customer_tokens',
  'password_resets',
  'email_changes',
  'oauth_codes',
]
// A backup of an earlier version lacks some of the tables.
const endSessions = statement(
  'restore.end_sessions',
  `do $$ declare name text; begin
     foreach name in array array[${ENDED.map((name) => `'${name}'`).join(', ')}] loop
       if to_regclass(name) is not null then execute format('delete from %I', name); end if;
     end loop;
   end $$`,
)

const CREDENTIALS = `
  select 'API key' as kind, id, installation_id as of from api_keys where revoked_at is null
    and (expires_at is null or expires_at > now())
  union all select 'OAuth grant', oauth_grants.id, approved_by from oauth_grants where revoked_at is null and ends_at > now()
  union all select 'integration', id, name from integrations where revoked_at is null
    and (expires_at is null or expires_at > now())
  union all select 'operator', id, email from operators where disabled_at is null
  union all select 'staff', id, email from staff where status = 'active'
  order by 1, 2`

/**
 * Restores a backup into an empty database, rebases the listings of the catalog, and ends all sessions. Credentials that were revoked
 * after the backup are valid again, so the result lists all valid ones. @see restoreRows for errors
 */
export async function restoreInto(
  url: string,
  source: AsyncIterable<Buffer>,
  options: Omit<RestoreOptions, 'settle'> = {},
): Promise<Restored & { readonly credentials: readonly RestoredCredential[] }> {
  try {
    const restored = await restoreRows(url, source, { ...options, settle })
    return { ...restored, credentials: await validCredentials(url) }
  } catch (error) {
    throw directFailure(error)
  }
}

async function validCredentials(url: string): Promise<readonly RestoredCredential[]> {
  const client = await connectDirectly(url, 'vitrine restore')
  try {
    return (await client.query<RestoredCredential>(CREDENTIALS)).rows
  } finally {
    await client.end()
  }
}

function settle(tx: Pick<Transaction, 'write'>): void {
  rebaseListings(tx)
  tx.write(endSessions, [])
}
