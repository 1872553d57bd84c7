import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'

export interface LoadLimits {
  /** Requests that a door works on at once. One more is refused at once, rather than served late. */
  readonly inFlightMax: number
  /**
   * How long the last request waited for what all share, such as connections to PostgreSQL; 0 while none waits. Milliseconds. Without it,
   * requests wait as long as they have to: a person at a page waits a second rather than to be sent away.
   */
  readonly waitedMs?: () => number
  /** A monotonic clock. Milliseconds. */
  readonly nowMs?: () => number
  /** How long a connection may carry no byte while a request or its answer is on the way. Milliseconds. */
  readonly silentMsMax: number
  /** Paths that are always served. */
  readonly exempt?: readonly string[]
}

/** Where requests wait for longer, one more only makes all of them later. */
const WAIT_MS_MAX = 250
/** A burst is no overload: it is over after that. */
const BURST_MS = 500
/** Of the requests in flight, those that an overloaded door still works on: more than keep processor and database busy. */
const KEPT_SHARE = 1 / 4
const IDLE_CLOSED_EVERY_MS = 50

/**
 * Bounds what a door holds: a queue would only make every answer late, and a client that does not read its answer would hold
 * it for ever. Answers from the response cache are not counted: they wait for nothing.
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
  closeWhatBecomesIdle(door)
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
 * A connection whose request was on the way when the door began to close becomes idle later: it would wait for its next request, and the
 * door for its end.
 */
function closeWhatBecomesIdle(door: FastifyInstance): void {
  const { server } = door
  door.addHook('preClose', (done) => {
    if (server.listening) {
      const timer = setInterval(() => server.closeIdleConnections(), IDLE_CLOSED_EVERY_MS)
      server.once('close', () => clearInterval(timer))
    }
    done()
  })
}
