// The limit of a read: fastify sending a prepared buffer, or 304, in a separate process like the server. `/same-headers` does the same
// with the headers of the response that it is compared with, which are given as JSON.
import fastify from 'fastify'

const [, , size, encoding = 'identity', headers = '{}'] = process.argv
const bytes = Buffer.alloc(Number(size), 'x')
const app = fastify({ logger: false })
app.get('/ready-made', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8')
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  reply.send(bytes)
})
const sameHeaders = JSON.parse(headers)
app.get('/same-headers', (request, reply) => {
  reply.headers(sameHeaders)
  if (request.headers['if-none-match'] === undefined) reply.send(bytes)
  else reply.code(304).send()
})
app.get('/unchanged', (_request, reply) => {
  reply.code(304).header('etag', '"ready-made"').send()
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => void app.close())
