import fastify, { type FastifyInstance } from 'fastify'
import type { PageRoute, PagesDoorDeps } from './toolkit/index.ts'
import { script } from './toolkit/script.ts'
import { servePages } from './toolkit/serve-page.ts'
import { stylesheet } from './toolkit/stylesheet.ts'

const REQUEST_MS_MAX = 60_000

/**
 * The pages door: hosted pages for shoppers and store staff.
 *
 * @param additions routes that are not pages, such as the webhooks of payment providers
 */
export function pagesDoor(
  deps: PagesDoorDeps,
  routes: readonly PageRoute[],
  additions: readonly ((door: FastifyInstance) => void)[] = [],
): FastifyInstance {
  const app = fastify({
    logger: false,
    genReqId: () => deps.ids.next('req'),
    requestIdHeader: false,
    requestTimeout: REQUEST_MS_MAX,
    return503OnClosing: false,
  })
  app.get(script.path, async (_request, reply) => reply.headers(script.headers).send(script.body))
  app.get(stylesheet.path, async (_request, reply) => reply.headers(stylesheet.headers).send(stylesheet.body))
  for (const add of additions) add(app)
  servePages(app, deps, routes)
  return app
}
