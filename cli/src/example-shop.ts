import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { DemoKeys } from './commands/demo.ts'
import type { CommandDeps } from './local-database.ts'
import type { Output } from './output.ts'

/** The built program of the example shop. Absent if the command line was installed without it. */
const PROGRAM = fileURLToPath(new URL('../../shop/dist/server/main.js', import.meta.url))
/** The store of the demo that requires a password. */
const GATED_STORES = 'atelier'
const AGAIN_MS = 1000

/** The example shop, prepared before the doors open. */
interface PreparedShop {
  /** The dependencies, with the shop as an allowed target of webhooks. */
  readonly deps: CommandDeps
  /** Starts it as a process of its own, which is restarted if it ends by itself. @returns its URL, `null` if it does not start */
  start(output: Output): Promise<string | null>
  stop(): Promise<void>
}

/** Prepares the example shop: an installation like any other, with the keys of the demo and nothing else. */
export function prepareShop(deps: CommandDeps, { boundKey, privateKeyFile }: DemoKeys): PreparedShop | null {
  if (!existsSync(PROGRAM)) return null
  const { config } = deps
  const { shopUrl: url } = config
  const environment = {
    ...process.env,
    VITRINE_URL: config.publicUrl,
    VITRINE_KEY: boundKey,
    VITRINE_PRIVATE_KEY_FILE: privateKeyFile,
    SHOP_URL: url,
    SHOP_PORT: `${config.ports.shop}`,
    SHOP_STORES: GATED_STORES,
    HOST: config.host,
    DATA_DIR: join(config.dataDirectory, 'shop'),
  }
  const { hostname, port, protocol } = new URL(url)
  const target = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
  const webhookAllowedTargets = new Set([...config.webhookAllowedTargets, target])
  let child: ChildProcess | null = null
  let isStopping = false

  function run(output: Output): ChildProcess {
    child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', PROGRAM], {
      env: environment,
      // The shop exits when the channel closes, so it never outlives this process.
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
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
      output.note(
        `The example shop did not start at ${url}. If port ${config.ports.shop} is taken, choose another with SHOP_PORT.`,
      )
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
