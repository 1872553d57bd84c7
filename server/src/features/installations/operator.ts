import type { Environment } from '../../kernel/environment.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { checkAddresses, checkName } from './store.ts'

/** An installation in the operator's view. */
export interface InstallationRecord {
  readonly id: string
  readonly name: string
  readonly status: 'active' | 'suspended'
  readonly environment: Environment
  readonly store_id: string | null
  readonly store_slug: string | null
  readonly origins: readonly string[]
  readonly return_urls: readonly string[]
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
  readonly key_count: number
}

const COLUMNS = `i.id, i.name, i.status, i.environment, s.id as store_id, s.slug as store_slug, i.origins, i.return_urls,
  i.version::integer as version, i.created_at, i.updated_at,
  (select count(*)::integer from api_keys k where k.installation_id = i.id and k.revoked_at is null
     and (k.expires_at is null or k.expires_at > $1)) as key_count`
const FROM = 'from installations i left join stores s on s.id = i.store_id'

const page = statement<InstallationRecord>(
  'installations.page',
  `select ${COLUMNS} ${FROM}
   where ($2::text is null or i.name ilike $2 or i.id ilike substr($2, 2) or s.slug ilike $2) and ($3::text is null or i.id < $3)
   order by i.id desc limit $4`,
)
const one = statement<InstallationRecord>('installations.record', `select ${COLUMNS} ${FROM} where i.id = $2`)
const lock = statement('installations.lock_record', 'select 1 from installations where id = $1 for no key update')
const save = statement(
  'installations.save_record',
  `update installations set name = $2, status = $3, origins = $4, return_urls = $5, version = version + 1, updated_at = $6
   where id = $1`,
)

interface InstallationQuery {
  /** A LIKE pattern. */
  readonly like: string | null
  readonly afterId: string | null
  readonly limit: number
  readonly now: Date
}

/** Installations, newest first. */
export function listInstallationRecords(reader: Reader, query: InstallationQuery): Promise<InstallationRecord[]> {
  const { like, afterId, limit, now } = query
  return reader.rows(page, [now, like, afterId, limit])
}

export function findInstallationRecord(reader: Reader, id: string, now: Date): Promise<InstallationRecord | undefined> {
  return reader.row(one, [now, id])
}

/** Locks and reads an installation. */
export async function lockInstallation(
  tx: Transaction,
  id: string,
  now: Date,
): Promise<InstallationRecord | undefined> {
  const [, found] = await Promise.all([tx.row(lock, [id]), tx.row(one, [now, id])])
  return found
}

type InstallationChange = Partial<Pick<InstallationRecord, 'name' | 'status' | 'origins' | 'return_urls'>>

/**
 * Updates a locked installation. Absent members stay unchanged.
 *
 * Refuses `validation_failed` if the name is empty or too long, or an address is invalid.
 */
export function changeInstallation(
  tx: Transaction,
  current: InstallationRecord,
  change: InstallationChange,
  now: Date,
): void {
  const { id, name, status, origins, return_urls } = { ...current, ...change }
  checkName(name)
  // What an earlier release has accepted does not keep an operator from suspending the installation.
  checkAddresses({
    environment: current.environment,
    origins: change.origins ?? [],
    returnUrls: change.return_urls ?? [],
  })
  tx.write(save, [id, name.trim(), status, origins, return_urls, now], { rows: 1 })
}
