import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { SCOPES, type Scope } from '@vitrine/contract'
import { createKey, thumbprintOf } from '@vitrine/server'
import { UsageError } from '../failure.ts'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'

export interface KeyCreateOptions {
  readonly installation: string
  readonly scopes: string
  readonly generateKey?: string
  readonly publicKey?: string
  readonly expires?: string
}

/** `vitrine key create`: makes an API key and shows it this once. */
export async function createKeyCommand(options: KeyCreateOptions, output: Output): Promise<void> {
  const scopes = readScopes(options.scopes)
  const expiresAt = readExpiry(options.expires)
  if (options.generateKey !== undefined && options.publicKey !== undefined) {
    throw new UsageError('Give --generate-key or --public-key, not both.')
  }
  const jkt = await proofKeyOf(options)
  const { key, keyId } = await inHouse(output, ({ database, ids, randomness, now }) =>
    database.transaction((tx) =>
      createKey(tx, { installationId: options.installation, scopes, jkt, expiresAt }, { ids, now: now(), randomness }),
    ),
  )
  output.result({ key, keyId, ...(jkt !== undefined && { jkt }) }, [
    key,
    '',
    `Key ${keyId}. It is shown this once and kept as a hash.`,
    jkt === undefined
      ? 'It is not bound to a key pair, so it reads only.'
      : `It is bound to the key pair with thumbprint ${jkt}: send it as DPoP, with a proof.`,
  ])
}

export function readScopes(text: string): Scope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter((scope) => scope !== '')
  const unknown = scopes.find((scope) => !(SCOPES as readonly string[]).includes(scope))
  if (unknown !== undefined) throw new UsageError(`There is no scope "${unknown}"; there are ${SCOPES.join(', ')}.`)
  return scopes as Scope[]
}

function readExpiry(text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const date = new Date(text)
  if (Number.isNaN(date.getTime()))
    throw new UsageError(`--expires must be a time such as 2027-01-31T00:00:00Z, not "${text}".`)
  return date
}

/** The thumbprint of the key pair that the key is bound to, made now or given. */
async function proofKeyOf({ generateKey, publicKey }: KeyCreateOptions): Promise<string | undefined> {
  if (generateKey !== undefined) return writePrivateKey(generateKey)
  if (publicKey === undefined) return undefined
  const text = await readFile(publicKey, 'utf8')
  const key = text.trimStart().startsWith('{')
    ? createPublicKey({ key: JSON.parse(text), format: 'jwk' })
    : createPublicKey(text)
  return thumbprintOf(key.export({ format: 'jwk' }))
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
