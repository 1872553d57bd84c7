import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { createKey, type KeyRow, keyStatus, listKeys, revokeKey, rotateKey, thumbprintOf } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import { columns, type Output } from '../output.ts'
import { readScopes } from '../scopes.ts'

/** Which key pair an API key is bound to. */
interface BindingOptions {
  readonly generateKey?: string
  readonly publicKey?: string
}

export interface KeyCreateOptions extends BindingOptions {
  readonly installation: string
  readonly scopes: string
  readonly expires?: string
}

/** `vitrine key create`: makes an API key and shows it this once. */
export async function createKeyCommand(options: KeyCreateOptions, output: Output): Promise<void> {
  const { installation: installationId } = options
  const scopes = readScopes(options.scopes)
  const expiresAt = readExpiry(options.expires)
  const binding = await readBinding(options)
  const made = await inHouse(output, ({ database, ids, randomness, now }) =>
    binding(async (jkt) => {
      const making = { ids, now: now(), randomness }
      const wanted = { installationId, scopes, jkt, expiresAt }
      return { ...(await database.transaction((tx) => createKey(tx, wanted, making))), jkt: jkt ?? null }
    }),
  )
  output.result(shownOnce(made), toldOnce(made))
}

/** `vitrine key list`: the keys of an installation, and what became of each. */
export async function listKeysCommand(options: { readonly installation: string }, output: Output): Promise<void> {
  const keys = await inHouse(output, async ({ database, now }) => {
    const rows = await listKeys(database.reader, options.installation)
    return rows.map((row) => viewKey(row, now()))
  })
  const lines = columns([
    ['KEY', 'DISPLAY', 'STATUS', 'SCOPES', 'BOUND', 'EXPIRES', 'LAST USED'],
    ...keys.map((key) => [
      key.keyId,
      key.display,
      key.status,
      key.scopes.join(','),
      key.jkt === null ? 'no' : 'yes',
      key.expiresAt ?? 'never',
      key.lastUsedAt ?? 'never',
    ]),
  ])
  const none = `There is no key yet: vitrine key create --installation ${options.installation} --scopes catalog:read`
  output.result(keys, keys.length > 0 ? lines : [none])
}

function viewKey(row: KeyRow, now: Date) {
  return {
    keyId: row.id,
    display: row.display,
    status: keyStatus(row, now),
    scopes: row.scopes,
    jkt: row.jkt,
    replacedBy: row.replaced_by,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    lastUsedAt: row.last_used_at?.toISOString() ?? null,
  }
}

/** `vitrine key rotate KEYID`: makes the successor of a key and shows it this once. The old one works for a day more. */
export async function rotateKeyCommand(keyId: string, options: BindingOptions, output: Output): Promise<void> {
  const binding = await readBinding(options)
  const made = await inHouse(output, ({ database, ids, randomness, now }) =>
    binding((jkt) => database.transaction((tx) => rotateKey(tx, { keyId, jkt }, { ids, now: now(), randomness }))),
  )
  const until = made.oldKeyExpiresAt.toISOString()
  output.result({ ...shownOnce(made), oldKeyExpiresAt: until }, [
    ...toldOnce(made),
    `The old key ${keyId} works until ${until}.`,
  ])
}

/** `vitrine key revoke KEYID`: ends a key at once, on every node. */
export async function revokeKeyCommand(keyId: string, output: Output): Promise<void> {
  const revokedAt = await inHouse(output, ({ database, now }) =>
    database.transaction((tx) => revokeKey(tx, keyId, now())),
  )
  output.result({ keyId, revokedAt: revokedAt.toISOString() }, [`Revoked ${keyId}. It is refused from now on.`])
}

interface MadeKey {
  readonly key: string
  readonly keyId: string
  readonly jkt: string | null
}

function shownOnce({ key, keyId, jkt }: MadeKey) {
  return { key, keyId, ...(jkt !== null && { jkt }) }
}

function toldOnce({ key, keyId, jkt }: MadeKey): string[] {
  return [
    key,
    '',
    `Key ${keyId}. It is shown this once and kept as a hash.`,
    jkt === null
      ? 'It is not bound to a key pair, so it reads only.'
      : `It is bound to the key pair with thumbprint ${jkt}: send it as DPoP, with a proof.`,
  ]
}

/** Reads to which key pair a key shall be bound, and gives what makes the API key together with a new key pair. */
async function readBinding({ generateKey, publicKey }: BindingOptions) {
  if (generateKey !== undefined && publicKey !== undefined) {
    throw new UsageError('Give --generate-key or --public-key, not both.')
  }
  const given = publicKey === undefined ? undefined : await readPublicKey(publicKey)
  return async <Made>(make: (jkt: string | undefined) => Promise<Made>): Promise<Made> => {
    if (generateKey === undefined) return make(given)
    const jkt = await writePrivateKey(generateKey)
    try {
      return await make(jkt)
    } catch (error) {
      // A private key without its API key would only stand in the way of the next try.
      await rm(generateKey)
      throw error
    }
  }
}

function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime())) {
    throw new UsageError(`--expires must be a time such as 2030-01-31T00:00:00Z, not "${text}".`)
  }
  if (date <= new Date()) throw new UsageError(`--expires must be in the future, and ${text} is not.`)
  return date
}

/** The thumbprint of the public key in a file, a JWK or PEM. */
async function readPublicKey(file: string): Promise<string> {
  const jwk = publicJwkIn(await readFile(file, 'utf8'))
  if (jwk?.crv !== 'P-256' && jwk?.crv !== 'Ed25519') {
    throw new UsageError(`${file} holds no P-256 or Ed25519 public key, as a JWK or PEM.`)
  }
  return thumbprintOf(jwk)
}

function publicJwkIn(text: string): JsonWebKey | null {
  try {
    const isJwk = text.trimStart().startsWith('{')
    const key = isJwk ? createPublicKey({ key: JSON.parse(text), format: 'jwk' }) : createPublicKey(text)
    return key.export({ format: 'jwk' })
  } catch {
    // Whatever it is, it is no key: that is the answer.
    return null
  }
}

/** Makes an ES256 key pair and writes the private key where only its owner reads it. Never over an existing file. */
export async function writePrivateKey(file: string): Promise<string> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFile(file, `${JSON.stringify(privateKey.export({ format: 'jwk' }), null, 2)}\n`, {
    mode: 0o600,
    flag: 'wx',
  })
  return thumbprintOf(publicKey.export({ format: 'jwk' }))
}
