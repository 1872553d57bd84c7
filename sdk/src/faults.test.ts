import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { testRandomness } from '../../test/support/randomness.ts'
import { runsOf } from '../../test/support/runs.ts'
import { type Clock, type PrivateJwk, type VitrineClient, vitrine } from './index.ts'

/*
 * The client against a server that drops connections, stalls and lies, at each step of a request. The server is honest about one
 * thing only: a request with a known idempotency key gets the stored answer, and has no second effect.
 */

interface Exchange {
  readonly run: Run
  readonly response: ServerResponse
  /** Applies the effect, or finds it applied. @returns the answer */
  readonly apply: () => string
}
type Fault = (exchange: Exchange) => void

/** The faults of one call, and what the server saw of it. */
interface Run {
  readonly faults: Fault[]
  readonly answers: Map<string, string>
  readonly requests: IncomingMessage[]
  effects: number
  /** Whether the answer ended the call: any further request is one too many. */
  isOver: boolean
  sentTooMany: boolean
  nowMs: number
  expire: (() => void) | undefined
}

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) =>
  response
    .writeHead(status, { 'content-type': 'application/json', ...headers })
    .end(typeof body === 'string' ? body : JSON.stringify(body))

interface Said {
  readonly code?: string
  readonly advice?: string
  readonly afterMs?: number | null
  readonly outcome?: string
  readonly headers?: Record<string, string>
}

function says(response: ServerResponse, status: number, said: Said): void {
  const { code = 'cart_locked', advice = 'same_key', afterMs = null, outcome = 'not_applied', headers = {} } = said
  const body = { code, message: 'No.', status, requestId: 'req_1', outcome, retry: { advice, afterMs }, details: [] }
  json(response, status, body, headers)
}

const drops: Fault = ({ response }) => response.destroy()
/** Only the server advances the clock. */
const stalls: Fault = ({ run }) => {
  run.nowMs += 15_000
  run.expire?.()
}
/** Sends a part of the answer. */
const sendsHalf =
  (then: Fault): Fault =>
  (exchange) => {
    const answer = exchange.apply()
    exchange.response.writeHead(200, { 'content-type': 'application/json', 'content-length': answer.length })
    exchange.response.write(answer.slice(0, answer.length / 2), () => then(exchange))
  }
const applied =
  (then: Fault): Fault =>
  (exchange) => {
    exchange.apply()
    then(exchange)
  }
const page =
  (status: number): Fault =>
  ({ response }) =>
    response.writeHead(status, { 'content-type': 'text/html' }).end('<h1>Sorry</h1>')
const refusing =
  (status: number, said: Said): Fault =>
  ({ response }) =>
    says(response, status, said)
const ending =
  (fault: Fault): Fault =>
  (exchange) => {
    exchange.run.isOver = true
    fault(exchange)
  }

let nonces = 0
/** After these, the call may continue. The lies claim that nothing was applied, that it was, or that it is not known. */
const passing: Readonly<Record<string, Fault>> = {
  'drops the connection before the effect': drops,
  'drops the connection after the effect': applied(drops),
  'drops the connection within the answer': sendsHalf(drops),
  'stalls before the effect': stalls,
  'stalls after the effect': applied(stalls),
  'stalls within the answer': sendsHalf(stalls),
  'answers as a gateway that lost it': page(502),
  'answers as a gateway after the effect': applied(page(504)),
  'cuts its JSON': applied(({ response }) => json(response, 200, '{"data":{"id":"ca')),
  'answers success without data': applied(({ response }) => json(response, 200, {})),
  'says that it is unknown': refusing(500, { code: 'internal_error', outcome: 'unknown', afterMs: 1000 }),
  'says that it is unknown after the effect': applied(refusing(500, { code: 'internal_error', outcome: 'unknown' })),
  'says not_applied after the effect': applied(refusing(503, { code: 'unavailable', afterMs: 1000 })),
  'says applied before the effect': refusing(500, { code: 'internal_error', outcome: 'applied' }),
  'says that the first request is running': applied(refusing(409, { code: 'idempotency_in_progress', afterMs: 1000 })),
  'limits the rate': refusing(429, { code: 'rate_limited', advice: 'same_request_later', afterMs: 1200 }),
  'limits the rate after the effect': applied(refusing(429, { code: 'rate_limited', advice: 'same_request_later' })),
  'names an absurd wait': refusing(503, { code: 'unavailable', afterMs: -1e9 }),
  'asks for another nonce': ({ response }) => {
    nonces += 1
    says(response, 401, { code: 'use_dpop_nonce', headers: { 'dpop-nonce': `nonce-${nonces}` } })
  },
}
/** After these, the call must end. */
const final: Readonly<Record<string, Fault>> = {
  'says do_not_retry': refusing(409, { advice: 'do_not_retry' }),
  'says fix_request': refusing(400, { advice: 'fix_request' }),
  'says reauthenticate': refusing(401, { advice: 'reauthenticate' }),
  'says new_key': refusing(409, { advice: 'new_key' }),
  'says refresh_state': refusing(409, { advice: 'refresh_state', afterMs: 1 }),
  'says same_request_later for a payment': refusing(409, { advice: 'same_request_later', afterMs: 1 }),
  'gives advice that is not known': refusing(503, { advice: 'try_harder' }),
  'asks for a wait beyond the budget': refusing(429, { advice: 'same_request_later', afterMs: 60_000 }),
  'asks for a nonce and gives none': refusing(401, { code: 'use_dpop_nonce' }),
  'is another site': page(200),
  'does not know the path': page(404),
}

const runs = new Map<string, Run>()
const server = createServer(async (request, response) => {
  const [, id = ''] = request.url!.split('/')
  const run = runs.get(id)!
  run.requests.push(request)
  run.sentTooMany ||= run.isOver
  for await (const _ of request);
  const key = String(request.headers['idempotency-key'] ?? `request ${run.requests.length}`)
  const fault = run.faults.shift() ?? (({ apply }) => json(response, 200, apply()))
  fault({
    run,
    response,
    apply() {
      if (!run.answers.has(key)) run.effects += 1
      const answer = run.answers.get(key) ?? JSON.stringify({ data: { id: `cart_${run.effects}` }, meta: {} })
      run.answers.set(key, answer)
      return answer
    },
  })
})

let origin = ''
let privateKey: PrivateJwk
before(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  privateKey = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
})
after(() => {
  server.close()
  server.closeAllConnections()
})

type Call = (client: VitrineClient) => Promise<unknown>
const keyedWrite: Call = (client) => client.createPublicCart({ body: { currency: 'EUR', country: 'DE' } })
const keylessWrite: Call = (client) => client.requestOfficialPasswordReset({ body: { email: 'ada@example.com' } })
const read: Call = (client) => client.getPublicCart({ params: { cartId: 'cart_1' } })

const random = testRandomness()
const below = (count: number) => random.bytes(4).readUInt32BE() % count

/** One call against these faults. */
async function runOf(call: Call, faults: readonly Fault[], send: typeof fetch = fetch) {
  const run: Run = {
    faults: [...faults],
    answers: new Map(),
    requests: [],
    effects: 0,
    isOver: false,
    sentTooMany: false,
    nowMs: 0,
    expire: undefined,
  }
  const clock: Clock = {
    now: () => run.nowMs,
    async sleep(milliseconds) {
      assert.ok(milliseconds >= 0 && milliseconds <= 45_000, `waits ${milliseconds} ms`)
      run.nowMs += milliseconds
    },
    timeout(_, expire) {
      run.expire = expire
      return () => {
        run.expire = undefined
      }
    },
  }
  const id = String(runs.size)
  runs.set(id, run)
  const client = vitrine({
    baseUrl: `${origin}/${id}`,
    key: 'sfk_test_1',
    privateKey,
    clock,
    random: () => below(1000) / 1000,
    fetch: send,
  })
  const [result] = await Promise.allSettled([call(client)])
  return { ...run, result, keys: new Set(run.requests.map(({ headers }) => headers['idempotency-key'])) }
}

type Ended = Awaited<ReturnType<typeof runOf>>

function assertOneEffect({ effects, keys, sentTooMany, requests, nowMs, result }: Ended, about: string): void {
  assert.ok(effects <= 1, `${about}: ${effects} effects`)
  assert.equal(keys.size, 1, `${about}: one key for all attempts`)
  assert.ok(!sentTooMany, `${about}: a request after the last word`)
  assert.ok(requests.length <= 5 && nowMs <= 60_000, `${about}: ${requests.length} requests in ${nowMs} ms`)
  if (result.status === 'fulfilled') assert.equal(effects, 1, `${about}: success without an effect`)
}

describe('a server that drops, stalls and lies', () => {
  test('a write with a key has one effect whatever happens at a step, and succeeds if the server then answers', async () => {
    for (const [about, fault] of Object.entries(passing)) {
      const ended = await runOf(keyedWrite, [fault])
      assertOneEffect(ended, about)
      assert.equal(ended.requests.length, 2, about)
      assert.deepEqual(ended.result, { status: 'fulfilled', value: { id: 'cart_1' } }, about)
    }
  })

  test('only an answer that allows it leads to another request', async () => {
    for (const [about, fault] of Object.entries(final)) {
      for (const call of [keyedWrite, read]) {
        const ended = await runOf(call, [ending(fault)])
        assertOneEffect(ended, about)
        assert.equal(ended.requests.length, 1, about)
        assert.equal(ended.result.status, 'rejected', about)
      }
    }
  })

  test('a write without a key is sent once, whatever happens', async () => {
    for (const [about, fault] of Object.entries({ ...passing, ...final })) {
      const ended = await runOf(keylessWrite, [ending(fault)])
      assertOneEffect(ended, about)
      assert.equal(ended.requests.length, 1, about)
    }
  })

  test('a server that never answers ends the call within its budget', async () => {
    const ended = await runOf(keyedWrite, Array(9).fill(stalls))
    assert.equal(ended.requests.length, 3, '15 s each, in 45 s')
    assert.ok(ended.result.status === 'rejected' && ended.result.reason.name === 'AnswerTimeout')
  })

  test('no sequence of faults has a second effect, or a request after the last word', async (t) => {
    t.diagnostic(`SEED=${random.seed}`)
    const some = Object.entries(passing)
    const last = Object.entries(final)
    const calls = [keyedWrite, keyedWrite, keyedWrite, keylessWrite]
    async function one(): Promise<void> {
      const call = calls[below(calls.length)]!
      const chosen = Array.from({ length: below(6) }, () => some[below(some.length)]!)
      const end = below(3) === 0 ? [last[below(last.length)]!] : []
      const about = [...chosen, ...end].map(([name]) => name).join(', then ')
      const faults = [...chosen.map(([, fault]) => fault), ...end.map(([, fault]) => ending(fault))]
      const ended = await runOf(call, faults)
      assertOneEffect(ended, about)
      if (call === keylessWrite) assert.equal(ended.requests.length, 1, about)
    }
    const count = runsOf({ full: 1000, short: 50 })
    for (let done = 0; done < count; done += 20) await Promise.all(Array.from({ length: 20 }, one))
  })

  test('a client with a new key for each attempt is detected', async () => {
    const careless: typeof fetch = (input, init) => {
      const headers = { ...(init!.headers as Record<string, string>), 'idempotency-key': crypto.randomUUID() }
      return fetch(input, { ...init, headers })
    }
    const ended = await runOf(keyedWrite, [applied(drops)], careless)
    assert.equal(ended.effects, 2)
    assert.throws(() => assertOneEffect(ended, 'careless'), /2 effects/)
  })
})
