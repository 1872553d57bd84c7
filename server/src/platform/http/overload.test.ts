import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { describe, type TestContext, test } from 'node:test'
import fastify from 'fastify'
import { Refusal } from '../../kernel/refusal.ts'
import { boundLoad, type LoadLimits } from './overload.ts'

async function doorWith(t: TestContext, limits: Partial<LoadLimits>) {
  const door = fastify()
  boundLoad(door, { inFlightMax: 2, silentMsMax: 60_000, ...limits })
  door.setErrorHandler((error, _request, reply) => reply.code(error instanceof Refusal ? 503 : 500).send())
  const held: (() => void)[] = []
  door.get('/held', () => new Promise((answer) => held.push(() => answer('done'))))
  door.get('/health', async () => 'well')
  door.get('/large', async () => Buffer.alloc(64 * 2 ** 20))
  await door.listen({ host: '127.0.0.1', port: 0 })
  t.after(() => door.close())
  const { port } = door.server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const untilHeld = async (count: number) => {
    while (held.length < count) await new Promise((resolve) => setImmediate(resolve))
  }
  return { door, port, held, untilHeld, status: async (path: string) => (await fetch(url + path)).status }
}

describe('a door with its maximum of requests in flight', () => {
  test('refuses one more at once, serves health checks, and serves again when one has ended', async (t) => {
    const { status, held, untilHeld } = await doorWith(t, { exempt: ['/health'] })
    const served = [status('/held'), status('/held')]
    await untilHeld(2)

    assert.deepEqual([await status('/held'), await status('/large'), await status('/health')], [503, 503, 200])

    held.shift()?.()
    assert.equal(await Promise.race(served), 200)
    served.push(status('/held'))
    await untilHeld(2)
    for (const answer of held) answer()
    assert.deepEqual(await Promise.all(served), [200, 200, 200])
  })

  test('accepts a quarter of them after half a second of long waits for a connection, until it has caught up', async (t) => {
    let [waited, now] = [251, 0]
    const limits = { inFlightMax: 20, waitedMs: () => waited, nowMs: () => now }
    const { status, held, untilHeld } = await doorWith(t, limits)
    const kept = Array.from({ length: 5 }, () => status('/held'))
    await untilHeld(5)
    const answers: number[] = []
    const ask = async (atMs: number, waitedMs: number) => {
      now = atMs
      waited = waitedMs
      answers.push(await status('/health'))
    }
    const waits = async (...each: readonly (readonly [number, number])[]) => {
      for (const [atMs, waitedMs] of each) await ask(atMs, waitedMs)
    }
    await waits([0, 251], [499, 251], [500, 250], [600, 251], [1099, 251])
    assert.deepEqual(answers.splice(0), [200, 200, 200, 200, 200], 'a burst')
    await waits([1100, 251], [1101, 0])
    assert.deepEqual(answers.splice(0), [503, 503], 'the end of a wait is not the end of the overload')
    for (const answer of held.splice(2)) answer()
    await Promise.all(kept.splice(2))
    // The door learns of the end of an answer after its client does.
    for (let turn = 0; turn < 3; turn += 1) await ask(now + 500, 0)
    assert.deepEqual(answers.splice(0), [200, 200, 200], 'it has caught up')
    kept.push(...Array.from({ length: 3 }, () => status('/held')))
    await untilHeld(5)
    await waits([now + 1000, 251], [now + 1499, 251])
    assert.deepEqual(answers, [200, 200], 'the next burst')
    for (const answer of held) answer()
    assert.ok((await Promise.all(kept)).every((each) => each === 200))
  })

  test('accepts a request again after a client disconnects', async (t) => {
    const { port, status, untilHeld } = await doorWith(t, { inFlightMax: 1 })
    const leaving = connect(port, '127.0.0.1').on('error', () => {})
    leaving.write('GET /held HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await untilHeld(1)
    leaving.destroy()

    while ((await status('/large')) !== 200) await new Promise((resolve) => setImmediate(resolve))
  })
})

describe('a client that does not read its answer', () => {
  test('is disconnected', async (t) => {
    const { port, door } = await doorWith(t, { silentMsMax: 100 })
    const accepted = once(door.server, 'connection')
    const slow = connect(port, '127.0.0.1').on('error', () => {})
    slow.pause()
    slow.write('GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n')
    const [socket] = (await accepted) as [Socket]
    await once(socket, 'close')

    let bytes = 0
    slow.on('data', (chunk) => {
      bytes += chunk.length
    })
    slow.resume()
    await once(slow, 'close')
    assert(bytes < 64 * 2 ** 20, `${bytes}`)
  })
})

// Fastify keeps an idle connection for 72 s.
describe('a door that closes', { timeout: 20_000 }, () => {
  test('finishes the request in progress, and does not wait for its idle connection', async (t) => {
    const { door, held, untilHeld, status } = await doorWith(t, {})
    const served = status('/held')
    await untilHeld(1)
    const closed = door.close()
    await new Promise((resolve) => setImmediate(resolve))
    held[0]?.()
    assert.equal(await served, 200)
    await closed
  })
})
