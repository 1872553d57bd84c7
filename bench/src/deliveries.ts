import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { EventKind } from '@vitrine/contract'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { idSource, openDatabase, systemClock, systemRandomness } from '@vitrine/server'
import { publishEvent } from '../../server/src/platform/outbox/outbox.ts'

/** Ports of receivers, which the process under load allows. The dead one does not listen. */
const PORTS = { healthy: 18_090, stalling: 18_091, dead: 18_092 } as const
export const WEBHOOK_TARGETS = Object.values(PORTS)
  .map((port) => `127.0.0.1:${port}`)
  .join(',')

/** Kinds whose events are made here alone, one for each figure, so that no endpoint hears of another's. */
const KINDS = { many: 'order.updated', steady: 'cart.revoked', mixed: 'order.fulfilled' } as const

const ids = idSource(systemClock, systemRandomness())

export interface DeliveryFigures {
  /** Deliveries in a second, many waiting. */
  readonly perSecond: number
  /** From the answer to the COMMIT to the first byte at the receiver. Milliseconds. */
  readonly firstAttemptMs: { readonly p50: number; readonly p99: number }
  /** The p99 of a healthy endpoint alone, and together with a dead and a stalling one. Milliseconds. */
  readonly withFailingMs: { readonly alone: number; readonly together: number }
}

interface Parts {
  readonly door: string
  readonly databaseUrl: string
  readonly key: string
  readonly privateKeyFile: string
}

/** Announces events as handlers do, and receives them as integrators do. */
export async function deliveries({ door, databaseUrl, key, privateKeyFile }: Parts): Promise<DeliveryFigures> {
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const { installationId } = await client.call('getInstallationIdentity')
  const database = openDatabase({ url: databaseUrl })
  /** When each subject arrived, by its id. */
  const arrivedAt = new Map<string, number>()
  let arrivals = 0
  const healthy = await listen(PORTS.healthy, async (body, response) => {
    const at = performance.now()
    response.writeHead(204).end()
    arrivals += 1
    const { data } = JSON.parse(await body) as { data: { orderId?: string; cartId?: string } }
    const subject = data.orderId ?? data.cartId ?? ''
    if (!arrivedAt.has(subject)) arrivedAt.set(subject, at)
  })
  const stalling = await listen(PORTS.stalling, () => {})

  const endpoint = (port: number, kind: EventKind) =>
    client.call('createInstallationWebhook', { body: { url: `http://127.0.0.1:${port}/hooks`, events: [kind] } })

  async function tell(kind: EventKind, count: number): Promise<readonly string[]> {
    const now = systemClock.now()
    const subjects = Array.from({ length: count }, () => ids.next('ord'))
    await database.transaction(async (tx) => {
      for (const subjectId of subjects) {
        const whose = { environment: 'test', installationId, storeId: null, subjectId } as const
        // What it tells is of no interest here.
        publishEvent(tx, { kind, ...whose, data: { orderId: subjectId } } as Parameters<typeof publishEvent>[1], {
          ids,
          now,
        })
      }
    })
    return subjects
  }

  async function throughput(): Promise<number> {
    const endpoints = 4
    const events = 2500
    for (let made = 0; made < endpoints; made += 1) await endpoint(PORTS.healthy, KINDS.many)
    const before = arrivals
    for (let from = 0; from < events; from += 250) await tell(KINDS.many, 250)
    // What was delivered while the events were still being written is not counted.
    const begun = arrivals
    const startedAt = performance.now()
    const all = before + events * endpoints
    await until(() => arrivals >= all)
    return (all - begun) / ((performance.now() - startedAt) / 1000)
  }

  /** One event each hundredth of a second, each in a transaction of its own; how long each was on its way. */
  async function latencies(kind: EventKind, seconds: number): Promise<readonly number[]> {
    const committedAt = new Map<string, number>()
    const startedAt = performance.now()
    const telling: Promise<void>[] = []
    for (let sent = 0; sent < seconds * 100; sent += 1) {
      await until(() => performance.now() >= startedAt + sent * 10)
      telling.push(
        tell(kind, 1).then(([subject = '']) => {
          committedAt.set(subject, performance.now())
        }),
      )
    }
    await Promise.all(telling)
    await until(() => [...committedAt.keys()].every((subject) => arrivedAt.has(subject)))
    return [...committedAt].map(([subject, at]) => Math.max(0, (arrivedAt.get(subject) ?? 0) - at))
  }

  try {
    const perSecond = await throughput()
    await endpoint(PORTS.healthy, KINDS.steady)
    await latencies(KINDS.steady, 2)
    const steady = await latencies(KINDS.steady, 10)
    await endpoint(PORTS.healthy, KINDS.mixed)
    const alone = await latencies(KINDS.mixed, 10)
    await endpoint(PORTS.dead, KINDS.mixed)
    await endpoint(PORTS.stalling, KINDS.mixed)
    const together = await latencies(KINDS.mixed, 10)
    return {
      perSecond,
      firstAttemptMs: { p50: quantile(steady, 0.5), p99: quantile(steady, 0.99) },
      withFailingMs: { alone: quantile(alone, 0.99), together: quantile(together, 0.99) },
    }
  } finally {
    for (const server of [healthy, stalling]) {
      server.closeAllConnections()
      server.close()
    }
    await database.close()
  }
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

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 1))
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}
