import { chmod, mkdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { type ClusterFacts, Machine, newPasswords, POSTGRES_PORT } from './machine.ts'
import type { Part } from './part.ts'
import { findPrograms } from './programs.ts'
import { PROXY_PORTS, prepareProxy } from './proxy.ts'

export const NETWORK = '127.0.1'

export interface ClusterOptions {
  /** Folder for all files of the cluster. It must not exist, or be empty. */
  readonly folder: string
  /** The first three numbers of the loopback addresses. Each address represents a machine. */
  readonly network?: string
  /** Addresses of the nodes that HAProxy forwards requests to. */
  readonly nodes?: readonly string[]
}

/** Copying a standby is slow when ten processes share two cores. */
const START_MS_MAX = 180_000
const ROLE_MS_MAX = 60_000
const LOOK_AGAIN_MS = 100
const MACHINES = 3

/** PostgreSQL on three “machines” with Patroni and etcd, behind HAProxy: all on this machine, each on its own loopback address. */
export class Cluster {
  readonly machines: readonly Machine[]
  readonly proxy: Part
  readonly folder: string
  /** The current primary, through HAProxy. */
  readonly url: string
  /** All machines, for a client that finds the primary itself. */
  readonly hostsUrl: string
  /** The standbys, or the primary if there is none, through HAProxy. */
  readonly readUrl: string

  private constructor(facts: ClusterFacts, machines: readonly Machine[], proxy: Part, address: string) {
    this.machines = machines
    this.proxy = proxy
    this.folder = facts.folder
    const urlOf = (...hosts: string[]) => `postgres://vitrine:${facts.passwords.vitrine}@${hosts.join()}/vitrine`
    this.url = urlOf(`${address}:${PROXY_PORTS.writes}`)
    this.readUrl = urlOf(`${address}:${PROXY_PORTS.reads}`)
    this.hostsUrl = urlOf(...facts.addresses.map((each) => `${each}:${POSTGRES_PORT}`))
  }

  /** Starts it, and waits for a primary, a synchronous and an asynchronous standby. */
  static async start({ folder, network = NETWORK, nodes = [] }: ClusterOptions): Promise<Cluster> {
    const programs = await findPrograms()
    await mkdir(folder, { recursive: true })
    // The unprivileged user has to reach its files below.
    await chmod(folder, 0o711)
    const addresses = Array.from({ length: MACHINES }, (_, index) => `${network}.${11 + index}`)
    const facts: ClusterFacts = { programs, folder, addresses, passwords: newPasswords() }
    const machines: Machine[] = []
    for (const index of addresses.keys()) machines.push(await Machine.prepare(facts, index))
    const proxy = await prepareProxy(facts, `${network}.1`, nodes)
    const cluster = new Cluster(facts, machines, proxy, `${network}.1`)
    for (const machine of machines) machine.up()
    proxy.up()
    try {
      await cluster.untilComplete(START_MS_MAX)
    } catch (error) {
      await cluster.stop()
      throw error
    }
    return cluster
  }

  /** The machine with a role. Waits for it, because a busy machine may not answer at once, and roles may be changing. */
  async machineOf(role: 'primary' | 'synchronous'): Promise<Machine> {
    for (const endsAt = performance.now() + ROLE_MS_MAX; ; await pause(LOOK_AGAIN_MS)) {
      const machine = await this.#withRole(role)
      if (machine !== null) return machine
      if (performance.now() > endsAt) throw new Error(`no ${role} after ${ROLE_MS_MAX / 1000} s`)
    }
  }

  /** The machine with the leader of etcd. Waits for it: there is none during an election, and a busy member may not answer at once. */
  async etcdLeader(): Promise<Machine> {
    for (const endsAt = performance.now() + ROLE_MS_MAX; ; await pause(LOOK_AGAIN_MS)) {
      const each = await Promise.all(this.machines.map((machine) => machine.leadsEtcd().catch(() => false)))
      const leader = this.machines[each.indexOf(true)]
      if (leader !== undefined) return leader
      if (performance.now() > endsAt) throw new Error(`etcd has no leader after ${ROLE_MS_MAX / 1000} s`)
    }
  }

  /** Waits for a primary, a synchronous and an asynchronous standby. */
  async untilComplete(timeoutMs: number): Promise<void> {
    const roles = ['primary', 'synchronous', 'asynchronous'] as const
    const endsAt = performance.now() + timeoutMs
    for (;;) {
      const found = await Promise.all(roles.map((role) => this.#withRole(role)))
      if (found.every(Boolean)) return
      if (performance.now() > endsAt) {
        const missing = roles.filter((_, at) => !found[at]).join(', ')
        throw new Error(`no ${missing} after ${timeoutMs / 1000} s: see the logs in ${this.folder}`)
      }
      await pause(LOOK_AGAIN_MS)
    }
  }

  /** Stops everything: Patroni first, so that it can still deregister at etcd. */
  async stop(): Promise<void> {
    await this.proxy.down('SIGTERM')
    await Promise.all(this.machines.map(({ patroni }) => patroni.down('SIGTERM')))
    // Processes whose Patroni was killed, or that are frozen.
    await Promise.all(this.machines.map((machine) => machine.lose()))
  }

  /** Asks the primary for its standbys, because a machine that was frozen answers from its old state. */
  async #withRole(role: 'primary' | 'synchronous' | 'asynchronous'): Promise<Machine | null> {
    const each = await Promise.all(this.machines.map((machine) => machine.isPrimary()))
    const primary = this.machines[each.indexOf(true)] ?? null
    if (role === 'primary' || primary === null) return primary
    const { [role]: name } = await primary.standbys()
    return this.machines.find((machine) => machine.name === name) ?? null
  }
}
