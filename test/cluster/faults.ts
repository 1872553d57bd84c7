import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { Cluster } from '../../deploy/cluster/cluster.ts'
import { type Machine, PATRONI_PORT } from '../../deploy/cluster/machine.ts'
import type { Pick } from '../faults/load.ts'
import type { Node, ShopService } from '../faults/service.ts'

export interface Target {
  readonly cluster: Cluster
  readonly shop: ShopService
  readonly pick: Pick
}

/** Restores the lost part, after the service has worked without it. */
type Heal = () => Promise<void> | void

export interface ClusterFault {
  /** Whether another PostgreSQL becomes the primary. */
  readonly promotes: boolean
  /** Skipped without root and iptables. */
  readonly needsPackets?: true
  strike(target: Target): Promise<Heal>
}

const nothing: Heal = () => {}
/** The delay after which a supervisor restarts a node. */
const SUPERVISOR_MS = 1500

const primaryOf = ({ cluster }: Target) => cluster.machineOf('primary')
const standbyOf = ({ cluster }: Target) => cluster.machineOf('synchronous')

async function killPostmaster(machine: Machine): Promise<void> {
  const pid = (await machine.postmasterPid()) ?? assert.fail('PostgreSQL does not run')
  process.kill(pid, 'SIGKILL')
}

async function freeze(machine: Machine): Promise<Heal> {
  await machine.freeze(true)
  return () => machine.freeze(false)
}

/** Drops all packets from and to a machine, or stops dropping them. */
export async function cut(machine: Machine, isCut: boolean): Promise<void> {
  const action = isCut ? '--insert' : '--delete'
  const group = ['--match', 'owner', '--gid-owner', String(machine.groupId)]
  for (const which of [group, ['--destination', machine.address]]) {
    const rule = ['OUTPUT', '--out-interface', 'lo', '--protocol', 'tcp', ...which, '--jump', 'DROP']
    await promisify(execFile)('iptables', ['--wait', action, ...rule])
  }
}

/** Every fault, by name. */
export const FAULTS: Readonly<Record<string, ClusterFault>> = {
  'a node is killed': {
    promotes: false,
    async strike({ shop, pick }) {
      const node = shop.nodes[pick(2)] as Node
      await node.kill()
      return async () => {
        await pause(SUPERVISOR_MS)
        await node.start()
      }
    },
  },
  'the primary is killed': {
    promotes: true,
    async strike(target) {
      await killPostmaster(await primaryOf(target))
      return nothing
    },
  },
  'the machine of the primary is lost': {
    promotes: true,
    async strike(target) {
      const machine = await primaryOf(target)
      await machine.lose()
      return () => machine.up()
    },
  },
  'the Patroni of the primary is killed, and PostgreSQL keeps running': {
    promotes: true,
    async strike(target) {
      const { patroni } = await primaryOf(target)
      await patroni.down('SIGKILL')
      return () => patroni.up()
    },
  },
  "etcd's leader is killed": {
    promotes: false,
    async strike({ cluster }) {
      const { etcd } = await cluster.etcdLeader()
      await etcd.down('SIGKILL')
      return () => etcd.up()
    },
  },
  'a switchover': {
    promotes: true,
    async strike(target) {
      const [leader, candidate] = await Promise.all([primaryOf(target), standbyOf(target)])
      const response = await fetch(`http://${leader.address}:${PATRONI_PORT}/switchover`, {
        method: 'POST',
        body: JSON.stringify({ leader: leader.name, candidate: candidate.name }),
      })
      assert.equal(response.status, 200, await response.text())
      return nothing
    },
  },
  'the packets of the primary are dropped': {
    promotes: true,
    needsPackets: true,
    async strike(target) {
      const machine = await primaryOf(target)
      await cut(machine, true)
      return () => cut(machine, false)
    },
  },
  'the machine of the primary freezes, and wakes up later': {
    promotes: true,
    strike: async (target) => freeze(await primaryOf(target)),
  },
  'the synchronous standby is killed': {
    promotes: false,
    async strike(target) {
      await killPostmaster(await standbyOf(target))
      return nothing
    },
  },
  'the machine of the synchronous standby freezes': {
    promotes: false,
    strike: async (target) => freeze(await standbyOf(target)),
  },
  'HAProxy is killed': {
    promotes: false,
    async strike({ cluster }) {
      cluster.proxy.signal('SIGKILL')
      return nothing
    },
  },
}
