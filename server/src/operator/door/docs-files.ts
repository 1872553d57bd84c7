import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { builtFiles, FILE_HEADERS, sendFile } from './built-files.ts'

/** The build output of the documentation, in the sources and in a release. */
const BUILT = fileURLToPath(new URL('../../../../site/dist/', import.meta.url))

const NOT_BUILT = 'The documentation is not built. Start with "npm start", or build it with "npm run docs".'

interface DocsDeps {
  /** The public door, which the pages can send requests to. */
  readonly publicUrl: string
}

/**
 * Serves the documentation at `/docs`, to everyone who can reach the door. Its scripts may call the public door, which decides by
 * origin what they may read.
 *
 * @see docs/decisions/0088
 */
export function addDocs(app: FastifyInstance, { publicUrl }: DocsDeps): void {
  const files = builtFiles(BUILT)
  const headers = { ...FILE_HEADERS, 'content-security-policy': policyOf(publicUrl) }
  app.get('/docs', async (_request, reply) => reply.redirect('/docs/', 308))
  app.get('/docs/service.json', async (_request, reply) => reply.headers(headers).send({ publicUrl }))
  app.get<{ Params: { '*': string } }>('/docs/*', async (request, reply) => {
    const asked = request.params['*']
    const path = asked === '' || asked.endsWith('/') ? `${asked}index.html` : asked
    const built = await files()
    const file = built.get(path)
    if (file) return sendFile(request, reply.headers(headers), path, file)
    const missing = built.get('404.html')
    if (missing) return sendFile(request, reply.code(404).headers(headers), '404.html', missing)
    return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
  })
}

function policyOf(publicUrl: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    `connect-src 'self' ${new URL(publicUrl).origin}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
