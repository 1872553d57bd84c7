import { randomBytes } from 'node:crypto'
import { chown, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Part } from './part.ts'
import type { Programs } from './programs.ts'

/** Facts that all machines share. */
export interface ClusterFacts {
  readonly programs: Programs
  readonly folder: string
  /** The loopback address of each machine. */
  readonly addresses: readonly string[]
  readonly passwords: Passwords
}

export interface Passwords {
  readonly superuser: string
  readonly replication: string
  readonly vitrine: string
}

export function newPasswords(): Passwords {
  const password = () => randomBytes(16).toString('hex')
  return { superuser: password(), replication: password(), vitrine: password() }
}

export const POSTGRES_PORT = 5432
export const PATRONI_PORT = 8008
const ETCD_PORT = 2379
const ETCD_PEER_PORT = 2380

/** `nobody` on every Linux. PostgreSQL refuses to run as root. */
const UNPRIVILEGED_USER_ID = 65_534
/** Each machine has its own group, so that iptables can drop the packets it sends. Groups need no name. */
const FIRST_GROUP_ID = 64_600

/**
 * How soon a failure is noticed. `ttl` is the longest time without a primary when its machine is lost; Patroni requires at least
 * `loop_wait` plus twice `retry_timeout`. With a `retry_timeout` of 5 s, a primary stepped down when the machine of etcd's leader
 * froze, because an election and the requests to the frozen machine took longer.
 */
const TIMES_S = { ttl: 20, loop_wait: 2, retry_timeout: 8 }

/** PostgreSQL's parameters. The sizes suit a cluster on one machine; see docs/guides/cluster.md for real ones. */
const PARAMETERS = {
  max_connections: 200,
  shared_buffers: '128MB',
  // A standby that stops answering delays each COMMIT until these timeouts.
  wal_sender_timeout: '5s',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
  // A standby that is down for long must not fill the disk.
  max_slot_wal_keep_size: '2GB',
  // A read on a standby is canceled rather than delaying its replay.
  max_standby_streaming_delay: '5s',
}

/** Patroni's settings for the whole cluster, stored in etcd. */
export const SHARED_SETTINGS = {
  ...TIMES_S,
  // Every COMMIT waits for one standby, and only that standby may be promoted.
  synchronous_mode: true,
  synchronous_node_count: 1,
  // Without synchronous mode, this limits the amount that a failover loses.
  maximum_lag_on_failover: 2 ** 20,
  // A crashed primary is replaced at once, not recovered first.
  primary_start_timeout: 0,
  // Without etcd the primary stays as long as it reaches all members.
  failsafe_mode: true,
  postgresql: {
    use_pg_rewind: true,
    // A rewind that was interrupted leaves files that cannot be started or rewound again: they are copied from the primary.
    remove_data_directory_on_rewind_failure: true,
    use_slots: true,
    parameters: PARAMETERS,
  },
}

/** A database machine: a member of etcd, Patroni, and the PostgreSQL that Patroni runs. */
export class Machine {
  readonly name: string
  readonly address: string
  /** The group of its processes; `null` if this process is not root. */
  readonly groupId: number | null
  readonly etcd: Part
  readonly patroni: Part
  readonly #data: string

  private constructor(facts: ClusterFacts, index: number) {
    this.name = nameOf(index)
    this.address = facts.addresses[index] as string
    const account = accountOf(index)
    this.groupId = account?.gid ?? null
    const folder = join(facts.folder, this.name)
    this.#data = join(folder, 'postgres')
    const own = { folder, ...(account && { account }) }
    this.etcd = new Part({ name: 'etcd', program: facts.programs.etcd, args: etcdArguments(facts, index), ...own })
    const config = join(folder, 'patroni.json')
    this.patroni = new Part({ name: 'patroni', program: facts.programs.patroni, args: [config], ...own })
  }

  /** Writes its settings. Nothing is started. */
  static async prepare(facts: ClusterFacts, index: number): Promise<Machine> {
    const machine = new Machine(facts, index)
    const folder = join(facts.folder, machine.name)
    await mkdir(folder, { mode: 0o700 })
    const files = {
      'patroni.json': JSON.stringify(patroniSettings(facts, index), null, 2),
      'first-start.sql': firstStart(facts.passwords),
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
    const account = accountOf(index)
    if (account) {
      for (const path of [folder, ...Object.keys(files).map((name) => join(folder, name))]) {
        await chown(path, account.uid, account.gid)
      }
    }
    return machine
  }

  up(): void {
    this.etcd.up()
    this.patroni.up()
  }

  /** `null` while PostgreSQL does not run. */
  async postmasterPid(): Promise<number | null> {
    const text = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => '')
    const pid = Number.parseInt(text, 10)
    return Number.isNaN(pid) || !isAlive(pid) ? null : pid
  }

  /** Simulates the loss of the machine: kills all of its processes at once. */
  async lose(): Promise<void> {
    const postmaster = await this.postmasterPid()
    await Promise.all([this.patroni.down('SIGKILL'), this.etcd.down('SIGKILL')])
    for (const pid of postmaster === null ? [] : await withDescendants(postmaster)) kill(pid, 'SIGKILL')
  }

  /** Pauses all of its processes, or resumes them, as a hypervisor does. */
  async freeze(isFrozen: boolean): Promise<void> {
    const postmaster = await this.postmasterPid()
    const pids = [this.patroni.pid, this.etcd.pid, postmaster].filter((pid) => pid !== null)
    const all = (await Promise.all(pids.map(withDescendants))).flat()
    for (const pid of all) kill(pid, isFrozen ? 'SIGSTOP' : 'SIGCONT')
  }

  /** Checked as by HAProxy. */
  async isPrimary(): Promise<boolean> {
    return this.#get('primary').then(
      ({ ok }) => ok,
      () => false,
    )
  }

  /**
   * The names of the standbys that stream from this primary: the one that etcd names as synchronous, and another. Only the synchronous one
   * may be promoted.
   */
  async standbys(): Promise<Readonly<Record<'synchronous' | 'asynchronous', string | undefined>>> {
    const [{ replication = [] }, { members = [] }] = (await Promise.all([
      this.#ask('patroni'),
      this.#ask('cluster'),
    ])) as [
      { readonly replication?: readonly { readonly application_name: string; readonly state: string }[] },
      { readonly members?: readonly { readonly name: string; readonly role: string; readonly timeline?: number }[] },
    ]
    const streaming = replication.flatMap(({ application_name, state }) =>
      state === 'streaming' ? application_name : [],
    )
    const timeline = members.find(({ role }) => role === 'leader')?.timeline
    const ready = members.filter((member) => streaming.includes(member.name) && member.timeline === timeline)
    const named = (which: string) => ready.find(({ role }) => role === which)?.name
    return { synchronous: named('sync_standby'), asynchronous: named('replica') }
  }

  /** Whether its etcd member is the leader. */
  async leadsEtcd(): Promise<boolean> {
    const url = `http://${this.address}:${ETCD_PORT}/v3/maintenance/status`
    const answer = await fetch(url, { method: 'POST', body: '{}', signal: AbortSignal.timeout(1000) })
    const { leader, header } = (await answer.json()) as { leader: string; header: { member_id: string } }
    return leader === header.member_id
  }

  /** The JSON of a Patroni endpoint, or `{}` if it does not answer in time. */
  async #ask(page: string): Promise<unknown> {
    return this.#get(page)
      .then((answer) => answer.json())
      .catch(() => ({}))
  }

  #get(page: string): Promise<Response> {
    return fetch(`http://${this.address}:${PATRONI_PORT}/${page}`, { signal: AbortSignal.timeout(1000) })
  }
}

const nameOf = (index: number) => `pg${index + 1}`

function accountOf(index: number) {
  return process.getuid?.() === 0 ? { uid: UNPRIVILEGED_USER_ID, gid: FIRST_GROUP_ID + index } : null
}

function etcdArguments({ addresses }: ClusterFacts, index: number): string[] {
  const [client, peer] = [ETCD_PORT, ETCD_PEER_PORT].map((port) => `http://${addresses[index]}:${port}`)
  const members = addresses.map((address, at) => `${nameOf(at)}=http://${address}:${ETCD_PEER_PORT}`)
  const options = {
    name: nameOf(index),
    'data-dir': 'etcd',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': members.join(','),
    // A member that was cut off must not start an election when it returns.
    'pre-vote': true,
    'enable-v2': true,
  }
  return Object.entries(options).map(([name, value]) => `--${name}=${value}`)
}

function patroniSettings({ programs, folder, addresses, passwords }: ClusterFacts, index: number) {
  const own = join(folder, nameOf(index))
  const at = (port: number) => `${addresses[index]}:${port}`
  return {
    scope: 'vitrine',
    name: nameOf(index),
    restapi: { listen: at(PATRONI_PORT), connect_address: at(PATRONI_PORT) },
    // Version 2 of etcd's interface: with version 3, Patroni up to 3.0.2 (Debian 12) overwrites the lock of another primary after it has
    // read an old state from a member that was cut off. @see https://github.com/patroni/patroni/pull/2689
    etcd: { hosts: addresses.map((address) => `${address}:${ETCD_PORT}`) },
    bootstrap: {
      dcs: SHARED_SETTINGS,
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
      post_init: `${join(programs.postgres, 'psql')} -v ON_ERROR_STOP=1 -f ${join(own, 'first-start.sql')}`,
    },
    postgresql: {
      listen: at(POSTGRES_PORT),
      connect_address: at(POSTGRES_PORT),
      data_dir: join(own, 'postgres'),
      bin_dir: programs.postgres,
      pgpass: join(own, 'pgpass'),
      use_unix_socket: true,
      // Otherwise a copy waits for the next checkpoint, minutes later.
      basebackup: [{ checkpoint: 'fast' }],
      authentication: {
        superuser: { username: 'postgres', password: passwords.superuser },
        replication: { username: 'replicator', password: passwords.replication },
      },
      parameters: { unix_socket_directories: own },
      pg_hba: [
        'local all all scram-sha-256',
        'host replication replicator 127.0.0.0/8 scram-sha-256',
        'host all all 127.0.0.0/8 scram-sha-256',
      ],
    },
  }
}

const firstStart = ({ vitrine }: Passwords) => `create role vitrine login password '${vitrine}';
create database vitrine owner vitrine;
`

function isAlive(pid: number): boolean {
  return kill(pid, 0)
}

/** `false` if the process has already ended. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
}

/** A process and all its descendants. @see proc_pid_stat(5) */
async function withDescendants(root: number): Promise<number[]> {
  const parents = new Map<number, number>()
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue
    const stat = await readFile(`/proc/${entry}/stat`, 'utf8').catch(() => '')
    const parent = /^\d+ \(.*\) \S (\d+)/s.exec(stat)?.[1]
    if (parent !== undefined) parents.set(Number(entry), Number(parent))
  }
  const found = [root]
  for (const pid of found) for (const [child, parent] of parents) if (parent === pid) found.push(child)
  return found
}
