import { Client, type ClientConfig } from 'pg'
import { parsers } from './decode.ts'
import { trackLoss } from './session.ts'

/**
 * Splits a URL with several hosts, which the driver does not support, into one URL per host.
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
  throw new Error(`invalid host in a PostgreSQL URL: "${host}"`)
}

/** A lost idle connection is detected this long after its last use, and not after the two hours of Linux. */
const KEEP_ALIVE_AFTER_MS = 10_000
const CONNECTION_TIMEOUT_MS = 10_000

/** Formats that the driver reads and a backup is written in, whatever a database or role prefers. */
export const FORMATS = '-c DateStyle=ISO,MDY -c IntervalStyle=postgres -c TimeZone=UTC -c extra_float_digits=1'

/** Options of every connection. */
export function connectionOf(url: string): ClientConfig {
  return {
    connectionString: url,
    types: parsers,
    options: FORMATS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  }
}

/** The part of the driver's client that its types omit. */
interface Wire {
  on(event: 'parameterStatus', listener: (status: { parameterName: string; parameterValue: string }) => void): void
}

/**
 * A client class that connects to the host that worked last, and to the next one after a failure. A writer skips standbys, also
 * behind a single host: a proxy that asks Patroni routes to a standby as soon as it has the lock, seconds before it takes writes.
 * PostgreSQL reports `in_hot_standby` at the start of a connection, so the check costs no query.
 */
export function clientOf(urls: readonly string[], isWriter: boolean): typeof Client {
  let turn = 0

  class HostClient extends Client {
    readonly #turn = turn
    #isStandby = false

    constructor(config: ClientConfig) {
      super({ ...config, connectionString: urls[turn % urls.length] })
      // Before the pool listens: PostgreSQL may end a connection in the packet that reports it as ready.
      trackLoss(this)
      const { connection } = this as unknown as { readonly connection: Wire }
      connection.on('parameterStatus', ({ parameterName, parameterValue }) => {
        if (parameterName === 'in_hot_standby') this.#isStandby = parameterValue === 'on'
      })
    }

    override connect(): Promise<this>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<this> | undefined {
      const connecting = this.#connect()
      if (!callback) return connecting
      connecting.then(() => (callback as () => void)(), callback)
      return undefined
    }

    async #connect(): Promise<this> {
      try {
        await super.connect()
        if (!isWriter || !this.#isStandby) return this
        await this.end()
        throw new Error('this PostgreSQL is a standby')
      } catch (error) {
        // Many connections may fail at one host at once: move on by one only.
        if (turn === this.#turn) turn += 1
        throw error
      }
    }
  }

  return HostClient as unknown as typeof Client
}

/** The URL of the first of several hosts that takes writes, for a single connection. */
export async function primaryUrlOf(url: string): Promise<string> {
  const urls = urlsOf(url)
  if (urls.length === 1) return url
  let failure: unknown
  for (const each of urls) {
    const client = new (clientOf([each], true))(connectionOf(each))
    try {
      await client.connect()
      await client.end()
      return each
    } catch (error) {
      failure = error
    }
  }
  throw failure
}
