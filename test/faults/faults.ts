import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'
import type { CommitFault } from '../support/network/connection-proxy.ts'
import { waitForStandbys } from './cluster.ts'
import type { Pick } from './load.ts'
import type { Packets, ShownClock } from './means.ts'
import { type FaultyService, killBackend, MEANS, type Means } from './service.ts'
import { until } from './until.ts'

type Strike = (service: FaultyService, pick: Pick) => Promise<void>

/** Injects a fault. When it ends, killed processes are running again and the network works. */
export interface Fault extends Strike {
  /** A requirement that not every machine meets. */
  readonly needs?: keyof Means
}

/** A fault that is skipped if its requirement is not met. */
function needing<Name extends keyof Means>(
  needs: Name,
  strike: (means: NonNullable<Means[Name]>, service: FaultyService, pick: Pick) => Promise<void>,
): Fault {
  const withMeans: Strike = (service, pick) => strike(service.means[needs] ?? assert.fail(MEANS[needs]), service, pick)
  return Object.assign(withMeans, { needs })
}

async function killPostmaster({ postgres }: FaultyService): Promise<void> {
  process.kill(await postgres.postmasterPid(), 'SIGKILL')
}

/** The delay after which a supervisor restarts a process. */
const SUPERVISOR_MS = 1500

async function killServer({ victims }: FaultyService, pick: Pick, meanwhile = async () => {}): Promise<void> {
  const node = victims[pick(victims.length)]
  await node?.kill()
  await meanwhile()
  await pause(SUPERVISOR_MS)
  await node?.start()
}

/** The longest usual outage. */
const OUTAGE_MS_MAX = 5000

const RESTART_MS_MAX = 60_000

/** The time after which PostgreSQL's keep-alive detects a client that vanished. */
const KEEP_ALIVE_MS = 30_000

/** Longer than the keep-alive, than a write waits for its answer, and than the lease of a delivery. */
const LONG_OUTAGE_MS = 40_000

async function refuse({ proxy }: FaultyService, lastsMs: number): Promise<void> {
  proxy.refuse(true)
  proxy.cutAll()
  await pause(lastsMs)
  proxy.refuse(false)
}

/** A fault at the next COMMIT of any connection, up to three times. */
function atCommit(kind: CommitFault): Fault {
  return async ({ proxy }, pick) => {
    for (let left = 1 + pick(3); left > 0; left -= 1) {
      await proxy.failNextCommit(kind)
      if (kind === 'late') await proxy.deliver()
      if (kind !== 'half') continue
      // Until then the transaction keeps its locks. In reality the keep-alive would end it; here the proxy has to.
      await pause(KEEP_ALIVE_MS)
      return proxy.cutAll()
    }
  }
}

/** Makes every COMMIT wait for a standby that does not exist. */
async function loseStandby({ postgres }: FaultyService, lastsMs: number): Promise<void> {
  await waitForStandbys(postgres.url(), 'absent')
  await pause(lastsMs)
  await waitForStandbys(postgres.url(), postgres.standbys)
}

/** Promotes the standby at any moment, or while a lost COMMIT is being looked up. */
const promoteStandby = (isBehind: boolean) =>
  needing('standby', async (pair, service, pick) => {
    await pair.inSync()
    if (isBehind) {
      await pair.pauseReplay()
      await pause(pick(OUTAGE_MS_MAX))
    }
    if (pick(2) === 0) await service.proxy.failNextCommit(pick(2) === 0 ? 'before' : 'after')
    await pair.promote()
    service.followPrimary()
    await pair.rebuild()
  })

const HOUR_S = 3600
/** The interval at which workers read the clock. */
const JOBS_POLL_MS = 1000

/** Moves the clock of one server away from the other server and PostgreSQL. */
async function shiftClock(clock: ShownClock, seconds: number, pick: Pick): Promise<void> {
  await clock.shift(seconds)
  await pause(JOBS_POLL_MS * 2 + pick(OUTAGE_MS_MAX))
  await clock.shift(0)
}

async function dropPackets(packets: Packets, lastsMs: number): Promise<void> {
  await packets.drop()
  await pause(lastsMs)
  await packets.pass()
}

/** Every way to fail, by name. A seed chooses among them. */
export const FAULTS = {
  'a server is killed': (service, pick) => killServer(service, pick),
  'a backend is killed': (service, pick) => killBackend(service, pick),
  'the postmaster is killed': (service) => killPostmaster(service),
  'a server and the postmaster are killed': (service, pick) => killServer(service, pick, () => killPostmaster(service)),
  'all connections are cut': async ({ proxy }) => proxy.cutAll(),
  'all connections are reset': async ({ proxy }) => proxy.resetAll(),
  'all connections fall silent': async ({ proxy }) => proxy.silence(),
  'a black hole': async ({ proxy }, pick) => {
    proxy.swallow(true)
    proxy.silence()
    await pause(pick(OUTAGE_MS_MAX))
    proxy.swallow(false)
  },
  'PostgreSQL cannot be reached': (service, pick) => refuse(service, pick(OUTAGE_MS_MAX)),
  'PostgreSQL cannot be reached for long': async (service) => {
    // Long enough that a running delivery outlasts its lease.
    const { arrivals } = service.receiver
    const known = arrivals.length
    await until('a delivery is running', RESTART_MS_MAX, async () => arrivals.length > known)
    await refuse(service, LONG_OUTAGE_MS)
  },
  'a COMMIT is cut before PostgreSQL reads it': atCommit('before'),
  'a COMMIT is cut after PostgreSQL has answered it': atCommit('after'),
  'a COMMIT is cut within its batch': atCommit('half'),
  'a COMMIT arrives after its connection is lost': atCommit('late'),
  'a COMMIT vanishes': atCommit('unsent'),
  'the answer to a COMMIT vanishes': atCommit('unanswered'),
  'a backend is killed while a COMMIT is lost': async (service, pick) => {
    const { proxy } = service
    await proxy.failNextCommit(pick(2) === 0 ? 'before' : 'after')
    // Refuse connections until PostgreSQL has recovered, so that the lookup runs when ids of transactions are reused.
    proxy.refuse(true)
    proxy.cutAll()
    await killBackend(service, pick)
    await pause(pick(OUTAGE_MS_MAX))
    proxy.refuse(false)
  },
  'the standby is lost': (service, pick) => loseStandby(service, pick(OUTAGE_MS_MAX)),
  'the standby is lost for long': (service) => loseStandby(service, LONG_OUTAGE_MS),
  'the standby is lost, and the postmaster is killed': async (service, pick) => {
    await waitForStandbys(service.postgres.url(), 'absent')
    await pause(pick(OUTAGE_MS_MAX))
    await killPostmaster(service)
    await pause(pick(OUTAGE_MS_MAX))
    await until('PostgreSQL answers', RESTART_MS_MAX, async () => {
      await waitForStandbys(service.postgres.url(), service.postgres.standbys)
      return true
    })
  },
  'the standby is killed': needing('standby', async (pair) => void process.kill(pair.standby.pid(), 'SIGKILL')),
  'a standby is promoted': promoteStandby(false),
  'a standby that was behind is promoted': promoteStandby(true),
  'the disk is full': needing('disk', async (disk, _service, pick) => {
    await disk.fill()
    await pause(pick(OUTAGE_MS_MAX))
    await disk.free()
  }),
  'the disk is full, and the postmaster is killed': needing('disk', async (disk, service) => {
    await disk.fill()
    await killPostmaster(service)
    await pause(OUTAGE_MS_MAX)
    await disk.free()
  }),
  'a clock is an hour fast': needing('clock', (clock, _service, pick) => shiftClock(clock, HOUR_S, pick)),
  'a clock is an hour slow': needing('clock', (clock, _service, pick) => shiftClock(clock, -HOUR_S, pick)),
  'packets are dropped': needing('packets', (packets, _service, pick) => dropPackets(packets, pick(OUTAGE_MS_MAX))),
  'packets are dropped for long': needing('packets', (packets) => dropPackets(packets, LONG_OUTAGE_MS)),
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]
