import { Client, type ClientConfig } from 'pg'
import { parsers } from './parsers.ts'

/** One address of a cluster. A host that begins with `/` is the directory of a unix socket. */
export interface Host {
  readonly host: string
  readonly port: number
}

const PORT_DEFAULT = 5432

/**
 * Splits a URL of several hosts, which the driver cannot read, into a URL of one and the list.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function readHosts(url: string): { readonly url: string; readonly hosts: readonly Host[] } {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?@]*,[^/?@]*)(.*)$/.exec(url)
  if (!match) return { url, hosts: [] }
  const [, before, list, after] = match as unknown as [string, string, string, string]
  const hosts = list.split(',').map(readHost)
  return { url: `${before}${list.split(',')[0]}${after}`, hosts }
}

function readHost(text: string): Host {
  const match = /^(\[[^\]]+\]|[^:]*)(?::(\d+))?$/.exec(text)
  if (!match?.[1]) throw new Error(`not a host of a PostgreSQL URL: "${text}"`)
  return { host: decodeURIComponent(match[1]).replace(/^\[(.+)\]$/, '$1'), port: Number(match[2] ?? PORT_DEFAULT) }
}

/** The parts of the driver's client that its types leave out. */
interface ParameterStatus {
  readonly parameterName: string
  readonly parameterValue: string
}

/**
 * A client class that goes to the host which answered last, and to the next one after a failure. A writer passes over
 * standbys: PostgreSQL says at the start of a connection whether it is one (`in_hot_standby`), so asking costs nothing.
 */
export function clientOf(hosts: readonly Host[], isWriter: boolean): typeof Client {
  let turn = 0
  return class HostClient extends Client {
    readonly #turn: number
    constructor(config: ClientConfig) {
      const host = hosts[turn % hosts.length]
      super({ ...config, ...host })
      this.#turn = turn
      if (!isWriter) return
      const { connection } = this as unknown as {
        connection: NodeJS.EventEmitter & { stream: { destroy(error: Error): void } }
      }
      connection.on('parameterStatus', (status: ParameterStatus) => {
        if (status.parameterName !== 'in_hot_standby' || status.parameterValue !== 'on') return
        connection.stream.destroy(new Error('this PostgreSQL is a standby'))
      })
    }
    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const moveOn = (error: unknown) => {
        if (error && turn === this.#turn) turn += 1
      }
      if (callback) {
        super.connect((error: Error) => {
          moveOn(error)
          callback(error)
        })
        return undefined
      }
      return super.connect().catch((error: unknown) => {
        moveOn(error)
        throw error
      }) as Promise<this>
    }
  } as unknown as typeof Client
}

/** What every connection of ours has in common. */
export function connectionOf(url: string): ClientConfig {
  return { connectionString: url, types: parsers, keepAlive: true }
}
