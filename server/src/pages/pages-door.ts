import fastify, { type FastifyInstance } from 'fastify'
import { media } from './media.ts'

/** The pages door: what shoppers' browsers ask for. Pictures today; the hosted pages come with their features. */
export function pagesDoor(): FastifyInstance {
  const app = fastify({ logger: false })
  app.get('/media/*', async (request, reply) => {
    const found = media(request.url)
    if (!found) return reply.code(404).type('text/plain; charset=utf-8').send('There is no such picture.\n')
    return reply.headers(found.headers).send(found.body)
  })
  return app
}
