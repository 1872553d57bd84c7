import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** The build output of the console, in the sources and in a release. */
const BUILT = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Everything is served from this origin, except product pictures, which may be hosted anywhere. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: https: http:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

const NOT_BUILT =
  'The console is not built. Start with "npm start", or build it by "npm run build -w @vitrine/console". Everything that it does can be done by the command line as well.'

/** Serves the files of the console, and its page at every other address. */
export function addConsole(app: FastifyInstance): void {
  let reading: Promise<ReadonlyMap<string, Buffer>> | null = null
  const files = () => {
    reading ??= readBuilt()
    return reading
  }
  app.get('/*', async (request, reply) => {
    const path = decodeURIComponent(new URL(request.url, 'http://console').pathname).slice(1)
    const built = await files()
    const file = built.get(path)
    // A file name with a content hash can be cached forever.
    if (file)
      return send(reply, path, file, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (path.startsWith('assets/') || path.startsWith('operator/')) return reply.callNotFound()
    const page = built.get('index.html')
    if (page) return send(reply, 'index.html', page, 'no-cache')
    return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
  })
}

function send(reply: FastifyReply, path: string, bytes: Buffer, cacheControl: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('cache-control', cacheControl)
    .header('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    .send(bytes)
}

/** A few hundred kilobytes, read on the first request. */
async function readBuilt(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(BUILT, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = paths.map(async (path): Promise<[string, Buffer]> => [path.slice(BUILT.length), await readFile(path)])
  return new Map(await Promise.all(read))
}
