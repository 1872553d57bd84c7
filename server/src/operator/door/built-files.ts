import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { lazily } from '../../kernel/async/lazily.ts'
import { acceptsGzip, compress } from './compression.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
}

/** The headers of every file, in addition to a content security policy. */
export const FILE_HEADERS = {
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
}

type BuiltFiles = ReadonlyMap<string, Buffer>

/** The files of a build by path: a few megabytes, read on the first request. Empty if it was not built. */
export function builtFiles(folder: string): () => Promise<BuiltFiles> {
  return lazily(() => readAll(folder))
}

async function readAll(folder: string): Promise<BuiltFiles> {
  const names = await readdir(folder, { recursive: true, withFileTypes: true }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw error
    },
  )
  const paths = names.filter((each) => each.isFile()).map(({ parentPath, name }) => join(parentPath, name))
  const read = paths.map(async (path): Promise<[string, Buffer]> => [path.slice(folder.length), await readFile(path)])
  return new Map(await Promise.all(read))
}

const compressed = new WeakMap<Buffer, () => Promise<Buffer>>()

/** Sends a file, compressed if the client accepts it. */
export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  path: string,
  bytes: Buffer,
): Promise<FastifyReply> {
  reply
    // A file name with a content hash can be cached forever.
    .header('cache-control', path.startsWith('assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
    .header('content-type', TYPES[extname(path)] ?? 'application/octet-stream')
    .header('vary', 'Accept-Encoding')
  if (!acceptsGzip(request)) return reply.send(bytes)
  const smaller = compressed.get(bytes) ?? lazily(() => compress(bytes))
  compressed.set(bytes, smaller)
  return reply.header('content-encoding', 'gzip').send(await smaller())
}
