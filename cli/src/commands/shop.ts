import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { SCOPES } from '@vitrine/contract'
import { createInstallation, createKey, isKnownKey, setReturnUrls, thumbprintOf } from '@vitrine/server'
import type { CommandDeps } from '../local-database.ts'
import type { Output } from '../output.ts'
import { writePrivateKey } from './keys.ts'

/** The built program of the example shop. Missing where the command line was installed without it. */
const PROGRAM = fileURLToPath(new URL('../../../shop/dist/server/main.js', import.meta.url))
/** Of the demo: it asks for a password. */
const GATED_STORES = 'atelier'
const AGAIN_MS = 1000

/** What the service and the shop know of each other. In the shop's folder, readable by its owner only. */
interface Credentials {
  readonly installationId: string
  readonly key: string
  readonly privateKeyFile: string
}

/** The example shop, before the doors are open. */
export interface PreparedShop {
  /** With permission to send webhooks to it. */
  readonly deps: CommandDeps
  /** Starts it as a process of its own, which is restarted if it ends by itself. @returns its URL, `null` if it does not start */
  start(output: Output): Promise<string | null>
  stop(): Promise<void>
}

/** Makes the example shop an installation like any other: with a bound key, return URLs and nothing else. */
export async function prepareShop(deps: CommandDeps): Promise<PreparedShop | null> {
  if (!existsSync(PROGRAM)) return null
  const { config } = deps
  const url = `http://${config.host}:${config.ports.shop}`
  const folder = join(config.dataDirectory, 'shop')
  await mkdir(folder, { recursive: true })
  const { key, privateKeyFile } = await credentialsFor(deps, folder, url)
  const environment = {
    ...process.env,
    VITRINE_URL: config.publicUrl,
    VITRINE_KEY: key,
    VITRINE_PRIVATE_KEY_FILE: privateKeyFile,
    SHOP_URL: url,
    SHOP_PORT: `${config.ports.shop}`,
    SHOP_STORES: GATED_STORES,
    HOST: config.host,
    DATA_DIR: folder,
  }
  const webhookAllowedTargets = new Set([...config.webhookAllowedTargets, `${config.host}:${config.ports.shop}`])
  let child: ChildProcess | null = null
  let isStopping = false

  function run(output: Output): ChildProcess {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    return child.once('exit', () => {
      child = null
      if (!isStopping) setTimeout(() => isStopping || run(output), AGAIN_MS)
    })
  }

  return {
    deps: { ...deps, config: { ...config, webhookAllowedTargets } },
    async start(output) {
      const started = run(output)
      const said = createInterface({ input: started.stdout! })
      const isOpen = await Promise.race([once(said, 'line').then(() => true), once(started, 'exit').then(() => false)])
      if (isOpen) return url
      isStopping = true
      output.note(`The example shop did not start at ${url}: set SHOP_PORT to a free port.`)
      return null
    },
    async stop() {
      isStopping = true
      if (!child) return
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The credentials of an earlier start, with the URL of this one; or new ones. */
async function credentialsFor(deps: CommandDeps, folder: string, url: string): Promise<Credentials> {
  const { database, ids, randomness, now } = deps
  const returnUrls = [`${url}/checkout/return`, `${url}/sign-in/return`]
  const file = join(folder, 'credentials.json')
  const kept = existsSync(file) ? (JSON.parse(await readFile(file, 'utf8')) as Credentials) : null
  if (kept && existsSync(kept.privateKeyFile) && (await isKnownKey(database.reader, kept.key))) {
    await database.transaction((tx) => setReturnUrls(tx, kept.installationId, returnUrls, now()))
    return kept
  }
  const privateKeyFile = join(folder, `private-key-${now().getTime()}.json`)
  const jkt = await thumbprintOf(await writePrivateKey(privateKeyFile))
  const making = { ids, randomness, now: now() }
  const made = await database.transaction(async (tx) => {
    const about = { name: 'Example shop', environment: 'test', returnUrls } as const
    const installationId = await createInstallation(tx, about, making)
    const { key } = await createKey(tx, { installationId, scopes: SCOPES, jkt }, making)
    return { installationId, key, privateKeyFile }
  })
  await writeFile(file, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 })
  return made
}
