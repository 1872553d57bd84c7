import type { Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { StoredCredential } from '../../platform/auth/authenticate.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { READINESS_PROOFS } from './readiness.ts'

/** What every credential of an installation depends on. */
export interface StandingRow {
  installation_id: string
  status: 'active' | 'suspended'
  store_id: string | null
  environment: Environment
  origins: string[]
  proofs: bigint
}

interface CredentialRow extends StandingRow {
  id: string
  display: string
  scopes: Scope[]
  jkt: string | null
  created_at: Date
  expires_at: Date | null
  revoked_at: Date | null
}

const PROOF_CODES = READINESS_PROOFS.map((proof) => `'${proof.code}'`).join(', ')

/** Selects a {@link StandingRow} of the installation `i`. */
export const STANDING_COLUMNS = `i.id as installation_id, i.status, i.store_id, i.environment, i.origins,
          case i.environment when 'live' then (select count(*) from readiness_proofs where code in (${PROOF_CODES})) else 0 end
            as proofs`

/** How an installation stands, whichever credential it shows. */
export function standingOf(row: StandingRow) {
  return {
    installationId: row.installation_id,
    installationStatus: row.status,
    storeId: row.store_id,
    environment: row.environment,
    productionActivated: Number(row.proofs) === READINESS_PROOFS.length,
    origins: row.origins,
  }
}

// Read with each request, by a write in its own transaction, so that a revoked key is refused at once on every node.
const findByHash = statement<CredentialRow>(
  'installations.find_credential',
  `select k.id, k.display, k.scopes, k.jkt, k.created_at, k.expires_at, k.revoked_at, ${STANDING_COLUMNS}
   from api_keys k join installations i on i.id = k.installation_id
   where k.key_hash = $1`,
)

/** The credential that a hash names, as it stands now. */
export async function findCredential(reader: Reader, keyHash: Buffer): Promise<StoredCredential | undefined> {
  const row = await reader.row(findByHash, [keyHash])
  if (!row) return undefined
  return {
    type: 'api_key',
    id: row.id,
    display: row.display,
    createdAt: row.created_at,
    ...standingOf(row),
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

/** Whether any installation lets scripts of an origin call. A preflight request carries no credential to tell which. */
export async function isKnownOrigin(reader: Reader, origin: string): Promise<boolean> {
  return (await reader.row(knownOrigin, [origin]))?.known ?? false
}

const touch = statement(
  'installations.touch_keys',
  `update api_keys k set last_used_at = used.at
   from unnest($1::text[], $2::timestamptz[]) as used (id, at)
   where k.id = used.id and (k.last_used_at is null or k.last_used_at < used.at)`,
)

/** When each key was last used, noted in memory and written at most once a minute, off the request. */
export class KeyUses {
  readonly #uses = new Map<string, Date>()

  note(keyId: string, now: Date): void {
    this.#uses.set(keyId, now)
  }

  /** Writes what was noted since the last time. */
  flush(tx: Transaction): void {
    if (this.#uses.size === 0) return
    const uses = [...this.#uses].sort(([left], [right]) => (left < right ? -1 : 1))
    this.#uses.clear()
    tx.write(touch, [uses.map(([id]) => id), uses.map(([, at]) => at)])
  }
}
