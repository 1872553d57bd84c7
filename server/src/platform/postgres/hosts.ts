import { Client, type ClientConfig } from 'pg'
import { parsers } from './parsers.ts'

/**
 * A URL of several hosts, which the driver cannot read, as one URL each. One of a single host stays as it is.
 *
 * @see https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
export function urlsOf(url: string): readonly [string, ...string[]] {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^/?@]*,[^/?@]*)([/?].*)?$/.exec(url)
  if (!match) return [url]
  const [, before = '', list = '', after = ''] = match
  return list.split(',').map((host) => `${before}${checkHost(host)}${after}`) as [string, ...string[]]
}

function checkHost(host: string): string {
  if (/^(\[[^\]]+\]|[^:]+)(:\d+)?$/.test(host)) return host
  throw new Error(`not a host of a PostgreSQL URL: "${host}"`)
}

/** What every connection of ours has in common. */
export function connectionOf(url: string): ClientConfig {
  return { connectionString: url, types: parsers, keepAlive: true }
}

/** The parts of the driver's client that its types leave out. */
interface Wire {
  readonly stream: { destroy(error: Error): void }
  on(event: 'parameterStatus', told: (status: { parameterName: string; parameterValue: string }) => void): void
}

/**
 * A client class that goes to the host which answered last, and to the next one after a failure. A writer passes over
 * standbys: PostgreSQL says at the start of a connection whether it is one (`in_hot_standby`), so asking costs nothing.
 */
export function clientOf(urls: readonly string[], isWriter: boolean): typeof Client {
  let turn = 0

  class HostClient extends Client {
    readonly #turn = turn

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: urls[turn % urls.length] })
      if (!isWriter) return
      const { connection } = this as unknown as { readonly connection: Wire }
      connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (parameterName !== 'in_hot_standby' || parameterValue !== 'on') return
        connection.stream.destroy(new Error('this PostgreSQL is a standby'))
      })
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      if (!callback) return super.connect().catch(this.#moveOn) as Promise<this>
      super.connect((error: Error) => {
        if (error) this.#countFailure()
        callback(error)
      })
      return undefined
    }

    readonly #moveOn = (error: unknown): never => {
      this.#countFailure()
      throw error
    }

    /** Many connections may fail at one host: together they move on by one. */
    #countFailure(): void {
      if (turn === this.#turn) turn += 1
    }
  }

  return HostClient as unknown as typeof Client
}
