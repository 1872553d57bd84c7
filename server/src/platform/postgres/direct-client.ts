import { Client } from 'pg'
import { Unreachable } from './errors.ts'
import { connectionOf, primaryUrlOf } from './hosts.ts'

/** One connection without pool or pipeline, for COPY streams. */
export type DirectClient = Client

/** Opens a connection to the primary. The caller ends it. */
export async function connectDirectly(url: string, applicationName: string): Promise<DirectClient> {
  const client = new Client({ ...connectionOf(await primaryUrlOf(url)), application_name: applicationName })
  // A lost connection fails the pending query and all later ones. Without a listener the event would end the process.
  client.on('error', () => {})
  await client.connect()
  return client
}

const BROKEN_SOCKET = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT']

/** The error of work with a direct client: that of a broken socket, which names no PostgreSQL, as the cause of {@link Unreachable}. */
export function directFailure(error: unknown): unknown {
  return BROKEN_SOCKET.includes((error as NodeJS.ErrnoException).code ?? '') ? new Unreachable(error) : error
}
