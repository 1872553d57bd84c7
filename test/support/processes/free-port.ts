import { randomInt } from 'node:crypto'
import { createServer, type Server } from 'node:net'

/** Below the range of ephemeral ports, so that the system does not assign a port between the check and its use. */
const PORT_MIN = 20_000
const COUNT = 6_000
const TRIES_MAX = 100

/**
 * A free port, for a server that needs its own address before it listens. Test files that run at the same time get different ports: to
 * claim a port, this process listens on the port {@link COUNT} above it until it ends.
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = randomInt(PORT_MIN, PORT_MIN + COUNT)
    const claim = await listening(port + COUNT)
    if (!claim) continue
    claim.unref()
    const server = await listening(port)
    if (!server) continue
    await new Promise((closed) => server.close(closed))
    return port
  }
  throw new Error(`None of ${TRIES_MAX} ports was free.`)
}

async function listening(port: number): Promise<Server | null> {
  const server = createServer()
  const { promise, resolve } = Promise.withResolvers<Server | null>()
  server.once('error', () => resolve(null))
  server.listen(port, '127.0.0.1', () => resolve(server))
  return promise
}
