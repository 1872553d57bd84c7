import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { test } from 'node:test'
import { connectionProxy } from './connection-proxy.ts'

test('a fault at a COMMIT ends if PostgreSQL dies instead of answering', async (t) => {
  const dying = createServer((socket) => socket.once('data', () => socket.destroy()))
  dying.listen(0, '127.0.0.1')
  await once(dying, 'listening')
  t.after(() => dying.close())
  const portOf = (url: string) => Number(new URL(url).port)
  const proxy = await connectionProxy(`postgres://127.0.0.1:${(dying.address() as AddressInfo).port}/any`)
  t.after(() => proxy.close())

  const failed = proxy.failNextCommit('unanswered')
  const client = connect(portOf(proxy.url), '127.0.0.1')
  t.after(() => client.destroy())
  client.write('B\0\0\0\x1c\0transaction.commit\0')
  await failed
})
