import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { testClock } from '../../../../../../test/support/clock.ts'
import { type PaymentDeps, paymentsWorld } from '../../../../../../test/support/commerce/payments.ts'
import { intentOf } from '../../index.ts'
import type { Fault } from './faults.ts'
import { overHttp, simulatorProvider } from './provider.ts'
import { type SimulatorServer, startSimulator } from './simulator-server.ts'

const SECRET = 'a secret that only tests know'
/** Two tests wait as long; the others have an answer by then, also on a busy machine. */
const TIMEOUT_MS = 1500
const HOUR_MS = 3_600_000
const clock = testClock()

/** Stands in for the pages door, and records notifications. */
const received: { readonly headers: Record<string, unknown>; readonly body: Buffer }[] = []
let answerWith = 200
const pages = createServer((request, response) => {
  const pieces: Buffer[] = []
  request.on('data', (piece: Buffer) => pieces.push(piece))
  request.on('end', () => {
    received.push({ headers: request.headers, body: Buffer.concat(pieces) })
    response.writeHead(answerWith).end()
  })
})

let simulator: SimulatorServer
let world: PaymentDeps
before(async () => {
  await new Promise<void>((listening) => pages.listen(0, '127.0.0.1', listening))
  const pagesUrl = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`
  simulator = await startSimulator({ secret: SECRET, clock })
  const provider = simulatorProvider({ secret: SECRET, pagesUrl, send: overHttp(simulator.url) })
  world = await paymentsWorld({ providers: [provider], clock, timeoutMs: TIMEOUT_MS })
})
after(async () => {
  await simulator.close()
  pages.closeAllConnections()
  pages.close()
})
beforeEach(() => {
  simulator.reset()
  received.length = 0
  answerWith = 200
})

const stand = async (id: string) => (await intentOf(world.database.reader, id))!
const bookedAt = (server: SimulatorServer, id: string) =>
  server.books(`${id}:authorize`).map(({ operation }) => operation)
const bearer = { authorization: `Bearer ${SECRET}` }
/** Waits for notifications over HTTP. */
async function until(isSo: () => boolean): Promise<void> {
  for (let tries = 0; tries < 500 && !isSo(); tries += 1) await new Promise((again) => setImmediate(again))
  for (let tries = 0; tries < 100 && !isSo(); tries += 1) await new Promise((again) => setTimeout(again, 20))
  assert(isSo(), 'the notifications have arrived')
}

describe('the simulator over HTTP', () => {
  test('authorizes, captures and keeps its books', async () => {
    const id = await world.charge()
    assert.equal((await world.payments.advance(id)).status, 'succeeded')
    assert.deepEqual(bookedAt(simulator, id), ['authorize', 'capture'])
  })

  const faults: readonly (Omit<Fault, 'operation'> & { readonly effect: number })[] = [
    { fault: 'effect_without_answer', effect: 1 },
    { fault: 'effect_without_end', effect: 1 },
    { fault: 'delay', delayMs: 10 * TIMEOUT_MS, effect: 1 },
    { fault: 'error_with_effect', effect: 1 },
    { fault: 'garbage', effect: 1 },
    { fault: 'no_effect_no_answer', effect: 0 },
    { fault: 'error_without_effect', effect: 0 },
    { fault: 'answer_without_effect', effect: 0 },
  ]
  for (const { fault, effect, ...more } of faults) {
    test(`${fault}: a capture is unknown, ${effect ? 'was done' : 'was not done'}, and is done once in the end`, async () => {
      const id = await world.charge()
      simulator.misbehave({ fault, operation: 'capture', ...more })
      assert.equal((await world.payments.advance(id)).status, 'unknown')
      assert.equal(bookedAt(simulator, id).length, 1 + effect)
      clock.advance(HOUR_MS)
      assert.equal((await world.payments.advance(id)).status, 'succeeded')
      assert.deepEqual(bookedAt(simulator, id), ['authorize', 'capture'])
    })
  }

  test('answers late, but in time', async () => {
    const id = await world.charge()
    simulator.misbehave({ fault: 'delay', delayMs: 20, operation: 'capture' })
    assert.equal((await world.payments.advance(id)).status, 'succeeded')
  })

  test('leaves a charge unknown while it is dead', async () => {
    const id = await world.charge()
    simulator.behave({ dead: true })
    assert.equal((await world.payments.advance(id)).status, 'unknown')
    simulator.behave({ dead: false })
    clock.advance(HOUR_MS)
    assert.equal((await world.payments.advance(id)).status, 'succeeded')
  })

  test('asks the shopper on a page, sends them back, and sends a signed notification', async () => {
    const id = await world.charge()
    simulator.misbehave({ fault: 'ask_shopper' })
    const { nextActionUrl } = await world.payments.advance(id)
    const shown = async (languages: string) =>
      (await fetch(nextActionUrl!, { headers: { 'accept-language': languages } })).text()
    assert.match(await shown('fr, en'), /<html lang="en">[\s\S]*Do you approve this payment\?[\s\S]*€100\.00</)
    assert.match(await shown('de-AT, en;q=0.5'), /<html lang="de">[\s\S]*Zahlung freigeben\?[\s\S]*100,00\s€</)

    const body = new URLSearchParams({ answer: 'approve' })
    const sent = await fetch(nextActionUrl!, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual(
      [sent.status, sent.headers.get('location')?.includes(`/payments/return?payment=${id}&key=`)],
      [303, true],
    )
    await until(() => received.length === 1)
    const [{ headers, body: bytes }] = received as [(typeof received)[0]]
    const request = { headers: headers as Record<string, string>, body: bytes }
    assert.equal(await world.payments.receiveNotification('simulator', request), 'taken')
    await world.work()
    assert.equal((await stand(id)).status, 'succeeded')
    // Pressing again redirects and changes nothing.
    const again = await fetch(nextActionUrl!, { method: 'POST', body, redirect: 'manual' })
    assert.deepEqual([again.status, bookedAt(simulator, id)], [303, ['authorize', 'capture']])
  })

  test('sends notifications as configured: twice, late, never', async () => {
    simulator.behave({ notifiesAll: true, copies: 2, lateMs: 5 })
    const id = await world.charge()
    await world.payments.advance(id)
    await until(() => received.length === 4)
    const ids = received.map(({ body }) => JSON.parse(body.toString()).id)
    assert.deepEqual(new Set(ids), new Set([`${id}:authorize/authorized`, `${id}:capture/captured`]))

    received.length = 0
    simulator.behave({ copies: 0 })
    await world.payments.advance(await world.charge())
    assert.deepEqual(received, [])
  })

  test('rejects callers without its secret', async () => {
    for (const headers of [{}, { authorization: 'Bearer guessed' }] as Record<string, string>[]) {
      assert.equal((await fetch(`${simulator.url}/v1/operations/x`, { headers })).status, 401)
      assert.equal((await fetch(`${simulator.url}/control/books`, { headers })).status, 401)
    }
  })

  test('answers never_seen for an unknown key, and rejects malformed requests', async () => {
    const unseen = await fetch(`${simulator.url}/v1/operations/nothing`, { headers: bearer })
    assert.deepEqual([unseen.status, await unseen.json()], [404, { status: 'never_seen' }])
    for (const body of ['{', '{"payment":"a","amount":"-1","currency":"EUR"}', '[]']) {
      const headers = { ...bearer, 'idempotency-key': 'x' }
      assert.equal((await fetch(`${simulator.url}/v1/authorize`, { method: 'POST', headers, body })).status, 400)
    }
  })

  test('rejects a key that is reused for another order', async () => {
    const headers = { ...bearer, 'idempotency-key': 'a' }
    const send = (amount: string) => {
      const body = JSON.stringify({ payment: 'a', amount, currency: 'EUR' })
      return fetch(`${simulator.url}/v1/authorize`, { method: 'POST', headers, body })
    }
    assert.deepEqual([(await send('1')).status, (await send('1')).status, (await send('2')).status], [200, 200, 409])
  })

  test('takes faults and shows its books over HTTP as well', async () => {
    const control = (name: string, body?: object) =>
      fetch(`${simulator.url}/control/${name}`, {
        method: body ? 'POST' : 'GET',
        headers: bearer,
        ...(body && { body: JSON.stringify(body) }),
      })
    assert.equal((await control('faults', { fault: 'decline' })).status, 200)
    assert.equal((await control('faults', { fault: 'toString' })).status, 400)
    assert.equal((await control('mode', { copies: 'many' })).status, 400)
    assert.equal((await control('mode', { copies: 3 })).status, 200)
    const id = await world.charge()
    assert.equal((await world.payments.advance(id)).status, 'failed')
    const books = await control(`books?payment=${id}:authorize`)
    assert.deepEqual(await books.json(), { entries: [] })
  })
})

describe('the books of the simulator', () => {
  test('survive its process, with the answers of the shopper', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vitrine-simulator-'))
    t.after(() => rmSync(folder, { recursive: true }))
    const journal = join(folder, 'books.jsonl')
    const headers = { ...bearer, 'idempotency-key': 'p' }
    const send = (server: SimulatorServer, operation: string, key: string) =>
      fetch(`${server.url}/v1/${operation}`, {
        method: 'POST',
        headers: { ...headers, 'idempotency-key': key },
        body: JSON.stringify({ payment: 'p', amount: '5', currency: 'EUR' }),
      })

    const first = await startSimulator({ secret: SECRET, clock, journal })
    first.misbehave({ fault: 'ask_shopper' })
    const { actionUrl } = (await (await send(first, 'authorize', 'p')).json()) as { actionUrl: string }
    await fetch(actionUrl, { method: 'POST', body: new URLSearchParams({ answer: 'approve' }) })
    await send(first, 'capture', 'c')
    await first.close()
    // As after a crash.
    appendFileSync(journal, '{"change":"order","order":{}')

    const second = await startSimulator({ secret: SECRET, clock, journal })
    await send(second, 'capture', 'c')
    await send(second, 'refund', 'r')
    await second.close()
    const third = await startSimulator({ secret: SECRET, clock, journal })
    t.after(() => third.close())
    assert.deepEqual(
      third.books().map(({ operation }) => operation),
      ['authorize', 'capture', 'refund'],
    )
  })
})
