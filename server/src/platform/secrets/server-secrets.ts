import { assert, present } from '../../kernel/assert.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Randomness } from '../../kernel/randomness.ts'
import type { Reader, Transaction } from '../postgres/reader.ts'
import { statement } from '../postgres/statement.ts'
import { bumpRevision } from '../revisions/revisions.ts'
import type { Keyring } from './keyring.ts'
import { type RotatingSecret, type SecretVersion, VersionedSecret } from './rotating-secret.ts'
import { processKeyring } from './sealing-keys.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * How long a version is accepted after it was replaced: longer than its signatures are valid. Links to checkout pages and orders are
 * in mails and bookmarks.
 */
export const FADES = {
  'checkout-page': 60 * DAY_MS,
  cursor: DAY_MS,
  'dpop-nonce': 10 * MINUTE_MS,
  eligibility: DAY_MS,
  'licence-fingerprint': DAY_MS,
  'licence-keys': DAY_MS,
  'oauth-request': DAY_MS,
  'oauth-token': DAY_MS,
  'operator-setup': DAY_MS,
  'order-link': 60 * DAY_MS,
  'page-form': DAY_MS,
  'quote-signature': DAY_MS,
  'store-access': DAY_MS,
  'webhook-fixture': DAY_MS,
} as const

/**
 * How long a new version is known before it signs. Nodes load it after a notification, and within a second by polling; their clocks
 * differ by less than the rest.
 */
export const LEAD_MS = 15_000

export type SecretPurpose = keyof typeof FADES
export const SECRET_PURPOSES = Object.keys(FADES) as readonly SecretPurpose[]

/** 32 random bytes per purpose, the same on all nodes. */
export type ServerSecrets = { readonly [Purpose in SecretPurpose]: RotatingSecret }

/** The dependencies of reading and writing secrets. */
export interface SecretDeps {
  readonly keyring: Keyring
  readonly randomness: Randomness
  readonly clock: Clock
}

/** The subject whose revision changes with every version. Nodes check it each second. */
export const SECRETS_SUBJECT = 'secrets'

interface VersionRow {
  readonly purpose: string
  readonly version: number
  readonly key_id: string
  readonly sealed: Buffer
  readonly signs_from: Date
  readonly accepted_until: Date | null
}

const read = statement<VersionRow>(
  'secrets.read',
  `select purpose, version, key_id, sealed, signs_from, accepted_until from server_secret_versions
   order by purpose, version desc`,
)
const readPlain = statement<{ purpose: string; secret: Buffer }>(
  'secrets.read_plain',
  'select purpose, secret from server_secrets',
)
const insert = statement(
  'secrets.insert',
  `insert into server_secret_versions (purpose, version, key_id, sealed, created_at, signs_from)
   values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
)

/** Associated data: a sealed version can only be opened as what it is. */
const placeOf = (purpose: string, version: number) => `secret ${purpose}/${version}`

/**
 * Loads the secrets that all nodes share, and creates missing ones: from the plain ones of an earlier version, or random. The first
 * node wins. @throws UnknownKeyError if they are sealed with a key that this node does not have
 */
export async function loadSecrets(tx: Transaction, deps: SecretDeps): Promise<LoadedSecrets> {
  const stored = new Set((await tx.rows(read)).map(({ purpose }) => purpose))
  const missing = SECRET_PURPOSES.filter((purpose) => !stored.has(purpose))
  const plain = missing.length === 0 ? [] : await tx.rows(readPlain)
  const now = deps.clock.now()
  for (const purpose of missing) {
    const secret = plain.find((row) => row.purpose === purpose)?.secret ?? deps.randomness.bytes(32)
    insertVersion(tx, deps, { purpose, version: 1, secret, createdAt: now, signsFrom: now })
  }
  return new LoadedSecrets(await tx.rows(read), deps)
}

interface NewVersion extends Omit<SecretVersion, 'acceptedUntil'> {
  readonly purpose: string
  readonly createdAt: Date
}

function insertVersion(tx: Transaction, { keyring }: SecretDeps, made: NewVersion): void {
  const { purpose, version, secret, createdAt, signsFrom } = made
  const { keyId, bytes } = keyring.seal(secret, placeOf(purpose, version))
  tx.write(insert, [purpose, version, keyId, bytes, createdAt, signsFrom])
}

/** The secrets of this process: opened once, and again when a version was added. */
export class LoadedSecrets {
  readonly #deps: SecretDeps
  readonly #byPurpose: ReadonlyMap<string, VersionedSecret> | undefined
  readonly values: ServerSecrets

  constructor(rows: readonly VersionRow[], deps: SecretDeps) {
    this.#deps = deps
    const versions = this.#open(rows)
    const byPurpose = new Map(
      SECRET_PURPOSES.map((purpose) => {
        const known = present(versions.get(purpose), `no secret for ${purpose}`)
        return [purpose, new VersionedSecret(known, deps.clock)]
      }),
    )
    this.#byPurpose = byPurpose
    this.values = Object.fromEntries(byPurpose) as unknown as ServerSecrets
  }

  /** Loads the versions that other nodes have added. */
  async refresh(reader: Reader): Promise<void> {
    const rows = await reader.rows(read)
    const { keyring } = this.#deps
    // Another node has sealed everything with a new key: this one has to seal with it, too.
    if (rows.some(({ key_id: keyId }) => keyId !== keyring.keyId)) keyring.lookAgain()
    for (const [purpose, versions] of this.#open(rows)) this.#byPurpose?.get(purpose)?.replace(versions)
  }

  #open(rows: readonly VersionRow[]): ReadonlyMap<string, readonly SecretVersion[]> {
    // A version never changes: what was opened once is not opened again, whatever it is sealed with now.
    const known = ({ purpose, version }: VersionRow) => this.#byPurpose?.get(purpose)?.secretOf(version)
    const opened = rows.map((row) => ({ purpose: row.purpose, ...openVersion(row, this.#deps.keyring, known(row)) }))
    return Map.groupBy(opened, ({ purpose }) => purpose)
  }
}

function openVersion(row: VersionRow, keyring: Keyring, known?: Buffer): SecretVersion {
  const { purpose, version, key_id: keyId, sealed: bytes, signs_from: signsFrom, accepted_until: until } = row
  // Rows may remain sealed with it for longer.
  const acceptedUntil = purpose.startsWith('licence-') ? null : until
  const secret = known ?? keyring.open({ keyId, bytes }, placeOf(purpose, version))
  return { version, secret, signsFrom, acceptedUntil }
}

const replace = statement<{ version: number }>(
  'secrets.replace',
  `update server_secret_versions set accepted_until = greatest($2, signs_from)
   where purpose = $1 and accepted_until is null returning version`,
)
const shorten = statement(
  'secrets.shorten',
  'update server_secret_versions set accepted_until = greatest($2, signs_from) where purpose = $1 and accepted_until > $2',
)

export interface Rotation {
  /** Whether the previous version is no longer accepted once the new one signs, such as after a leak. */
  readonly dropsOld: boolean
}

/** A new version, and until when the ones before it are accepted. */
export interface Rotated {
  readonly purpose: SecretPurpose
  readonly version: number
  readonly signsFrom: Date
  readonly oldAcceptedUntil: Date
}

/** Adds a version. It signs after {@link LEAD_MS}; what was signed before stays valid until it fades. */
export async function rotateSecret(
  tx: Transaction,
  purpose: SecretPurpose,
  { dropsOld }: Rotation,
  deps: SecretDeps,
): Promise<Rotated> {
  const now = deps.clock.now()
  const signsFrom = new Date(now.getTime() + LEAD_MS)
  const oldAcceptedUntil = new Date(signsFrom.getTime() + (dropsOld ? 0 : FADES[purpose]))
  if (dropsOld) tx.write(shorten, [purpose, oldAcceptedUntil])
  const [before] = await tx.rows(replace, [purpose, oldAcceptedUntil])
  const version = present(before, 'a secret that is rotated exists').version + 1
  insertVersion(tx, deps, { purpose, version, secret: deps.randomness.bytes(32), createdAt: now, signsFrom })
  bumpRevision(tx, SECRETS_SUBJECT)
  return { purpose, version, signsFrom, oldAcceptedUntil }
}

const countPlain = statement<{ plain: bigint }>('secrets.count_plain', 'select count(*) as plain from server_secrets')
const forgetPlain = statement('secrets.forget_plain', 'delete from server_secrets')
const forgetOldPlain = statement(
  'secrets.forget_old_plain',
  `delete from server_secrets where not exists (select from server_secret_versions where created_at > $1 and version = 1)
   and exists (select from server_secret_versions)`,
)

/** How long the previous release can still run, at the same time as this one or again. */
const PLAIN_DAYS = 7

/** The number of secrets that are still stored as plain text, for processes of an earlier version. */
export async function countPlainSecrets(reader: Reader): Promise<number> {
  return Number(present(await reader.row(countPlain), 'a count').plain)
}

/** Deletes the plain copies: processes of an earlier version can no longer start. @returns how many there were */
export async function forgetPlainSecrets(tx: Transaction): Promise<number> {
  assert((await tx.rows(read)).length > 0, 'the secrets are sealed')
  return tx.change(forgetPlain, [])
}

/** The secrets that seal rows. They are kept until no row needs them: see {@link forgetLicenseSecrets}. */
const SEALING = `('licence-keys', 'licence-fingerprint')`
const sweepEnded = statement(
  'sweep.server_secret_versions',
  `delete from server_secret_versions where accepted_until < $1 and purpose not in ${SEALING}`,
)

/** Deletes what is no longer accepted, and after a week the plain copies of an earlier version. @returns false: nothing is left */
export async function sweepServerSecrets(tx: Transaction, now: Date): Promise<boolean> {
  tx.write(forgetOldPlain, [new Date(now.getTime() - PLAIN_DAYS * DAY_MS)])
  // The published keys have changed.
  if ((await tx.change(sweepEnded, [now])) > 0) bumpRevision(tx, SECRETS_SUBJECT)
  return false
}

const forgetReplaced = statement(
  'secrets.forget_replaced',
  `delete from server_secret_versions where accepted_until is not null and purpose in ${SEALING} and not exists (
     select from server_secret_versions as newer where newer.purpose = server_secret_versions.purpose and newer.signs_from > $1)`,
)

/** Deletes the replaced versions of the secrets of license keys, which no row needs any more. */
export function forgetLicenseSecrets(tx: Transaction, now: Date): void {
  tx.write(forgetReplaced, [now])
  bumpRevision(tx, SECRETS_SUBJECT)
}

/** A secret as an operator sees it. */
interface SecretStatus {
  readonly purpose: SecretPurpose
  readonly versions: readonly {
    readonly version: number
    readonly createdAt: Date
    readonly signsFrom: Date
    readonly acceptedUntil: Date | null
    readonly keyId: string
  }[]
}
const list = statement<VersionRow & { created_at: Date }>(
  'secrets.list',
  `select purpose, version, key_id, signs_from, accepted_until, created_at from server_secret_versions
   where accepted_until is null or accepted_until > $1 order by purpose, version desc`,
)

export async function listSecrets(reader: Reader, now: Date): Promise<readonly SecretStatus[]> {
  const rows = await reader.rows(list, [now])
  return SECRET_PURPOSES.map((purpose) => ({
    purpose,
    versions: rows
      .filter((row) => row.purpose === purpose)
      .map((row) => ({
        version: row.version,
        createdAt: row.created_at,
        signsFrom: row.signs_from,
        acceptedUntil: row.accepted_until,
        keyId: row.key_id,
      })),
  }))
}

/** SQL that selects the versions of a secret as {@link SelectedSecret}, for a query that reads more. */
export function secretSql(purpose: SecretPurpose): string {
  return `(select json_agg(json_build_array(version, key_id, encode(sealed, 'base64'), signs_from, accepted_until) order by version desc)
    from server_secret_versions where purpose = '${purpose}')`
}

/** `null` before the first start. */
export type SelectedSecret = readonly (readonly [number, string, string, string, string | null])[] | null

/** The versions of a selected secret at a time. */
export function openSelected(purpose: SecretPurpose, selected: NonNullable<SelectedSecret>, now: Date): RotatingSecret {
  const versions = selected.map(([version, key_id, sealed, signsFrom, acceptedUntil]) =>
    openVersion(
      {
        purpose,
        version,
        key_id,
        sealed: Buffer.from(sealed, 'base64'),
        signs_from: new Date(signsFrom),
        accepted_until: acceptedUntil === null ? null : new Date(acceptedUntil),
      },
      processKeyring(key_id),
    ),
  )
  return new VersionedSecret(versions, { now: () => now })
}
