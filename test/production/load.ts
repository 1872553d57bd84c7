import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Answer, Client, RequestOptions } from '../support/client.ts'
import { BERLIN } from '../support/commerce/checkout.ts'
import { CARTS } from '../support/commerce/shop.ts'

/** An error of `send`, with whether the connection was an idle one. */
interface ConnectionError extends NodeJS.ErrnoException {
  readonly reusedSocket?: boolean
}

/** The pause of a shopper between requests. */
const PAUSE_MS = 20
/** The number of failures of a phase that are shown. */
const SHOWN_MAX = 5

/**
 * Shoppers that browse, fill carts and ask for quotes, one request after the other. They repeat a request, with the same key, only if an
 * idle connection was closed while they used it, as every HTTP/1.1 client has to: a reload of the proxy closes all of them.
 */
export class Load {
  readonly failures: string[] = []
  answered = 0
  /** Whether shoppers follow cursors. Their format may differ between versions; a list then starts again. */
  turnsPages = false
  repeated = 0
  readonly #shop: Client
  readonly #shoppers: number
  readonly #kept: { readonly id: string; readonly quantity: number }[] = []
  #skus: readonly string[] = []
  #isOver = false
  #busy: Promise<unknown> = Promise.resolve()
  #slowestMs = 0
  #reported = 0
  #shown = 0

  constructor(shop: Client, shoppers: number) {
    this.#shop = shop
    this.#shoppers = shoppers
  }

  get carts(): number {
    return this.#kept.length
  }

  async prepare(): Promise<void> {
    const { body, text } = await this.#shop.get('/api/v1/open/catalog/products')
    const slugs: string[] = body?.data?.map(({ slug }: { slug: string }) => slug) ?? []
    if (slugs.length === 0) throw new Error(`The demo has no products: ${text}`)
    const products = await Promise.all(slugs.map((slug) => this.#shop.get(`/api/v1/open/catalog/products/${slug}`)))
    this.#skus = products
      .flatMap(({ body: product }) => product.data.skus as { id: string; availability: string }[])
      .filter(({ availability }) => availability === 'in_stock')
      .map(({ id }) => id)
  }

  start(): void {
    this.#busy = Promise.all(Array.from({ length: this.#shoppers }, (_, at) => this.#keepShopping(at)))
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#busy
  }

  report(phase: string): void {
    const since = this.answered - this.#reported
    process.stdout.write(
      `${phase.padEnd(30)} ${String(since).padStart(6)} requests, ${this.failures.length} failed so far, slowest ${Math.round(this.#slowestMs)} ms\n`,
    )
    for (const failure of this.failures.slice(this.#shown, this.#shown + SHOWN_MAX))
      process.stdout.write(`  ${failure}\n`)
    this.#shown = this.failures.length
    this.#reported = this.answered
    this.#slowestMs = 0
  }

  /** Carts that differ from their acknowledged state. */
  async lost(): Promise<readonly string[]> {
    const lost: string[] = []
    for (const { id, quantity } of this.#kept) {
      const { body } = await this.#shop.get(`${CARTS}/${id}`)
      if (body?.data?.lines?.[0]?.quantity !== quantity) lost.push(id)
    }
    return lost
  }

  async #keepShopping(at: number): Promise<void> {
    for (let turn = at; !this.#isOver; turn += this.#shoppers) {
      await this.#journey(turn)
      await pause(PAUSE_MS)
    }
  }

  async #journey(turn: number): Promise<void> {
    const shop = this.#shop
    const skuId = this.#skus[turn % this.#skus.length]
    const list = '/api/v1/catalog/products?limit=5'
    const listed = await this.#ask('list', (options) => shop.get(list, options))
    const cursor = encodeURIComponent(listed?.body.meta.page.nextCursor ?? '')
    if (this.turnsPages) await this.#ask('next page', (options) => shop.get(`${list}&cursor=${cursor}`, options))
    // A new search, which no cache can answer.
    await this.#ask('search', (options) => shop.get(`/api/v1/catalog/products?q=mug&limit=${1 + (turn % 50)}`, options))
    const made = await this.#ask('cart', (options) =>
      shop.post(CARTS, { currency: 'EUR', country: 'DE', lines: [{ skuId, quantity: 1 }] }, options),
    )
    if (!made) return
    const path = `${CARTS}/${made.body.data.id}`
    const added = await this.#ask('add', (options) => shop.post(`${path}/items`, { skuId, quantity: 1 }, options))
    if (added) this.#kept.push({ id: made.body.data.id, quantity: 2 })
    await this.#ask('address', (options) =>
      shop.put(`${path}/address`, { shipping: BERLIN, contact: { email: 'ada@example.com' } }, options),
    )
    await this.#ask('quote', (options) => shop.post(`${path}/quote`, {}, options))
    await this.#ask('read', (options) => shop.get(path, options))
  }

  async #ask(what: string, send: (options: RequestOptions) => Promise<Answer>): Promise<Answer | null> {
    const startedAt = performance.now()
    const options = { key: randomUUID() }
    const attempt = (): Promise<Answer | Error> =>
      send(options).catch((error: ConnectionError) => {
        if (!error.reusedSocket || (error.code !== 'ECONNRESET' && error.code !== 'EPIPE')) return error
        this.repeated += 1
        return attempt()
      })
    const answer = await attempt()
    this.#slowestMs = Math.max(this.#slowestMs, performance.now() - startedAt)
    this.answered += 1
    if (!(answer instanceof Error) && answer.status === 200) return answer
    this.failures.push(
      `${what}: ${answer instanceof Error ? `${answer.message}` : `${answer.status} ${answer.text.slice(0, 200)}`}`,
    )
    return null
  }
}
