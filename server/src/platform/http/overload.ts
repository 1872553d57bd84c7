import type { FastifyInstance } from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'

export interface LoadLimits {
  /** Requests that a door works on at once. One more is refused at once, rather than served late. */
  readonly inFlightMax: number
  /** How long a connection may carry no byte while a request or its answer is on the way. Milliseconds. */
  readonly silentMsMax: number
  /** Paths that are always served. */
  readonly exempt?: readonly string[]
}

/**
 * Bounds what a door holds: a queue would only make every answer late, and a client that does not read its answer would hold
 * it for ever. Answers from the response cache are not counted: they wait for nothing.
 */
export function boundLoad(door: FastifyInstance, { inFlightMax, silentMsMax, exempt = [] }: LoadLimits): void {
  let inFlight = 0
  door.server.setTimeout(silentMsMax)
  door.addHook('onRequest', (request, reply, done) => {
    if (exempt.includes(request.routeOptions.url ?? '')) return done()
    if (inFlight >= inFlightMax) return done(new Refusal('unavailable', { reason: 'overloaded' }))
    inFlight += 1
    reply.raw.once('close', () => {
      inFlight -= 1
    })
    done()
  })
}
