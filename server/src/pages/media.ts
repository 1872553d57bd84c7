import type { FastifyInstance } from 'fastify'
import { fileAt, type MediaStore } from '../features/media/index.ts'
import { lazily } from '../kernel/async/lazily.ts'

/**
 * The image at a URL never changes, so it is cached permanently. If a browser opens a file as a document, the policy allows it no
 * script, style, connection or origin, whatever its type.
 */
const HEADERS = {
  'cache-control': 'public, max-age=31536000, immutable',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'x-content-type-options': 'nosniff',
} as const

/** Serves uploaded pictures and those of the demo below `/media/`. */
export function media(store: MediaStore): (door: FastifyInstance) => void {
  return (door) => {
    door.get('/media/*', async (request, reply) => {
      const file = fileAt(request.url.slice('/media/'.length))
      const tag = `"${request.url}"`
      const found = file ? await store.open(file.address, file.name) : null
      if (file && found) {
        reply.headers(HEADERS).type(file.type).header('etag', tag)
        if (request.headers['if-none-match'] === tag) {
          found.body.destroy()
          return reply.code(304).send()
        }
        return reply.header('content-length', found.bytes).send(found.body)
      }
      const svg = (await demoPictures()).get(request.url)
      if (svg) return reply.headers(HEADERS).type('image/svg+xml').send(svg)
      return reply.code(404).type('text/plain; charset=utf-8').send('Image not found.\n')
    })
  }
}

/** The pictures of the demo by path, loaded on first use. */
const demoPictures = lazily(async () => {
  const { readPictures } = await import('../../demo/index.ts')
  return new Map<string, Buffer>(readPictures().map(({ path, svg }) => [path, svg]))
})
