import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInstallation, createKey, isKnownKey, loadDemo } from '@vitrine/server'
import type { House } from '../house.ts'
import { inHouse } from '../house.ts'
import type { Output } from '../output.ts'
import { writePrivateKey } from './key.ts'

/** What a newcomer tries the demo with. Kept in the data directory, readable by its owner alone. */
export interface DemoKeys {
  readonly readKey: string
  readonly boundKey: string
  readonly privateKeyFile: string
}

/** `vitrine demo load`: loads the demo once; a second time changes nothing. */
export async function loadDemoCommand(output: Output): Promise<void> {
  const loaded = await inHouse(output, (house) => prepareDemo(house, output))
  output.result(loaded, [
    `Demo: ${loaded.created} products created, ${loaded.unchanged} already there.`,
    `Read key:    ${loaded.keys.readKey}`,
    `Bound key:   ${loaded.keys.boundKey}`,
    `Private key: ${loaded.keys.privateKeyFile}`,
  ])
}

/** Loads the demo data and makes its keys, where they are not there yet. */
export async function prepareDemo(
  house: House,
  output: Output,
): Promise<{ readonly created: number; readonly unchanged: number; readonly keys: DemoKeys }> {
  const { database, config, ids, now } = house
  const progress = output.progress('Loading the demo')
  const { created, unchanged } = await loadDemo({
    database,
    ids,
    now: now(),
    pagesUrl: config.pagesUrl,
    onProgress: (done: number, total: number) => progress.update(done, total),
  })
  progress.stop()
  return { created, unchanged, keys: await demoKeys(house) }
}

async function demoKeys(house: House): Promise<DemoKeys> {
  const { database, config, ids, randomness, now } = house
  const file = join(config.dataDirectory, 'demo-keys.json')
  const kept = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (kept !== null) {
    const keys = JSON.parse(kept) as DemoKeys
    // The file may stand beside a database that was made anew.
    if (await isKnownKey(database.reader, keys.boundKey)) return keys
  }

  await mkdir(config.dataDirectory, { recursive: true })
  const privateKeyFile = join(config.dataDirectory, `demo-private-key-${now().getTime()}.json`)
  const jkt = await writePrivateKey(privateKeyFile)
  const making = { ids, randomness, now: now() }
  const keys = await database.transaction(async (tx) => {
    const installationId = await createInstallation(tx, { name: 'Demo marketplace app', environment: 'test' }, making)
    const read = await createKey(
      tx,
      { installationId, scopes: ['catalog:read', 'checkout:quote', 'webhooks:read'] },
      making,
    )
    const bound = await createKey(
      tx,
      { installationId, scopes: ['catalog:read', 'checkout:quote', 'webhooks:read', 'webhooks:write'], jkt },
      making,
    )
    return { readKey: read.key, boundKey: bound.key, privateKeyFile }
  })
  await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 })
  await chmod(file, 0o600)
  return keys
}
