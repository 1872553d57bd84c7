import type { FastifyInstance } from 'fastify'
import { fileAt, type MediaStore } from '../features/media/index.ts'
import { lazily } from '../kernel/async/lazily.ts'
import { limitConcurrency } from '../kernel/async/limit-concurrency.ts'

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

/**
 * Serves uploaded pictures and those of the demo below `/media/`.
 *
 * @param inFlightMax the requests that the door works on at once. Pictures that wait for the store take at most half of them, so that
 *   a store that has fallen silent does not close the checkout, too
 */
export function media(store: MediaStore, inFlightMax: number): (door: FastifyInstance) => void {
  const limited = limitConcurrency(Math.ceil(inFlightMax / 2), 0)
  return (door) => {
    door.get('/media/*', async (request, reply) => {
      const file = fileAt(request.url.slice('/media/'.length))
      const tag = `"${request.url}"`
      const found = file ? await limited(() => store.open(file.address, file.name)) : null
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
