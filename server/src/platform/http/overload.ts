import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'

export interface LoadLimits {
  /** The maximum number of requests in flight. Another one is refused at once, rather than served late. */
  readonly inFlightMax: number
  /**
   * How long the last request waited for a shared resource, such as a connection to PostgreSQL; 0 while none waits. Milliseconds.
   * Without it, the door is never overloaded: a person would rather wait a second for a page than be refused.
   */
  readonly waitedMs?: () => number
  /** A monotonic clock. Milliseconds. */
  readonly nowMs?: () => number
  /** The maximum time without a byte on a connection during a request or its response. Milliseconds. */
  readonly silentMsMax: number
  /** Paths that are always served. */
  readonly exempt?: readonly string[]
}

/** If requests wait longer than this, another one only delays all of them. */
const WAIT_MS_MAX = 250
/** Long waits are a burst until they have lasted this long, and an overload after that. */
const BURST_MS = 500
/** The share of `inFlightMax` that an overloaded door accepts: more than it takes to keep processor and database busy. */
const KEPT_SHARE = 1 / 4
const IDLE_CLOSED_EVERY_MS = 50

/**
 * Limits the requests in flight of a door. A queue would only delay every response, and a client that does not read its response
 * would never leave it. Responses from the response cache are not counted: they wait for nothing.
 */
export function boundLoad(
  door: FastifyInstance,
  { inFlightMax, waitedMs = () => 0, nowMs = () => performance.now(), silentMsMax, exempt = [] }: LoadLimits,
): void {
  let inFlight = 0
  let slowSince: number | null = null
  let pressedAt = 0
  let isOverloaded = false
  const kept = inFlightMax * KEPT_SHARE
  const isFull = () => {
    if (isOverloaded) {
      if (inFlight >= kept / 2) pressedAt = nowMs()
      else if (nowMs() - pressedAt >= BURST_MS) isOverloaded = false
    }
    if (!isOverloaded) {
      slowSince = inFlight >= kept && waitedMs() > WAIT_MS_MAX ? (slowSince ?? nowMs()) : null
      isOverloaded = slowSince !== null && nowMs() - slowSince >= BURST_MS
      pressedAt = nowMs()
    }
    return inFlight >= (isOverloaded ? kept : inFlightMax)
  }
  door.server.setTimeout(silentMsMax)
  closeIdleConnections(door)
  door.addHook('onRequest', (request, reply, done) => {
    if (exempt.includes(request.routeOptions.url ?? '')) return done()
    if (isFull()) return done(new Refusal('unavailable', { reason: 'overloaded' }))
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    done()
  })
}

/**
 * Closes connections that become idle after the door has begun to close, because a request was still in progress. The door would
 * otherwise wait until their keep-alive ends.
 */
function closeIdleConnections(door: FastifyInstance): void {
  const { server } = door
  door.addHook('preClose', (done) => {
    if (server.listening) {
      const timer = setInterval(() => server.closeIdleConnections(), IDLE_CLOSED_EVERY_MS)
      server.once('close', () => clearInterval(timer))
    }
    done()
  })
}
