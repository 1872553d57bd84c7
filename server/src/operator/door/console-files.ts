import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { builtFiles, FILE_HEADERS, sendFile } from './built-files.ts'

/** The build output of the console, in the sources and in a release. */
const BUILT = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

/**
 * Everything is served from this origin, except product pictures, which may be hosted anywhere. A form posts the HTML of an email into
 * a frame, which has a policy of its own: see `mail-frame.ts`.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')

/** With `no-referrer`, a form would post the origin `null`, which the operator door refuses. */
const HEADERS = { ...FILE_HEADERS, 'referrer-policy': 'same-origin', 'content-security-policy': POLICY }

const NOT_BUILT =
  'The console is not built. Start with "npm start", or build it with "npm run build -w @vitrine/console". The command line can do everything that the console does.'

/** Serves the files of the console, and its page at every other path. */
export function addConsole(app: FastifyInstance): void {
  const files = builtFiles(BUILT)
  app.get<{ Params: { '*': string } }>('/*', async (request, reply) => {
    const path = request.params['*']
    const built = await files()
    const file = built.get(path)
    if (file) return sendFile(request, reply.headers(HEADERS), path, file)
    if (path.startsWith('assets/') || path.startsWith('operator/')) return reply.callNotFound()
    const page = built.get('index.html')
    if (page) return sendFile(request, reply.headers(HEADERS), 'index.html', page)
    return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
  })
}
