import fastify, { type FastifyInstance } from 'fastify'
import type { Metrics } from '../platform/observe/metrics.ts'

export interface OperatorDoorParts {
  readonly metrics: Metrics
  /** Whether requests can be answered now: false while draining or without a database. */
  readonly isReady: () => Promise<boolean>
  /** The OpenAPI document of the public door. */
  readonly openapi: () => Promise<unknown>
}

/** The operator's door: whether this process lives and can work, its figures, and the document of the public door. */
export function operatorDoor({ metrics, isReady, openapi }: OperatorDoorParts): FastifyInstance {
  const app = fastify({ logger: false })
  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready' })
  })
  app.get('/metrics', async (_request, reply) =>
    reply.header('content-type', metrics.registry.contentType).send(await metrics.registry.metrics()),
  )
  app.get('/openapi.json', openapi)
  return app
}
