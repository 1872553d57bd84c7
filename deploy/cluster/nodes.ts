import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { Part } from './part.ts'
import { NODE_PORTS, PROXY_PORTS } from './proxy.ts'

const LAUNCHER = join(import.meta.dirname, '../../cli/bin/vitrine.js')
const START_MS_MAX = 180_000
const LOOK_AGAIN_MS = 250
const SIMULATOR_PORT = 8084

/** Vitrine nodes on a cluster, with the demo and a payment simulator, behind its HAProxy. */
export class Nodes {
  readonly #parts: readonly Part[]
  readonly #addresses: readonly string[]

  private constructor(parts: readonly Part[], addresses: readonly string[]) {
    this.#parts = parts
    this.#addresses = addresses
  }

  static async start(cluster: Cluster, proxyAddress: string, addresses: readonly string[]): Promise<Nodes> {
    const simulator = { SIMULATOR_SECRET: secret(), DATA_DIR: join(cluster.folder, 'simulator') }
    const shared = {
      DATABASE_URL: cluster.url,
      DATABASE_READ_URL: cluster.readUrl,
      PUBLIC_URL: `http://${proxyAddress}:${PROXY_PORTS.public}`,
      PAGES_URL: `http://${proxyAddress}:${PROXY_PORTS.pages}`,
      TRUSTED_PROXIES: '1',
      SEALING_KEY: randomBytes(32).toString('base64'),
      SIMULATOR_URL: `http://127.0.0.1:${SIMULATOR_PORT}`,
      SIMULATOR_SECRET: simulator.SIMULATOR_SECRET,
      METRICS_TOKEN: secret(),
      LOG_LEVEL: 'warn',
    }
    const nodes = addresses.map((address, at) =>
      // The first loads the demo.
      partOf(cluster, `node${at + 1}`, ['start', at === 0 ? '--demo' : '--empty'], { ...shared, ...doorsOf(address) }),
    )
    const provider = partOf(cluster, 'simulator', ['simulator', '--port', String(SIMULATOR_PORT)], simulator)
    const made = new Nodes([provider, ...nodes], addresses)
    await mkdir(simulator.DATA_DIR)
    for (const { name } of nodes) await mkdir(join(cluster.folder, name))
    provider.up()
    try {
      for (const [at, part] of nodes.entries()) {
        part.up()
        await made.#ready(addresses[at] as string, part.name)
      }
    } catch (error) {
      await made.stop()
      throw error
    }
    return made
  }

  async stop(): Promise<void> {
    await Promise.all(this.#parts.map((part) => part.down('SIGTERM')))
  }

  /** A line of text for each node. */
  lines(): string[] {
    return this.#addresses.map((address, at) => {
      const part = this.#parts[at + 1] as Part
      return `${part.name}      ${address}   process ${part.pid}, operator door http://${address}:${NODE_PORTS.operator}`
    })
  }

  async #ready(address: string, name: string): Promise<void> {
    const endsAt = performance.now() + START_MS_MAX
    const url = `http://${address}:${NODE_PORTS.operator}/readyz`
    const isReady = () =>
      fetch(url, { signal: AbortSignal.timeout(5000) }).then(
        ({ ok }) => ok,
        () => false,
      )
    while (!(await isReady())) {
      if (performance.now() > endsAt)
        throw new Error(`${name} is not ready after ${START_MS_MAX / 1000} s: see its log`)
      await pause(LOOK_AGAIN_MS)
    }
  }
}

const secret = () => randomBytes(24).toString('hex')

function doorsOf(address: string): Readonly<Record<string, string>> {
  return {
    HOST: address,
    OPERATOR_HOST: address,
    PUBLIC_PORT: String(NODE_PORTS.public),
    PAGES_PORT: String(NODE_PORTS.pages),
    OPERATOR_PORT: String(NODE_PORTS.operator),
    SHOP_PORT: String(NODE_PORTS.shop),
    OPERATOR_URL: `http://${address}:${NODE_PORTS.operator}`,
  }
}

function partOf(cluster: Cluster, name: string, args: readonly string[], env: Readonly<Record<string, string>>): Part {
  return new Part({
    name,
    program: process.execPath,
    args: [LAUNCHER, ...args],
    folder: cluster.folder,
    env: { DATA_DIR: join(cluster.folder, name), HOME: cluster.folder, ...env },
  })
}
