import type { Scope } from '@vitrine/contract'
import type { Environment } from '../../kernel/environment.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { OperatorError } from '../../kernel/operator-error.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import { displayOfApiKey, hashOfToken, makeApiKey } from '../../platform/auth/api-key.ts'
import type { Reader, Transaction } from '../../platform/postgres/reader.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { bumpRevision } from '../../platform/revisions/revisions.ts'
import { type Capability, READINESS_PROOFS, readinessOf } from './readiness.ts'

/** A sentence for the operator who asked for something that cannot be. */
export class InstallationError extends OperatorError {
  override readonly name = 'InstallationError'
}

const storeBySlug = statement<{ id: string }>('installations.store_by_slug', 'select id from stores where slug = $1')
const insertInstallation = statement(
  'installations.insert',
  `insert into installations (id, name, store_id, environment, origins, return_urls, created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $7)`,
)

export interface NewInstallation {
  readonly name: string
  /** The slug of its one store; absent for the whole marketplace. */
  readonly storeSlug?: string | undefined
  readonly environment: Environment
  readonly origins?: readonly string[]
  readonly returnUrls?: readonly string[]
}

/** @throws InstallationError where a name is empty or too long */
export function refuseUnusableName(name: string): void {
  const { length } = name.trim()
  if (length < 1 || length > 120) throw new InstallationError('A name has 1 to 120 characters.')
}

/** @throws InstallationError where one is no address of its kind */
export function refuseUnusableAddresses({
  origins,
  returnUrls,
}: Pick<NewInstallation, 'origins' | 'returnUrls'>): void {
  for (const url of returnUrls ?? []) if (!URL.canParse(url)) throw new InstallationError(`"${url}" is not a URL.`)
  for (const origin of origins ?? []) {
    if (!URL.canParse(origin) || new URL(origin).origin !== origin)
      throw new InstallationError(`"${origin}" is not an origin, such as https://shop.example.`)
  }
}

interface Making {
  readonly ids: IdSource
  readonly now: Date
}

/**
 * Registers an installation.
 *
 * @throws InstallationError where the name is empty or too long, or no store has the slug
 */
export async function createInstallation(
  tx: Transaction,
  wanted: NewInstallation,
  { ids, now }: Making,
): Promise<string> {
  const name = wanted.name.trim()
  refuseUnusableName(name)
  refuseUnusableAddresses(wanted)
  let storeId: string | null = null
  if (wanted.storeSlug !== undefined) {
    storeId = (await tx.row(storeBySlug, [wanted.storeSlug]))?.id ?? null
    if (storeId === null) throw new InstallationError(`There is no store "${wanted.storeSlug}".`)
  }
  const id = ids.next('ins')
  const urls = [wanted.origins ?? [], wanted.returnUrls ?? []]
  tx.write(insertInstallation, [id, name, storeId, wanted.environment, ...urls, now])
  return id
}

export interface InstallationRow {
  id: string
  name: string
  status: 'active' | 'suspended'
  environment: Environment
  store_id: string | null
  store_slug: string | null
}

const installationColumns = `i.id, i.name, i.status, i.environment, s.id as store_id, s.slug as store_slug`
const oneInstallation = statement<InstallationRow>(
  'installations.one',
  `select ${installationColumns}
   from installations i left join stores s on s.id = coalesce($2::text, i.store_id) where i.id = $1`,
)
const allInstallations = statement<InstallationRow>(
  'installations.all',
  `select ${installationColumns} from installations i left join stores s on s.id = i.store_id order by i.id`,
)

/** An installation with its one store, or with that which a credential narrows it to. */
export function findInstallation(
  reader: Reader,
  installationId: string,
  storeId: string | null = null,
): Promise<InstallationRow | undefined> {
  return reader.row(oneInstallation, [installationId, storeId])
}

export function listInstallations(reader: Reader): Promise<InstallationRow[]> {
  return reader.rows(allInstallations)
}

const insertKey = statement(
  'installations.insert_key',
  `insert into api_keys (id, installation_id, key_hash, display, scopes, jkt, created_at, expires_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8)`,
)

export interface NewKey {
  readonly installationId: string
  readonly scopes: readonly Scope[]
  /** The thumbprint of the public key that it is bound to; absent for an unbound key, which reads only. */
  readonly jkt?: string | undefined
  readonly expiresAt?: Date | undefined
}

/**
 * Makes an API key. It is answered once and kept as a hash.
 *
 * @throws InstallationError where there is no such installation
 */
export async function createKey(
  tx: Transaction,
  wanted: NewKey,
  { ids, now, randomness }: Making & { readonly randomness: Randomness },
): Promise<{ readonly key: string; readonly keyId: string }> {
  const installation = await findInstallation(tx, wanted.installationId)
  if (!installation) throw new InstallationError(`There is no installation "${wanted.installationId}".`)
  const key = makeApiKey(installation.environment, randomness)
  const keyId = ids.next('key')
  tx.write(insertKey, [
    keyId,
    installation.id,
    hashOfToken(key),
    displayOfApiKey(key),
    [...new Set(wanted.scopes)],
    wanted.jkt ?? null,
    now,
    wanted.expiresAt ?? null,
  ])
  return { key, keyId }
}

const lastUse = statement<{ last_used_at: Date | null }>(
  'installations.last_use',
  'select last_used_at from api_keys where id = $1',
)

/** When an API key was last used, as far as it was noted. Nobody notes the uses of access tokens: they live ten minutes. */
export async function findLastUse(reader: Reader, credentialId: string): Promise<Date | null> {
  return (await reader.row(lastUse, [credentialId]))?.last_used_at ?? null
}

const recordedProofs = statement<{ code: string }>('installations.recorded_proofs', 'select code from readiness_proofs')
const recordProof = statement(
  'installations.record_proof',
  `insert into readiness_proofs (code, note, recorded_at) values ($1, $2, $3)
   on conflict (code) do update set note = excluded.note, recorded_at = excluded.recorded_at`,
)

export async function readRecordedProofs(reader: Reader): Promise<ReadonlySet<string>> {
  return new Set((await reader.rows(recordedProofs)).map((row) => row.code))
}

/**
 * Records that an operator has seen a proof of external readiness. All of them together lift the block on live keys.
 *
 * @throws InstallationError where no proof has that code
 */
export function recordReadinessProof(tx: Transaction, code: string, note: string, now: Date): void {
  const known = READINESS_PROOFS.some((proof) => proof.code === code)
  if (!known) {
    const codes = READINESS_PROOFS.map((proof) => proof.code)
    throw new InstallationError(`There is no proof "${code}"; there are ${codes.join(', ')}.`)
  }
  tx.write(recordProof, [code, note, now])
  bumpRevision(tx, 'readiness')
}

const keyExists = statement<{ exists: boolean }>(
  'installations.key_exists',
  'select exists (select from api_keys where key_hash = $1 and revoked_at is null) as exists',
)

/** Whether a key was given out by this database and still works. */
export async function isKnownKey(reader: Reader, key: string): Promise<boolean> {
  return (await reader.row(keyExists, [hashOfToken(key)]))?.exists ?? false
}

/** What the service can do, and what blocks it for whoever has no more than an unbound key. */
export async function publicCapabilities(reader: Reader): Promise<Capability[]> {
  const recorded = await readRecordedProofs(reader)
  const { capabilities } = readinessOf({ senderConstrained: false, environment: 'live', recordedProofs: recorded })
  return [...capabilities]
}
