import { createPublicKey, generateKeyPairSync, type JsonWebKey } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import type { Scope } from '@vitrine/contract'
import type { Command } from 'commander'
import type { CommandLine } from '../command-line.ts'
import { UsageError } from '../failure.ts'
import { type OperatorClient, OperatorRefusal } from '../operator-client.ts'
import { readTextFile, scopes, time } from '../options.ts'
import { requireFolderOf } from '../whole-file.ts'

/** The key pair that an API key is bound to. */
interface BindingOptions {
  readonly generateKey?: string
  readonly publicKey?: string
}
interface CreateOptions extends BindingOptions {
  readonly installation: string
  readonly scopes: Scope[]
  readonly expires?: string
}
interface NewKey {
  /** Always present: each command is a new request. */
  readonly key?: string
  readonly keyId: string
  readonly jkt?: string
}

const binding = (command: Command, otherwise: string) =>
  command
    .option('--generate-key <file>', 'bind it to a new key pair, and write the private key to this file')
    .option('--public-key <file>', `bind it to this public key, a JWK or PEM${otherwise}`)

export function addKeyCommands({ command, group, operator, out }: CommandLine): void {
  const key = group('key', 'API keys')
  binding(
    command(key, 'create', 'create an API key, which is shown only once')
      .requiredOption('--installation <id>', 'installation')
      .requiredOption('--scopes <scopes>', 'catalog:read,checkout:quote,webhooks:read,webhooks:write', scopes),
    '',
  )
    .option('--expires <time>', 'when it expires', expiry)
    .action(async ({ installation: installationId, expires: expiresAt, ...options }: CreateOptions) => {
      const created = await bound(options, (publicKey) => {
        const body = { scopes: options.scopes, ...publicKey, ...(expiresAt && { expiresAt }) }
        return operator((client) => client.call('createInstallationKey', { params: { installationId }, body }))
      })
      out.result(created, linesOf(created))
    })
  command(key, 'list', 'list the keys of an installation')
    .requiredOption('--installation <id>', 'installation')
    .action(async ({ installation: installationId }: { installation: string }) => {
      const { items } = await operator((client) => client.call('listInstallationKeys', { params: { installationId } }))
      const keys = items.map(({ id: keyId, display, standing: status, scopes, createdAt, ...rest }) => {
        const { jkt = null, replacedBy = null, expiresAt = null, revokedAt = null, lastUsedAt = null } = rest
        return { keyId, display, status, scopes, jkt, replacedBy, createdAt, expiresAt, revokedAt, lastUsedAt }
      })
      const rows = keys.map(({ keyId, display, status, scopes, jkt, expiresAt, lastUsedAt }) => {
        return [
          keyId,
          display,
          status,
          scopes.join(','),
          jkt ? 'yes' : 'no',
          expiresAt ?? 'never',
          lastUsedAt ?? 'never',
        ]
      })
      const heads = ['KEY', 'DISPLAY', 'STATUS', 'SCOPES', 'BOUND', 'EXPIRES', 'LAST USED']
      const none = `There is no key yet: vitrine key create --installation ${installationId} --scopes catalog:read`
      out.table(keys, heads, rows, none)
    })
  binding(
    command(key, 'rotate <id>', 'replace a key; the old one works for 24 more hours'),
    '; that of the old key by default',
  ).action(async (keyId: string, options: BindingOptions) => {
    const rotated = await bound(options, (body) =>
      operator(async (client) =>
        client
          .call('rotateInstallationKey', { params: await keyParams(client, keyId), body })
          .catch((error) => explainRotated(error, keyId)),
      ),
    )
    const until = `The old key ${keyId} works until ${rotated.oldKeyExpiresAt}.`
    out.result(rotated, [...linesOf(rotated), until])
  })
  command(key, 'revoke <id>', 'revoke a key').action(async (keyId: string) => {
    const revoked = await operator(async (client) =>
      client.call('revokeInstallationKey', { params: await keyParams(client, keyId) }),
    )
    out.result(revoked, [`Revoked ${keyId}. It is rejected from now on.`])
  })
}

async function keyParams(client: OperatorClient, keyId: string) {
  const { installationId } = await client.call('getKey', { params: { keyId } })
  return { installationId, keyId }
}

function explainRotated(error: unknown, keyId: string): never {
  const successor = error instanceof OperatorRefusal ? error.answer.params?.replacedBy : undefined
  if (successor !== undefined)
    (error as Error).message = `The key "${keyId}" was rotated: its successor is "${successor}".`
  throw error
}

function linesOf({ key = '', keyId, jkt }: NewKey): string[] {
  return [
    key,
    '',
    `Key ${keyId}. It is shown only once and stored as a hash.`,
    jkt === undefined
      ? 'It is not bound to a key pair, so it is read-only.'
      : `It is bound to the key pair with thumbprint ${jkt}: send it as DPoP, with a proof.`,
  ]
}

function expiry(text: string): string {
  const expiresAt = time('--expires')(text)
  if (new Date(expiresAt) > new Date()) return expiresAt
  throw new UsageError(`--expires must be in the future, and ${text} is not.`)
}

interface PublicJwk {
  readonly kty: 'EC' | 'OKP'
  readonly crv: 'P-256' | 'Ed25519'
  readonly x: string
  readonly y?: string
}

/** Creates a key with the binding of the options. A new private key is deleted if the API key was not created. */
async function bound<Made>(
  { generateKey, publicKey }: BindingOptions,
  create: (body: { readonly publicKey?: PublicJwk }) => Promise<Made>,
): Promise<Made> {
  if (generateKey === undefined)
    return create(publicKey === undefined ? {} : { publicKey: await readPublicKey(publicKey) })
  if (publicKey !== undefined) throw new UsageError('Give --generate-key or --public-key, not both.')
  const written = await writePrivateKey(generateKey)
  try {
    return await create({ publicKey: written })
  } catch (error) {
    await rm(generateKey)
    throw error
  }
}

/** The public key in a file, a JWK or PEM. */
async function readPublicKey(file: string): Promise<PublicJwk> {
  const jwk = publicJwkIn(await readTextFile(file))
  if (jwk?.crv === 'P-256' || jwk?.crv === 'Ed25519') return jwk as PublicJwk
  throw new UsageError(`${file} contains no P-256 or Ed25519 public key as a JWK or PEM.`)
}

function publicJwkIn(text: string): JsonWebKey | null {
  try {
    const isJwk = text.trimStart().startsWith('{')
    const key = isJwk ? createPublicKey({ key: JSON.parse(text), format: 'jwk' }) : createPublicKey(text)
    return key.export({ format: 'jwk' })
  } catch {
    // Not a key.
    return null
  }
}

/** Generates an ES256 key pair and writes the private key, readable by its owner only. Never overwrites a file. */
export async function writePrivateKey(file: string): Promise<PublicJwk> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const text = JSON.stringify(privateKey.export({ format: 'jwk' }), null, 2)
  requireFolderOf(file)
  await writeFile(file, `${text}\n`, { mode: 0o600, flag: 'wx' })
  return publicKey.export({ format: 'jwk' }) as PublicJwk
}
