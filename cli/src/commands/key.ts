import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { readFile, rm, writeFile } from 'node:fs/promises'
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
  const { installation: installationId, generateKey, publicKey } = options
  const scopes = readScopes(options.scopes)
  const expiresAt = readExpiry(options.expires)
  if (generateKey !== undefined && publicKey !== undefined) {
    throw new UsageError('Give --generate-key or --public-key, not both.')
  }
  const given = publicKey === undefined ? undefined : await readPublicKey(publicKey)
  const made = await inHouse(output, async ({ database, ids, randomness, now }) => {
    const making = { ids, now: now(), randomness }
    const make = (jkt: string | undefined) =>
      database.transaction((tx) => createKey(tx, { installationId, scopes, jkt, expiresAt }, making))
    if (generateKey === undefined) return { ...(await make(given)), jkt: given }
    const jkt = await writePrivateKey(generateKey)
    try {
      return { ...(await make(jkt)), jkt }
    } catch (error) {
      // A private key without its API key would only stand in the way of the next try.
      await rm(generateKey)
      throw error
    }
  })
  const { key, keyId, jkt } = made
  output.result({ key, keyId, ...(jkt !== undefined && { jkt }) }, [
    key,
    '',
    `Key ${keyId}. It is shown this once and kept as a hash.`,
    jkt === undefined
      ? 'It is not bound to a key pair, so it reads only.'
      : `It is bound to the key pair with thumbprint ${jkt}: send it as DPoP, with a proof.`,
  ])
}

function readScopes(text: string): Scope[] {
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
