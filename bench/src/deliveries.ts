import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { EventKind } from '@vitrine/contract'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { type Database, idSource, openDatabase, systemClock, systemRandomness } from '@vitrine/server'
import { publishEvent } from '../../server/src/platform/outbox/outbox.ts'

/** Ports of receivers, which are allowed targets of the measured process. The dead one does not listen. */
const PORTS = { healthy: 18_090, stalling: 18_091, dead: 18_092 } as const
export const WEBHOOK_TARGETS = Object.values(PORTS)
  .map((port) => `127.0.0.1:${port}`)
  .join(',')

/** Event kinds that only this benchmark publishes, one for each figure, so that no endpoint receives events of another figure. */
const KINDS = { many: 'order.updated', steady: 'cart.revoked', mixed: 'order.fulfilled' } as const

const ids = idSource(systemClock, systemRandomness())

export interface DeliveryFigures {
  /** Deliveries per second while many are waiting. */
  readonly perSecond: number
  /** From the answer to the COMMIT to the first byte at the receiver. Milliseconds. */
  readonly firstAttemptMs: { readonly p50: number; readonly p99: number }
  /** The p99 of a healthy endpoint alone, and together with a dead and a stalling one. Milliseconds. */
  readonly withFailingMs: { readonly alone: number; readonly together: number }
}

interface BenchmarkDeps {
  readonly door: string
  readonly databaseUrl: string
  readonly key: string
  readonly privateKeyFile: string
}

/** Publishes events as handlers do, and receives them as integrators do. */
export async function deliveries(deps: BenchmarkDeps): Promise<DeliveryFigures> {
  const { door, databaseUrl, key, privateKeyFile } = deps
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const { installationId } = await client.call('getInstallationIdentity')
  const database = openDatabase({ url: databaseUrl })
  const receiver = await openReceiver()
  const stalling = await listen(PORTS.stalling, () => {})
  const publish = (kind: EventKind, count: number) => publishMany(database, installationId, kind, count)
  const endpoint = (port: number, kind: EventKind) =>
    client.call('createInstallationWebhook', { body: { url: `http://127.0.0.1:${port}/hooks`, events: [kind] } })

  try {
    const endpoints = 4
    for (let created = 0; created < endpoints; created += 1) await endpoint(PORTS.healthy, KINDS.many)
    const perSecond = await throughput(publish, receiver, endpoints)
    await endpoint(PORTS.healthy, KINDS.steady)
    await latencies(publish, receiver, KINDS.steady, 2)
    const steady = await latencies(publish, receiver, KINDS.steady, 10)
    await endpoint(PORTS.healthy, KINDS.mixed)
    const alone = await latencies(publish, receiver, KINDS.mixed, 10)
    await endpoint(PORTS.dead, KINDS.mixed)
    await endpoint(PORTS.stalling, KINDS.mixed)
    const together = await latencies(publish, receiver, KINDS.mixed, 10)
    return {
      perSecond,
      firstAttemptMs: { p50: quantile(steady, 0.5), p99: quantile(steady, 0.99) },
      withFailingMs: { alone: quantile(alone, 0.99), together: quantile(together, 0.99) },
    }
  } finally {
    for (const server of [receiver.server, stalling]) {
      server.closeAllConnections()
      server.close()
    }
    await database.close()
  }
}

/** A healthy receiver. */
interface Receiver {
  readonly server: Server
  /** When each subject arrived first, by its id. */
  readonly arrivedAt: ReadonlyMap<string, number>
  readonly arrivals: () => number
}

async function openReceiver(): Promise<Receiver> {
  const arrivedAt = new Map<string, number>()
  let arrivals = 0
  const server = await listen(PORTS.healthy, async (body, response) => {
    const at = performance.now()
    response.writeHead(204).end()
    arrivals += 1
    const { data } = JSON.parse(await body) as { data: { orderId?: string; cartId?: string } }
    const subject = data.orderId ?? data.cartId ?? ''
    if (!arrivedAt.has(subject)) arrivedAt.set(subject, at)
  })
  return { server, arrivedAt, arrivals: () => arrivals }
}

/** Publishes events in one transaction and returns the ids of their subjects. */
type Publish = (kind: EventKind, count: number) => Promise<readonly string[]>

async function publishMany(
  database: Database,
  installationId: string,
  kind: EventKind,
  count: number,
): Promise<readonly string[]> {
  const now = systemClock.now()
  const subjects = Array.from({ length: count }, () => ids.next('ord'))
  await database.transaction(async (tx) => {
    for (const subjectId of subjects) {
      const audience = { environment: 'test', installationId, storeId: null, subjectId } as const
      // The data does not matter here.
      publishEvent(tx, { kind, ...audience, data: { orderId: subjectId } } as Parameters<typeof publishEvent>[1], {
        ids,
        now,
      })
    }
  })
  return subjects
}

/** Deliveries per second while many wait. */
async function throughput(publish: Publish, receiver: Receiver, endpoints: number): Promise<number> {
  const events = 2500
  const before = receiver.arrivals()
  for (let from = 0; from < events; from += 250) await publish(KINDS.many, 250)
  // Deliveries during the publishing are not counted.
  const deliveredEarly = receiver.arrivals()
  const startedAt = performance.now()
  const all = before + events * endpoints
  await until(() => receiver.arrivals() >= all)
  return (all - deliveredEarly) / ((performance.now() - startedAt) / 1000)
}

/** Publishes an event every 10 ms, each in its own transaction, and returns the delay of each in milliseconds. */
async function latencies(
  publish: Publish,
  { arrivedAt }: Receiver,
  kind: EventKind,
  seconds: number,
): Promise<readonly number[]> {
  const committedAt = new Map<string, number>()
  const startedAt = performance.now()
  const publishing: Promise<void>[] = []
  for (let sent = 0; sent < seconds * 100; sent += 1) {
    await until(() => performance.now() >= startedAt + sent * 10)
    publishing.push(
      publish(kind, 1).then(([subject = '']) => {
        committedAt.set(subject, performance.now())
      }),
    )
  }
  await Promise.all(publishing)
  await until(() => [...committedAt.keys()].every((subject) => arrivedAt.has(subject)))
  return [...committedAt].map(([subject, at]) => Math.max(0, (arrivedAt.get(subject) ?? 0) - at))
}

async function listen(
  port: number,
  receive: (body: Promise<string>, response: ServerResponse) => void | Promise<void>,
): Promise<Server> {
  const server = createServer((request, response) => {
    const body = (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString()
    })()
    void receive(body, response)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function until(isDone: () => boolean): Promise<void> {
  while (!isDone()) await new Promise((resolve) => setTimeout(resolve, 1))
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
