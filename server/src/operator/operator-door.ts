import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { Refusal, refuse } from '../kernel/refusal.ts'
import { errorResponseOf } from '../platform/http/errors.ts'
import { authenticate, hasToken, refuseForeignHost } from './door/authentication.ts'
import { addConsole } from './door/console-files.ts'
import { addDocs } from './door/docs-files.ts'
import { addMailFrame } from './door/mail-frame.ts'
import { addOperatorApi, type OperatorApiDeps } from './operator-api.ts'

export { operatorsExist } from './door/session-store.ts'
export { IdentityProvider } from './door/sign-in/identity-provider.ts'

const PROBES = ['/livez', '/readyz']

/** Access to the metrics: open to everyone who can reach the door, or only to operators and the token with this hash. */
export type MetricsAccess = 'open' | { readonly tokenHash: Buffer | null }

export interface OperatorDoorDeps extends OperatorApiDeps {
  /** Whether requests can be served now: false while draining or without a database. */
  readonly isReady: () => Promise<boolean>
  readonly metricsAccess: MetricsAccess
  /** The URL of the public door, for its OpenAPI document. */
  readonly publicUrl: string
}

/** Enough for a catalog of 1 GB at 10 Mbit/s. Other bodies are small, and a stalled client is disconnected sooner. */
const REQUEST_MS_MAX = 15 * 60_000

/** The operator door: health, readiness, metrics, both OpenAPI documents, the documentation and the operator API. */
export function operatorDoor(deps: OperatorDoorDeps): FastifyInstance {
  const { metrics, metricsAccess, isReady, publicUrl, operatorUrl, ids } = deps
  const app = fastify({
    logger: false,
    genReqId: () => ids.next('req'),
    requestIdHeader: false,
    requestTimeout: REQUEST_MS_MAX,
    // A path that the framework refuses before any hook: malformed, or with an id that is longer than any.
    frameworkErrors: (_error, request, reply) => {
      const { status, body } = errorResponseOf(new Refusal('not_found'), request.id)
      return (reply as FastifyReply).code(status).header('cache-control', 'no-store').send(body)
    },
  })
  const hasMetricsToken = (request: FastifyRequest) =>
    metricsAccess !== 'open' && hasToken(request, metricsAccess.tokenHash)
  // Prevents DNS rebinding. Probes use an IP address as the host name, and Prometheus that of each node: a foreign page has no token.
  app.addHook('onRequest', async (request) => {
    const { url, headers } = request
    if (PROBES.includes(url) || (url === '/metrics' && hasMetricsToken(request))) return
    refuseForeignHost(headers, { operatorUrl })
  })
  app.get('/livez', async () => ({ status: 'alive' }))
  app.get('/readyz', async (_request, reply) => {
    const ready = await isReady()
    return reply.code(ready ? 200 : 503).send({ status: ready ? 'ready' : 'not_ready' })
  })
  app.get('/metrics', async (request, reply) => {
    if (metricsAccess !== 'open' && !hasMetricsToken(request)) {
      const signed = await authenticate(request, deps)
      if (!signed || signed.operator.integration) refuse('session_required')
    }
    const registry = await metrics.everywhere()
    return reply.header('content-type', registry.contentType).send(await registry.metrics())
  })
  // Built on request: building the documents would be a tenth of the startup time.
  app.get('/openapi.json', async () =>
    (await import('@vitrine/contract/openapi')).openapiDocument({ serverUrl: publicUrl }),
  )
  app.get('/operator/openapi.json', async () =>
    (await import('@vitrine/contract/operator/openapi')).operatorOpenapiDocument({ serverUrl: operatorUrl }),
  )
  addOperatorApi(app, deps)
  addMailFrame(app, deps)
  addDocs(app, deps)
  addConsole(app)
  return app
}
