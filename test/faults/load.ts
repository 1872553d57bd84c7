import { setTimeout as pause } from 'node:timers/promises'
import { eventKindNames, SCOPES } from '@vitrine/contract'
import { createInstallation, createKey, idSource, systemClock, systemRandomness } from '@vitrine/server'
import { type Answer, type Client, client, proofKey } from '../support/client.ts'
import { BERLIN, terms } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS } from '../support/commerce/shop.ts'
import { opened } from '../support/commerce/webhook-endpoints.ts'
import { pageVisitor } from '../support/pages/page-visitor.ts'
import type { Attempt, KnownVersion, Outcome, Read, Write, WriteKind } from './history.ts'
import type { ShopService } from './service.ts'

/** Chooses a whole number from 0 up to the count, excluding it. */
export type Pick = (count: number) => number

/** An integrator with its own installation and key, which goes from cart to cancellation again and again. */
export interface Shopper {
  readonly installationId: string
  /** One journey with a new cart. It ends early if the shopper gives up on a step. */
  journey(): Promise<void>
  /** Retries some of the writes whose outcome is unknown, with their keys. */
  settle(): Promise<void>
}

interface OpenWrite extends Write {
  readonly attempts: Attempt[]
  /** Sends it once more. */
  readonly send: () => Promise<Answer>
}

/** Records the requests of all shoppers with their answers. */
export class Recorder {
  readonly writes: OpenWrite[] = []
  readonly reads: Read[] = []
  readonly versions: KnownVersion[] = []
  /** The number of requests that were begun, of any kind. */
  begun = 0
  /** The start of the latest acknowledged write. */
  lastDoneAt = 0
  /** Whether the test has ended, so that no more requests are sent. */
  isStopped = false

  get acknowledged(): number {
    return this.writes.filter(({ attempts }) => attempts.some(({ outcome }) => outcome === 'done')).length
  }
}

/** SKUs by code. */
export type Skus = (code: string) => string

/** The added quantities are powers of three, so that the quantity of the line shows which adds happened twice. */
export const ADDS = [1, 3, 9] as const

/** The events that the receiver subscribes to: all of checkouts and orders. */
export const EVENTS = eventKindNames.filter((kind) => /^(checkout|order)\./.test(kind))

const ATTEMPTS_MAX = 60
const RETRY_AFTER_MS = 250
/** The timeout of a client. The connection may stay open longer. */
const GIVE_UP_MS = 90_000
const GIVEN_UP: Answer = { status: 0, headers: new Headers(), body: null, text: '' }

/** Creates an installation that receives all events. */
export async function shopper(
  service: ShopService,
  { recorder, pick, sku }: { readonly recorder: Recorder; readonly pick: Pick; readonly sku: Skus },
): Promise<Shopper> {
  const proof = await proofKey()
  const { installationId, key } = await register(service, proof.jkt)
  const { publicUrl } = service
  const [first, second] = service.nodes.map(({ origin }) =>
    client({ origin, publicUrl, clock: systemClock, key, proof }),
  ) as [Client, Client]
  await opened(first, { url: `${service.receiver.url}/${installationId}`, events: EVENTS })
  const node = () => (pick(2) === 0 ? first : second)
  let carts = 0
  let shippingOptionId: string | null = null

  /** One attempt, with its outcome. */
  async function attempt(write: OpenWrite): Promise<Answer> {
    recorder.begun += 1
    const startedAt = performance.now()
    const answer = await within(write.send())
    const outcome = write.kind === 'payment' ? outcomeOfPage(answer) : outcomeOf(answer)
    if (outcome === 'done') recorder.lastDoneAt = Math.max(recorder.lastDoneAt, startedAt)
    const id = answer.body?.data?.id
    write.attempts.push({
      outcome,
      startedAt,
      endedAt: performance.now(),
      status: answer.status,
      ...(outcome === 'done' && write.kind !== 'payment' && { text: answer.text }),
      ...(outcome === 'done' && typeof id === 'string' && write.kind !== 'line' && { effectId: id }),
    })
    return answer
  }

  /** Repeats a write until it is done or refused. Sometimes the client gives up, as real clients do. */
  async function insist(kind: WriteKind, key: string, send: () => Promise<Answer>): Promise<Answer | null> {
    const write: OpenWrite = { kind, key, attempts: [], send }
    recorder.writes.push(write)
    for (let attempts = 1; attempts <= ATTEMPTS_MAX && !recorder.isStopped; attempts += 1) {
      const answer = await attempt(write)
      const outcome = write.attempts.at(-1)?.outcome
      if (outcome === 'done') return answer
      if (outcome === 'refused' || pick(4) === 0) return null
      await pause(RETRY_AFTER_MS)
    }
    return null
  }

  /** Repeats a request that is not checked as a write: it changes nothing, or nothing that the checker counts. */
  async function ask(send: () => Promise<Answer>): Promise<Answer | null> {
    for (let attempts = 1; attempts <= ATTEMPTS_MAX && !recorder.isStopped; attempts += 1) {
      recorder.begun += 1
      const startedAt = performance.now()
      const answer = await within(send())
      const { id, version } = answer.body?.data ?? {}
      recorder.reads.push({
        status: answer.status,
        startedAt,
        endedAt: performance.now(),
        ...(answer.status === 200 && /^cart_/.test(id) && { cart: { id, version } }),
      })
      if (answer.status === 200) return answer
      await pause(RETRY_AFTER_MS)
    }
    return null
  }

  const learn = ({ body }: Answer, at: number) => {
    const { id, version } = body.data
    recorder.versions.push({ cartId: id, version, at })
  }

  async function readyCart(mark: string): Promise<string | null> {
    const lines = [{ skuId: sku('BOWL'), quantity: 1 }]
    const cart = { currency: 'EUR', country: 'DE', lines, contact: { email: 'ada@example.com' }, metadata: { mark } }
    const made = await insist('cart', mark, () => node().post(CARTS, cart, { key: mark }))
    if (!made) return null
    learn(made, performance.now())
    const path = `${CARTS}/${made.body.data.id}`
    for (const quantity of ADDS) {
      const key = `${mark}:line:${quantity}`
      const body = { skuId: sku('MUG'), quantity }
      const added = await insist('line', key, () => node().post(`${path}/items`, body, { key }))
      if (added) learn(added, performance.now())
    }
    await ask(() => node().get(path))
    const address = { shipping: BERLIN, ...(shippingOptionId && { shippingOptionId }) }
    const addressed = await ask(() => node().put(`${path}/address`, address, { key: `${mark}:address` }))
    if (!addressed || shippingOptionId !== null) return addressed && path
    shippingOptionId = addressed.body.data.shippingOptions[0].id as string
    const chosen = { shippingOptionId }
    return (await ask(() => node().put(`${path}/address`, chosen, { key: `${mark}:option` }))) && path
  }

  async function pay(mark: string, url: string): Promise<boolean> {
    const paid = await insist('payment', `${mark}:payment`, async () => {
      const visitor = pageVisitor(new URL(url).origin)
      const path = new URL(url).pathname
      const { status, text } = await visitor.open(path)
      const hidden = (name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]
      const version = hidden('version')
      // A page without a form is paid, or being paid, or an error.
      if (version === undefined) return { ...GIVEN_UP, status, text }
      const fields = { provider: 'simulator', version, documents: hidden('documents') ?? '', accepted: 'yes' }
      const sent = await visitor.send(`${path}/pay`, fields)
      // An expired session redirects as well.
      const seen = sent.status === 303 ? await visitor.open(path) : sent
      return { ...GIVEN_UP, status: seen.status, text: seen.text }
    })
    return paid !== null
  }

  async function journey(): Promise<void> {
    carts += 1
    const mark = `${installationId}:${carts}`
    const path = await readyCart(mark)
    if (!path) return
    const quote = await insist('quote', `${mark}:quote`, () =>
      node().post(`${path}/quote`, {}, { key: `${mark}:quote` }),
    )
    if (!quote) return
    const key = `${mark}:session`
    const begin = { ...terms, quoteId: quote.body.data.id, clientReferenceId: key }
    const session = await insist('session', key, () => node().post(`${path}/checkout`, begin, { key }))
    if (!session || !(await pay(mark, session.body.data.url)) || pick(2) === 0) return
    const listed = await ask(() => node().get(`${SESSIONS}/${session.body.data.id}`))
    const orderId = listed?.body.data.orderId
    if (!orderId) return
    const cancellation = `${mark}:cancellation`
    const body = { reason: 'customer_request', note: cancellation }
    await insist('cancellation', cancellation, () =>
      node().post(`${ORDERS}/${orderId}/cancellations`, body, { key: cancellation }),
    )
  }

  async function settle(): Promise<void> {
    const isOwn = ({ key, kind }: Write) => key.startsWith(`${installationId}:`) && kind !== 'payment'
    for (const write of recorder.writes.filter(isOwn)) {
      if (write.attempts.at(-1)?.outcome === 'unknown' && pick(2) === 0) await attempt(write)
    }
  }
  return { installationId, journey, settle }
}

const THANKS = 'Thank you for your order'
const SESSIONS = '/api/v1/open/hosted/checkout/sessions'

/** The answer, or `GIVEN_UP` if the connection broke or the client's timeout passed. */
async function within(answering: Promise<Answer>): Promise<Answer> {
  const waiting = new AbortController()
  const givenUp = pause(GIVE_UP_MS, GIVEN_UP, { signal: waiting.signal }).catch(() => GIVEN_UP)
  try {
    return await Promise.race([answering.catch(() => GIVEN_UP), givenUp])
  } finally {
    waiting.abort()
  }
}

function outcomeOf({ status, body }: Answer): Outcome {
  if (status === 200) return 'done'
  if (status === 0) return 'unknown'
  if (status === 401 || status === 429 || body?.code === 'idempotency_in_progress') return 'not_applied'
  if (status < 500) return 'refused'
  return body?.outcome === 'not_applied' ? 'not_applied' : 'unknown'
}

/** A page has no idempotency key: only its thanks prove the payment. */
function outcomeOfPage({ text }: Answer): Outcome {
  return text.includes(THANKS) ? 'done' : 'unknown'
}

async function register({ database }: ShopService, jkt: string) {
  const randomness = systemRandomness()
  const making = { ids: idSource(systemClock, randomness), now: systemClock.now(), randomness }
  const returnUrls = Object.values(terms)
  return database.transaction(async (tx) => {
    const about = { name: 'A shopper', environment: 'test', storeSlug: 'ceramics', returnUrls } as const
    const installationId = await createInstallation(tx, about, making)
    const { key } = await createKey(tx, { installationId, scopes: SCOPES, jkt }, making)
    return { installationId, key }
  })
}
