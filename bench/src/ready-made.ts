// The limit of a read: fastify sending a prepared buffer, in its own process like the server.
import fastify from 'fastify'

const bytes = Buffer.alloc(Number(process.argv[2]), 'x')
const app = fastify({ logger: false })
app.get('/ready-made', (_request, reply) => {
  reply.header('content-type', 'application/json; charset=utf-8').send(bytes)
})
const address = await app.listen({ host: '127.0.0.1', port: 0 })
process.stdout.write(`${address}\n`)
process.on('SIGTERM', () => void app.close())
