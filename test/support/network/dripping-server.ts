import { type AddressInfo, createServer, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

const DRIP_MS = 10

/** The head of an HTTP response whose body never ends. */
export const ENDLESS_ANSWER = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 100000000\r\n\r\n'

/**
 * A server on loopback that never falls silent and never finishes: after the first bytes that it receives it sends `head`, then `drop`
 * again and again. `greeting` is sent at once.
 */
export async function drippingServer(head: string, { drop = ' ', greeting = '' } = {}) {
  const sockets = new Set<Socket>()
  const server = createServer(async (socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).once('close', () => sockets.delete(socket))
    socket.write(greeting)
    await new Promise((resolve) => socket.once('data', resolve).once('close', resolve))
    socket.resume().write(head)
    while (!socket.destroyed && socket.writable) {
      socket.write(drop)
      await pause(DRIP_MS)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Waits until clients have closed all their connections. */
    async allClosed(): Promise<void> {
      await Promise.all([...sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve))))
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
