import type { Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { StoredCredential } from '../../platform/auth/authenticate.ts'
import type { Database } from '../../platform/postgres/index.ts'
import type { Reader } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { READINESS_PROOFS } from './readiness.ts'

/** The columns of an installation that apply to all of its credentials. */
export interface CredentialInstallationRow {
  installation_id: string
  status: 'active' | 'suspended'
  store_id: string | null
  environment: Environment
  origins: string[]
  return_urls: string[]
  proofs: bigint
}

interface CredentialRow extends CredentialInstallationRow {
  id: string
  display: string
  scopes: Scope[]
  jkt: string | null
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

const PROOF_CODES = READINESS_PROOFS.map((proof) => `'${proof.code}'`).join(', ')

/** Selects a {@link CredentialInstallationRow} from the installation `i`. */
export const CREDENTIAL_INSTALLATION_COLUMNS = `i.id as installation_id, i.status, i.store_id, i.environment, i.origins, i.return_urls,
          case i.environment when 'live' then (select count(*) from readiness_proofs where code in (${PROOF_CODES})) else 0 end
            as proofs`

/** The facts about an installation that every stored credential includes. */
export function installationOfCredential(row: CredentialInstallationRow) {
  return {
    installationId: row.installation_id,
    installationStatus: row.status,
    storeId: row.store_id,
    environment: row.environment,
    productionActivated: Number(row.proofs) === READINESS_PROOFS.length,
    origins: row.origins,
    returnUrls: row.return_urls,
  }
}

// Read in every request, and in the transaction of a write, so that every node refuses a revoked key at once.
const findByHash = statement<CredentialRow>(
  'installations.find_credential',
  `select k.id, k.display, k.scopes, k.jkt, k.created_at, k.expires_at, k.revoked_at, ${CREDENTIAL_INSTALLATION_COLUMNS}
   from api_keys k join installations i on i.id = k.installation_id
   where k.key_hash = $1`,
)

/** The credential with a key hash, never cached. */
export async function findCredential(reader: Reader, keyHash: Buffer): Promise<StoredCredential | undefined> {
  const row = await reader.row(findByHash, [keyHash])
  if (!row) return undefined
  return {
    type: 'api_key',
    id: row.id,
    display: row.display,
    createdAt: row.created_at,
    ...installationOfCredential(row),
    narrowedTo: null,
    scopes: row.scopes,
    jkt: row.jkt,
    expiresAt: row.expires_at,
    revokedAt: row.revoked_at,
  }
}

const knownOrigin = statement<{ known: boolean }>(
  'installations.known_origin',
  'select exists (select from installations where origins @> array[$1::text]) as known',
)

/** Whether any installation allows an origin. A preflight request carries no credential. */
export async function isKnownOrigin(reader: Reader, origin: string): Promise<boolean> {
  return (await reader.row(knownOrigin, [origin]))?.known ?? false
}

const touch = statement(
  'installations.touch_keys',
  `update api_keys k set last_used_at = used.at
   from unnest($1::text[], $2::timestamptz[]) as used (id, at)
   where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`,
)

/** Collects the last use of each key in memory. They are written at most once a minute, outside requests. */
export class KeyUses {
  #uses = new Map<string, Date>()

  record(keyId: string, now: Date): void {
    this.#uses.set(keyId, now)
  }

  /** Writes the uses recorded since the last flush. If that fails, they are written with the next ones. */
  async flush(database: Pick<Database, 'transaction'>): Promise<void> {
    if (this.#uses.size === 0) return
    // Taken before the transaction, which may be repeated.
    const recorded = this.#uses
    this.#uses = new Map()
    const uses = [...recorded].sort(([left], [right]) => (left < right ? -1 : 1))
    try {
      await database.transaction(async (tx) => tx.write(touch, [uses.map(([id]) => id), uses.map(([, at]) => at)]))
    } catch (error) {
      this.#uses = new Map([...recorded, ...this.#uses])
      throw error
    }
  }
}
