import { setTimeout as pause } from 'node:timers/promises'
import type { CommitFault } from '../support/network/connection-proxy.ts'
import type { Pick } from './load.ts'
import { type FaultyService, killBackend } from './service.ts'

/** Strikes, and lasts as long as it has to. What it has killed is running again when it ends; the network is whole. */
export type Fault = (service: FaultyService, pick: Pick) => Promise<void>

async function killPostmaster({ postgres }: FaultyService): Promise<void> {
  process.kill(await postgres.postmasterPid(), 'SIGKILL')
}

async function killServer({ victims }: FaultyService, pick: Pick, meanwhile = async () => {}): Promise<void> {
  const node = victims[pick(victims.length)]
  await node?.kill()
  await meanwhile()
  await node?.start()
}

/** How long the network is away. Milliseconds. */
const OUTAGE_MS_MAX = 5000

/** When PostgreSQL learns by its keep-alive that a client is gone that said no goodbye. Milliseconds. */
const KEEP_ALIVE_MS = 30_000

/** At the next COMMIT of any connection, up to three times. */
function atCommit(kind: CommitFault): Fault {
  return async ({ proxy }, pick) => {
    for (let left = 1 + pick(3); left > 0; left -= 1) {
      await proxy.failNextCommit(kind)
      if (kind === 'late') await proxy.deliver()
      if (kind !== 'half') continue
      // Until then the transaction keeps its locks. A kernel would end it; the proxy has to.
      await pause(KEEP_ALIVE_MS)
      return proxy.cutAll()
    }
  }
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
  'PostgreSQL cannot be reached': async ({ proxy }, pick) => {
    proxy.refuse(true)
    proxy.cutAll()
    await pause(pick(OUTAGE_MS_MAX))
    proxy.refuse(false)
  },
  'a COMMIT is cut before PostgreSQL reads it': atCommit('before'),
  'a COMMIT is cut after PostgreSQL has answered it': atCommit('after'),
  'a COMMIT is cut within its batch': atCommit('half'),
  'a COMMIT arrives after its connection is lost': atCommit('late'),
  'a COMMIT vanishes': atCommit('unsent'),
  'the answer to a COMMIT vanishes': atCommit('unanswered'),
  'a backend is killed while a COMMIT is lost': async (service, pick) => {
    await service.proxy.failNextCommit(pick(2) === 0 ? 'before' : 'after')
    service.proxy.cutAll()
    await killBackend(service, pick)
  },
} as const satisfies Readonly<Record<string, Fault>>

export type FaultName = keyof typeof FAULTS
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[]
