import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * What happens at the next COMMIT: the connection is cut before PostgreSQL reads it, after PostgreSQL has answered it, or on
 * our side only, so that PostgreSQL keeps waiting for a COMMIT that never comes.
 */
export type Cut = 'before' | 'after' | 'half'

/** A network between the driver and PostgreSQL that fails at a chosen moment. */
export interface ConnectionProxy {
  readonly url: string
  cutNextCommit(how: Cut): void
  /** Cuts all connections now. */
  cutAll(): void
  close(): Promise<void>
}

/** The binding of the statement that commits: prepared, it is called by its name. */
const COMMIT = Buffer.from('\0transaction.commit\0')

/** The parameter PostgreSQL reports at the start of a connection, as a primary and as a standby. */
const TAKES_WRITES = Buffer.from('S\0\0\0\x17in_hot_standby\0off\0', 'latin1')
const IS_STANDBY = Buffer.from('S\0\0\0\x16in_hot_standby\0on\0', 'latin1')

/**
 * Listens on loopback and forwards everything to the PostgreSQL of a URL.
 *
 * @param asStandby whether it makes PostgreSQL look like a standby
 */
export async function connectionProxy(url: string, asStandby = false): Promise<ConnectionProxy> {
  let cut: Cut | null = null
  const sockets = new Set<Socket>()
  const server = createServer((client) => {
    const upstream = connect(addressOf(url))
    let isCut = false
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => sockets.delete(socket))
    }
    client.on('close', () => {
      if (!isCut) upstream.destroy()
    })
    upstream.on('close', () => client.destroy())
    client.on('data', (chunk) => {
      if (cut === null || !chunk.includes(COMMIT)) {
        upstream.write(chunk)
        return
      }
      const how = cut
      cut = null
      isCut = how === 'half'
      if (how !== 'after') {
        // The bytes before the COMMIT in the same packet have reached PostgreSQL.
        upstream.write(chunk.subarray(0, chunk.indexOf(COMMIT) - 5))
        client.destroy()
        return
      }
      upstream.removeAllListeners('data')
      upstream.write(chunk)
      upstream.once('data', () => client.destroy())
    })
    upstream.on('data', (chunk) => client.write(asStandby ? disguise(chunk) : chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const target = new URL(url)
  target.searchParams.delete('host')
  target.searchParams.delete('port')
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    cutNextCommit(how) {
      cut = how
    },
    cutAll() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
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
