import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Where the console is built to, in the sources and in a release alike. */
const BUILT = fileURLToPath(new URL('../../../../console/dist/', import.meta.url))

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Everything comes from here; pictures of products come from wherever the merchant keeps them. */
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

/** Serves the console: its files, and its one page at every address that is none of theirs. */
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
    // A name that changes with its content may be kept for ever.
    if (file)
      return send(reply, path, file, path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    if (path.startsWith('assets/') || path.startsWith('operator/')) return reply.callNotFound()
    const page = built.get('index.html')
    if (page) return send(reply, 'index.html', page, 'no-cache')
    return reply.code(503).header('content-type', 'text/plain; charset=utf-8').send(NOT_BUILT)
  })
}

function send(reply: FastifyReply, path: string, bytes: Buffer, kept: string): FastifyReply {
  return reply
    .headers(HEADERS)
    .header('cache-control', kept)
    .header('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    .send(bytes)
}

/** A few hundred kilobytes, read when the first browser comes. */
async function readBuilt(): Promise<ReadonlyMap<string, Buffer>> {
  const names = await readdir(BUILT, { recursive: true, withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  const paths = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = paths.map(async (path): Promise<[string, Buffer]> => [path.slice(BUILT.length), await readFile(path)])
  return new Map(await Promise.all(read))
}
