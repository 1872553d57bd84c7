import { readFile } from 'node:fs/promises'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { skusOf } from './carts.ts'
import { type Connection, headerOf, openConnection } from './connection.ts'
import { type Signer, signer } from './signed-posts.ts'

const CONNECTIONS = 16
const CARTS = 200
/** Kept open, as by a proxy: libuv accepts one new connection in each turn of the event loop. */
const OPEN_CONNECTIONS = 1000
const CALM_SECONDS = 4
const PRESSED_SECONDS = 8
const RECOVERY_SECONDS = 6
const WINDOW_MS = 250
const BURST_MS = 1000
/** The load under pressure and without it, as multiples of the capacity, which closed loops measure. */
const PRESSURE = 3
const CALM = 0.5

export interface Pressure {
  /** The capacity of the server. */
  readonly perSecond: number
  readonly servedPerSecond: number
  readonly refusedShare: number
  /** Time to a refusal, p99. Milliseconds. */
  readonly refusalMs: number
  /** The p99 of what was served after the first second, and that without pressure. Milliseconds. */
  readonly servedMs: number
  readonly calmMs: number
  /** From the end of the pressure until responses took at most twice as long as without it. */
  readonly recoverySeconds: number
}

interface Answered {
  readonly at: number
  readonly ms: number
  readonly isServed: boolean
}

/** Measures requests that arrive at a fixed rate, like those of shoppers, whether or not earlier ones have been served. */
export async function pressure(door: string, key: string, privateKeyFile: string): Promise<Pressure> {
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const signs = await signer(door, key, jwk)
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const skus = await skusOf(client)
  const paths: string[] = []
  while (paths.length < CARTS) {
    const cart = await client.call('createPublicCart', { body: { currency: skus.currency, country: 'US' } })
    paths.push(`/api/v1/open/storefront/carts/${cart.id}/items/${skus.ids[0]}`)
    await client.call('addPublicCartItem', { params: { cartId: cart.id }, body: { skuId: skus.ids[0]!, quantity: 1 } })
  }
  let turn = 0
  const next = () => {
    turn += 1
    const body = JSON.stringify({ quantity: 1 + (turn % 9) })
    return signs.requestFor({ method: 'PATCH', path: paths[turn % CARTS]!, body })
  }
  const load: Load = { free: [], signs, next }
  const openUpTo = async (count: number) => {
    while (load.free.length < count) load.free.push(await openConnection(door))
  }
  try {
    await openUpTo(CONNECTIONS)
    await closedLoops(load, 2)
    const perSecond = await closedLoops(load, CALM_SECONDS)
    await openUpTo(OPEN_CONNECTIONS)
    const calm = await arrivals(load, perSecond * CALM, CALM_SECONDS)
    await openUpTo(OPEN_CONNECTIONS)
    const pressed = await arrivals(load, perSecond * PRESSURE, PRESSED_SECONDS)
    const since = performance.now()
    const after = await arrivals(load, perSecond * CALM, RECOVERY_SECONDS)
    const [served, refused] = [pressed.filter(isServed), pressed.filter((each) => !isServed(each))]
    // A burst is served, however late: the pressure begins with one.
    const pressedAt = pressed[0]?.at ?? 0
    const steady = served.filter(({ at }) => at > pressedAt + BURST_MS)
    const calmMs = p99(calm)
    return {
      perSecond,
      servedPerSecond: served.length / PRESSED_SECONDS,
      refusedShare: refused.length / pressed.length,
      refusalMs: p99(refused),
      servedMs: p99(steady),
      calmMs,
      recoverySeconds: recoveryOf(after, since, calmMs),
    }
  } finally {
    for (const connection of load.free) connection.close()
  }
}

interface Load {
  readonly free: Connection[]
  readonly signs: Signer
  readonly next: () => Buffer
}

async function closedLoops(load: Load, seconds: number): Promise<number> {
  const until = performance.now() + seconds * 1000
  let done = 0
  const work = async () => {
    const connection = load.free.pop()!
    while (performance.now() < until) {
      if (!isServed(await answered(load, connection, load.next()))) throw new Error('refused without pressure')
      done += 1
    }
    load.free.push(connection)
  }
  await Promise.all(Array.from({ length: CONNECTIONS }, work))
  return done / seconds
}

/** Sends at a rate. Signed before the clock starts: the load shares its cores with the server. */
async function arrivals(load: Load, perSecond: number, seconds: number): Promise<Answered[]> {
  const requests = Array.from({ length: Math.round(perSecond * seconds) }, load.next)
  const startedAt = performance.now()
  const waiting: Promise<Answered>[] = []
  while (waiting.length < requests.length) {
    const due = Math.min(requests.length, Math.floor(((performance.now() - startedAt) / 1000) * perSecond))
    while (waiting.length < due) waiting.push(sendOne(load, requests[waiting.length]!))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  return Promise.all(waiting)
}

async function sendOne(load: Load, request: Buffer): Promise<Answered> {
  let connection = load.free.pop()
  while (connection && !connection.isOpen()) connection = load.free.pop()
  if (connection === undefined) throw new Error(`${OPEN_CONNECTIONS} requests are waiting for a response.`)
  const answer = await answered(load, connection, request)
  load.free.push(connection)
  return answer
}

async function answered({ signs }: Load, connection: Connection, request: Buffer): Promise<Answered> {
  const at = performance.now()
  const { status, head, body } = await connection.send(request)
  const nonce = headerOf(head, 'dpop-nonce')
  if (nonce !== undefined) signs.useNonce(nonce)
  const isRefused = status === 429 || status === 503
  if (status >= 400 && !isRefused) throw new Error(`a cart answered ${status}: ${body}`)
  return { at, ms: performance.now() - at, isServed: !isRefused }
}

const isServed = (answer: Answered) => answer.isServed

function p99(answers: readonly Answered[]): number {
  const sorted = answers.map(({ ms }) => ms).sort((one, other) => one - other)
  return sorted[Math.floor(sorted.length * 0.99)] ?? 0
}

/** The end of the last window in which something was refused or slow. */
function recoveryOf(answers: readonly Answered[], since: number, calmMs: number): number {
  const slow = answers.filter(({ ms, isServed }) => !isServed || ms > 2 * calmMs)
  const windows = Map.groupBy(slow, ({ at }) => Math.floor((at - since) / WINDOW_MS))
  const total = Map.groupBy(answers, ({ at }) => Math.floor((at - since) / WINDOW_MS))
  const bad = [...windows].filter(([window, each]) => each.length > 0.05 * total.get(window)!.length)
  return (Math.max(-1, ...bad.map(([window]) => window)) + 1) * (WINDOW_MS / 1000)
}
