import { Client } from 'pg'
import { connectionOf, urlsOf } from './hosts.ts'

/** One connection without pool or pipeline, for COPY streams. */
export type DirectClient = Client

/** Opens a connection to the first of the hosts. The caller ends it. */
export async function connectDirectly(url: string, applicationName: string): Promise<DirectClient> {
  const client = new Client({ ...connectionOf(urlsOf(url)[0]), application_name: applicationName })
  await client.connect()
  return client
}
