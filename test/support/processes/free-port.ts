import { randomInt } from 'node:crypto'
import { createServer } from 'node:net'

/** Below the range of ephemeral ports, so that the system assigns none of these between the check and the listening. */
const PORT_MIN = 20_000
const PORT_MAX = 32_000
const TRIES_MAX = 100

/** A free port, for a server that needs its own address before it listens. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MAX)
    if (await isFree(port)) return port
  }
  throw new Error(`None of ${TRIES_MAX} ports was free.`)
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  server.once('error', () => resolve(false))
  server.listen(port, '127.0.0.1', () => resolve(true))
  const free = await promise
  if (free) await new Promise((closed) => server.close(closed))
  return free
}
