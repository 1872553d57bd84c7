import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * A fault at the next COMMIT:
 *
 * - `before`: the connection is cut before PostgreSQL reads the COMMIT; `after`: once PostgreSQL has answered it;
 * - `half`: cut on our side only, within the batch: PostgreSQL waits for a COMMIT that never arrives;
 * - `late`: cut on our side only, and the batch reaches PostgreSQL when `deliver` is called;
 * - `unsent`, `unanswered`: nothing is cut, but the batch or its answer is lost.
 */
export type CommitFault = 'before' | 'after' | 'half' | 'late' | 'unsent' | 'unanswered'

/** A network between the driver and PostgreSQL that fails at a chosen moment. */
export interface ConnectionProxy {
  readonly url: string
  /** Injects a fault. Resolves when it has happened. */
  failNextCommit(fault: CommitFault): Promise<void>
  /** Sends PostgreSQL the batch of a `late` COMMIT, and waits until PostgreSQL has answered or ended. */
  deliver(): Promise<void>
  /** Forwards new connections to another PostgreSQL, and cuts those to the previous one. */
  redirect(url: string): void
  /** Cuts all connections now. */
  cutAll(): void
  /** Cuts all connections now, on our side by a reset. */
  resetAll(): void
  /** Drops all data on the open connections from now on, and keeps them open. */
  silence(): void
  /** Whether new connections are refused. */
  refuse(isRefusing: boolean): void
  /** Refuses a number of connections, as PostgreSQL does while it is starting. Resolves after the last one. */
  startUp(times: { readonly refusing: number }): Promise<void>
  /** Whether all data on new connections is dropped. These connections stay silent when this ends. */
  swallow(isSwallowing: boolean): void
  close(): Promise<void>
}

/** In the protocol, the name of the prepared statement that commits. */
const COMMIT = Buffer.from('\0transaction.commit\0')

/** @see https://www.postgresql.org/docs/current/protocol-message-formats.html, ErrorResponse */
const STARTING = Buffer.from('E\0\0\0\x3bSFATAL\0VFATAL\0C57P03\0Mthe database system is starting\0\0', 'latin1')

/** The parameter PostgreSQL reports at the start of a connection, as a primary and as a standby. */
const TAKES_WRITES = Buffer.from('S\0\0\0\x17in_hot_standby\0off\0', 'latin1')
const IS_STANDBY = Buffer.from('S\0\0\0\x16in_hot_standby\0on\0', 'latin1')

/**
 * Listens on loopback and forwards everything to the PostgreSQL of a URL.
 *
 * @param asStandby whether to make PostgreSQL look like a standby
 */
export async function connectionProxy(url: string, asStandby = false): Promise<ConnectionProxy> {
  let fault: { readonly kind: CommitFault; happened(): void } | null = null
  let isRefusing = false
  let isSwallowing = false
  let startingFor = 0
  let hasStarted = () => {}
  let address = addressOf(url)
  let deliver = async () => {}
  const links = new Set<Link>()
  const server = createServer((client) => {
    if (isRefusing) return void client.destroy()
    if (startingFor > 0) {
      startingFor -= 1
      client.on('error', () => {})
      client.once('data', () => client.end(STARTING))
      if (startingFor === 0) hasStarted()
      return
    }
    const upstream = connect(address)
    const link: Link = { client, upstream, isSilent: isSwallowing }
    links.add(link)
    for (const socket of [client, upstream]) {
      socket.on('error', () => {})
      socket.on('close', () => {
        if (client.closed && upstream.closed) links.delete(link)
      })
    }
    let outlivesClient = false
    client.on('close', () => {
      if (!outlivesClient) upstream.destroy()
    })
    upstream.on('close', () => {
      if (!link.isSilent) client.destroy()
    })
    client.on('data', (chunk) => {
      if (link.isSilent) return
      if (fault === null || !chunk.includes(COMMIT)) return void upstream.write(chunk)
      const { kind, happened } = fault
      fault = null
      outlivesClient = kind === 'half' || kind === 'late'
      link.isSilent = true
      // The bytes before the COMMIT in the same packet have reached PostgreSQL.
      if (kind === 'before' || kind === 'half') upstream.write(chunk.subarray(0, chunk.indexOf(COMMIT) - 5))
      deliver = async () => {
        upstream.write(chunk)
        await answerOf(upstream)
      }
      if (kind !== 'after' && kind !== 'unanswered') {
        if (kind !== 'unsent') client.destroy()
        return happened()
      }
      void deliver().then(() => {
        if (kind === 'after') client.destroy()
        happened()
      })
    })
    upstream.on('data', (chunk) => {
      if (!link.isSilent) client.write(asStandby ? disguise(chunk) : chunk)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const destroyAll = () => {
    for (const { client, upstream } of links) {
      client.destroy()
      upstream.destroy()
    }
  }
  const target = new URL(url)
  target.searchParams.delete('host')
  target.searchParams.delete('port')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    failNextCommit: (kind) =>
      new Promise((resolve) => {
        fault = { kind, happened: resolve }
      }),
    deliver: () => deliver(),
    redirect(to) {
      address = addressOf(to)
      destroyAll()
    },
    cutAll: destroyAll,
    silence() {
      for (const link of links) link.isSilent = true
    },
    resetAll() {
      for (const { client, upstream } of links) {
        client.resetAndDestroy()
        upstream.destroy()
      }
    },
    refuse(refusing) {
      isRefusing = refusing
    },
    startUp({ refusing }) {
      startingFor = refusing
      return new Promise((resolve) => {
        hasStarted = resolve
      })
    },
    swallow(swallowing) {
      isSwallowing = swallowing
    },
    async close() {
      destroyAll()
      server.close()
      await once(server, 'close')
    },
  }
}

/** A forwarded connection: its client and its connection to PostgreSQL. */
interface Link {
  readonly client: Socket
  readonly upstream: Socket
  isSilent: boolean
}

/** Waits for an answer, or for the end of the connection. */
function answerOf(upstream: Socket): Promise<void> {
  return new Promise((resolve) => {
    if (upstream.closed) return resolve()
    upstream.once('data', () => resolve())
    upstream.once('close', () => resolve())
  })
}

function disguise(chunk: Buffer): Buffer {
  const at = chunk.indexOf(TAKES_WRITES)
  if (at < 0) return chunk
  return Buffer.concat([chunk.subarray(0, at), IS_STANDBY, chunk.subarray(at + TAKES_WRITES.length)])
}

function addressOf(url: string) {
  const { hostname, port, searchParams } = new URL(url)
  const folder = searchParams.get('host')
  if (folder?.startsWith('/')) return { path: `${folder}/.s.PGSQL.${searchParams.get('port') ?? 5432}` }
  return { host: hostname, port: Number(port || 5432) }
}
