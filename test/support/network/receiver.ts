import { createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { atFileEnd } from '../file-end.ts'

/** A delivery with the exact bytes of its body. */
export interface Arrival {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** Handles a delivery. It may answer, late or never. */
export type Receive = (arrival: Arrival, response: ServerResponse) => void | Promise<void>

/** A webhook receiver of an integrator, on loopback. */
export interface Receiver {
  /** `http://127.0.0.1:…`, without a path. */
  readonly url: string
  /** The value for WEBHOOK_ALLOWED_TARGETS. */
  readonly target: string
  readonly arrivals: Arrival[]
  /** Sets the handler of all deliveries. The default answers 204. */
  does(receive: Receive): void
  close(): Promise<void>
}

export const answering =
  (status: number, headers: Record<string, string> = {}): Receive =>
  (_arrival, response) => {
    response.writeHead(status, headers).end()
  }

/** Starts a receiver. It stops with the test file at the latest. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals: Arrival[] = []
  let receive: Receive = answering(204)
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const arrival = { path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) }
    arrivals.push(arrival)
    await receive(arrival, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // So that the server does not keep the process alive if a test file fails to close it.
  server.unref()
  const target = `127.0.0.1:${(server.address() as AddressInfo).port}`
  const close = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  atFileEnd(close)
  return {
    url: `http://${target}`,
    target,
    arrivals,
    does(next) {
      receive = next
    },
    close,
  }
}

/** Whether one of the signatures matches, computed here independently. @see Standard Webhooks 1.0 */
export function isSigned({ headers, body }: Arrival, secret: string): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const head = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`)
  const expected = createHmac('sha256', key)
    .update(Buffer.concat([head, body]))
    .digest()
  return String(headers['webhook-signature'])
    .split(' ')
    .map((signature) => Buffer.from(signature.replace(/^v1,/, ''), 'base64'))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected))
}
