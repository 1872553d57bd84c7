import { existsSync } from 'node:fs'
import { chmod, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { SCOPES, type Scope } from '@vitrine/contract'
import { createInstallation, createKey, isKnownKey, openKeyring, someSealingKey, thumbprintOf } from '@vitrine/server'
import type { DemoReturns } from '@vitrine/server/demo'
import { type CommandDeps, withDatabase } from '../local-database.ts'
import type { Output } from '../output.ts'
import { writePrivateKey } from './keys.ts'

/** API keys to try the demo with. Stored in the data directory, readable by its owner only. */
export interface DemoKeys extends DemoReturns {
  /** Reads the whole marketplace. */
  readonly readKey: string
  /** Reads one store. */
  readonly storeKey: string
  /** Writes, with a proof by the private key. */
  readonly boundKey: string
  readonly privateKeyFile: string
}

interface DemoLoaded {
  readonly created: number
  readonly unchanged: number
  readonly keys: DemoKeys
  /** Whether the keys were created now. */
  readonly areKeysNew: boolean
}

/** `vitrine demo load`: loads the demo once; a second time changes nothing. */
export async function loadDemoCommand(output: Output): Promise<void> {
  const { created, unchanged, keys } = await withDatabase(output, (deps) => prepareDemo(deps, output))
  output.result({ created, unchanged, keys }, [
    `Demo: ${created} products created, ${unchanged} already there.`,
    '',
    ...linesOfKeys(keys),
  ])
}

export function linesOfKeys(keys: DemoKeys): string[] {
  return [
    `  read key     ${keys.readKey}`,
    `  store key    ${keys.storeKey}  (one store only)`,
    `  bound key    ${keys.boundKey}`,
    `  private key  ${keys.privateKeyFile}`,
    `  return URLs  ${keys.returnUrl}`,
    `               ${keys.cancelUrl}`,
  ]
}

/** Loads the demo data and creates its keys, unless they exist. */
export async function prepareDemo(deps: CommandDeps, output: Output): Promise<DemoLoaded> {
  const { database, config, ids, randomness, now } = deps
  const { loadDemo } = await import('@vitrine/server/demo')
  const progress = output.progress('Loading the demo')
  try {
    const { created, unchanged } = await loadDemo({
      database,
      ids,
      now: now(),
      randomness,
      keyring: await openKeyring(config, randomness, await someSealingKey(database.reader)),
      pagesUrl: config.pagesUrl,
      onProgress: (done, total) => progress.update(done, total),
    })
    const kept = await keptDemoKeys(deps)
    return { created, unchanged, keys: kept ?? (await makeDemoKeys(deps)), areKeysNew: kept === null }
  } finally {
    progress.stop()
  }
}

export const fileOfDemoKeys = ({ config }: CommandDeps) => resolve(config.dataDirectory, 'demo-keys.json')

/** The stored keys of a loaded demo; `null` if they no longer work. */
export async function keptDemoKeys(deps: CommandDeps): Promise<DemoKeys | null> {
  const text = await readFile(fileOfDemoKeys(deps), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (text === null) return null
  const keys = JSON.parse(text) as DemoKeys
  const privateKeyFile = resolve(deps.config.dataDirectory, keys.privateKeyFile)
  const { demoReturns } = await import('@vitrine/server/demo')
  const { returnUrl } = demoReturns(deps.config.shopUrl, deps.config.ports.shop)
  // The database may be a new one, the private key may be missing, or the shop may have another address now.
  const work =
    existsSync(privateKeyFile) &&
    keys.returnUrl === returnUrl &&
    (await isKnownKey(deps.database.reader, keys.boundKey))
  return work ? { ...keys, privateKeyFile } : null
}

async function makeDemoKeys(deps: CommandDeps): Promise<DemoKeys> {
  const { database, config, ids, randomness, now } = deps
  const { demoInstallations, demoOrigins, demoReturns } = await import('@vitrine/server/demo')
  await mkdir(config.dataDirectory, { recursive: true })
  const name = `demo-private-key-${now().getTime()}.json`
  const privateKeyFile = resolve(config.dataDirectory, name)
  const jkt = await thumbprintOf(await writePrivateKey(privateKeyFile))
  const making = { ids, randomness, now: now() }
  const { returnUrls, ...returns } = demoReturns(config.shopUrl, config.ports.shop)
  const origins = demoOrigins(config.ports.operator)
  const reads = SCOPES.filter((scope) => scope !== 'webhooks:write')
  try {
    const keys = await database.transaction(async (tx) => {
      const [marketplace, store] = demoInstallations
      const marketplaceId = await createInstallation(tx, { ...marketplace, returnUrls, origins }, making)
      const ofStore = { ...store, storeSlug: store.store ?? undefined, returnUrls, origins }
      const storeId = await createInstallation(tx, ofStore, making)
      const make = async (installationId: string, scopes: readonly Scope[], bound?: string) =>
        (await createKey(tx, { installationId, scopes, jkt: bound }, making)).key
      return {
        readKey: await make(marketplaceId, reads),
        storeKey: await make(storeId, reads),
        boundKey: await make(marketplaceId, SCOPES, jkt),
        ...returns,
      }
    })
    const file = fileOfDemoKeys(deps)
    // Only the file name: the data directory may be moved.
    await writeFile(file, `${JSON.stringify({ ...keys, privateKeyFile: name }, null, 2)}\n`, { mode: 0o600 })
    // An existing file may have other permissions.
    await chmod(file, 0o600)
    return { ...keys, privateKeyFile }
  } catch (error) {
    await rm(privateKeyFile)
    throw error
  }
}
