/**
 * A small ERP on the operator API: it books the orders of its store, ships them, sets stock and books returns. It can be killed at
 * any moment and started again: everything is done once.
 *
 *   VITRINE_OPERATOR_URL=http://127.0.0.1:8082 VITRINE_TOKEN=vit_… npx node docs/guides/erp.ts
 */
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { webhookVerifier } from '@vitrine/sdk'

interface ErpDeps {
  readonly operatorUrl: string
  readonly token: string
  readonly environment: string
  /** Contains the books (`books.json`), counted stock (`stock.json`), and a file for each return that has arrived (`arrived/asr_…`). */
  readonly folder: string
  readonly say: (text: string) => void
}

// region books
/** The state of the ERP. It is saved as a whole, including the position of the last event, so that no event is booked twice. */
interface Books {
  position: number
  orders: { id: string; number: string; units: Record<string, number>; state: 'open' | 'shipped' | 'canceled' }[]
  openReturns: string[]
  bookedReturns: string[]
  /** The stock that was set, by SKU code. */
  stock: Record<string, number>
}

function openBooks(folder: string) {
  const file = join(folder, 'books.json')
  mkdirSync(join(folder, 'arrived'), { recursive: true })
  const books: Books = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { position: 0, orders: [], openReturns: [], bookedReturns: [], stock: {} }

  /** Renaming a file over another is atomic: a reader finds the old books or the new ones. */
  function save(): void {
    const draft = `${file}.draft`
    writeFileSync(draft, JSON.stringify(books, null, 2))
    const handle = openSync(draft, 'r')
    fsyncSync(handle)
    closeSync(handle)
    renameSync(draft, file)
  }
  return { books, save }
}
// endregion

// region calls
/** The members of the responses that the ERP uses. */
interface ShopOrder {
  readonly order: {
    readonly number: string
    readonly status: string
    readonly lines: readonly { readonly code: string; readonly quantity: { readonly ordered: number } }[]
  }
  readonly allowed: readonly string[]
}
interface ShopReturn {
  readonly request: { readonly status: string }
  readonly allowed: readonly string[]
}
interface ShopEvent {
  readonly position: number
  readonly type: string
  readonly data: { readonly orderId: string; readonly afterSalesId?: string }
}
interface EventPage {
  readonly items: readonly ShopEvent[]
  readonly position: number
  readonly hasMore: boolean
}
interface Product {
  readonly id: string
  readonly skus: readonly {
    readonly id: string
    readonly code: string
    readonly stock: readonly { readonly environment: string; readonly whenOutOfStock: string }[]
  }[]
}

/** A refusal for which a retry is of no use. */
class Refused extends Error {
  readonly status: number
  constructor(status: number, text: string) {
    super(text)
    this.status = status
  }
}

const TRIES_MAX = 6

/** Calls the operator API. A request that is sent twice has one effect: parcels have a reference, and stock is set to an absolute number. */
function caller({ operatorUrl, token }: ErpDeps) {
  return async function call<Data>(method: string, path: string, body?: object): Promise<Data> {
    for (let tries = 1; ; tries += 1) {
      const answer = await fetch(`${operatorUrl}/operator/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }).catch(() => null)
      if (answer?.ok) return ((await answer.json()) as { data: Data }).data
      const refusal = answer && ((await answer.json()) as { code: string; retry?: { afterMs: number | null } })
      if (answer && refusal && answer.status < 500 && answer.status !== 429) {
        throw new Refused(answer.status, `${method} ${path}: ${refusal.code}`)
      }
      if (tries === TRIES_MAX) throw new Error(`${method} ${path} cannot be reached.`)
      await new Promise((later) => setTimeout(later, refusal?.retry?.afterMs ?? 100 * 2 ** tries))
    }
  }
}
// endregion

export function createErp(deps: ErpDeps) {
  const { environment, folder, say } = deps
  const call = caller(deps)
  const { books, save } = openBooks(folder)

  // region events
  /** Books the events since the last booked one. */
  async function readEvents(): Promise<void> {
    let hasMore = true
    while (hasMore) {
      const page: EventPage = await call('GET', `/events?environment=${environment}&after=${books.position}`)
      for (const event of page.items) await book(event)
      books.position = page.position
      save()
      hasMore = page.hasMore
    }
  }

  async function book({ position, type, data }: ShopEvent): Promise<void> {
    const { orderId, afterSalesId } = data
    if (type === 'order.created') {
      const { order }: ShopOrder = await call('GET', `/orders/${orderId}`)
      const units = Object.fromEntries(order.lines.map(({ code, quantity }) => [code, quantity.ordered]))
      books.orders.push({ id: orderId, number: order.number, units, state: 'open' })
    }
    const known = [...books.openReturns, ...books.bookedReturns]
    if (afterSalesId && !known.includes(afterSalesId)) books.openReturns.push(afterSalesId)
    books.position = position
    save()
  }
  // endregion

  // region ship
  /** Ships paid orders. An order that is on hold or not paid yet stays open and is checked again in each round. */
  async function shipOrders(): Promise<void> {
    for (const booked of books.orders.filter(({ state }) => state === 'open')) {
      const { order, allowed }: ShopOrder = await call('GET', `/orders/${booked.id}`)
      if (order.status === 'canceled') booked.state = 'canceled'
      else if (allowed.includes('ship')) {
        // Repeating a reference creates no second parcel. References of the other stores of an order cannot collide with it.
        await call('POST', `/orders/${booked.id}/parcels`, { reference: `ERP-${booked.number}`, carrier: 'DHL' })
        booked.state = 'shipped'
      } else if (order.status === 'completed') booked.state = 'shipped'
      save()
    }
  }
  // endregion

  // region stock
  /** Sets counted stock that differs from the last number set. Events are read first, so that no sale is missed. */
  async function setStock(): Promise<void> {
    const file = join(folder, 'stock.json')
    const counted: Record<string, number> = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {}
    for (const [code, onHand] of Object.entries(counted)) {
      if (books.stock[code] === onHand) continue
      const found: { items: { id: string }[] } = await call('GET', `/products?q=${encodeURIComponent(code)}`)
      for (const { id } of found.items) {
        const product: Product = await call('GET', `/products/${id}`)
        const sku = product.skus.find((each) => each.code === code)
        if (!sku) continue
        const whenOutOfStock = sku.stock.find((each) => each.environment === environment)?.whenOutOfStock ?? 'deny'
        await call('POST', `/products/${id}/stock`, { skuId: sku.id, environment, onHand, whenOutOfStock })
      }
      books.stock[code] = onHand
      save()
    }
  }
  // endregion

  // region returns
  /** The request that takes each step of a return. `mark_received` waits until the goods have arrived. */
  const steps: Record<string, { path: string; body: object }> = {
    review: { path: 'review', body: {} },
    approve: { path: 'approve', body: {} },
    mark_received: { path: 'received', body: {} },
    inspect: { path: 'inspect', body: { accepted: true } },
    resolve: { path: 'resolve', body: {} },
  }

  async function bookReturns(): Promise<void> {
    for (const id of [...books.openReturns]) {
      const isDone = await advance(id).catch((error: unknown) => {
        // 409: another person was faster; try again later. 404: a return of several stores, which the marketplace decides.
        if (error instanceof Refused) return error.status === 404
        throw error
      })
      if (!isDone) continue
      books.openReturns = books.openReturns.filter((each) => each !== id)
      books.bookedReturns.push(id)
      save()
    }
  }

  /** Takes the next steps of a return. True if none is left for the ERP: the refund settles itself. */
  async function advance(id: string): Promise<boolean> {
    for (let taken = 0; taken <= Object.keys(steps).length; taken += 1) {
      const { request, allowed }: ShopReturn = await call('GET', `/after-sales/${id}`)
      if (['resolving', 'completed', 'declined', 'withdrawn', 'expired'].includes(request.status)) return true
      const open = Object.keys(steps).filter((step) => allowed.includes(step))
      const next = open.find((step) => step !== 'mark_received' || existsSync(join(folder, 'arrived', id)))
      if (!next || !steps[next]) return false
      await call('POST', `/after-sales/${id}/${steps[next].path}`, steps[next].body)
    }
    return false
  }
  // endregion

  return {
    /** One round of work: reads events, sets stock, ships orders and books returns. */
    async work(): Promise<void> {
      await readEvents()
      await setStock()
      await shipOrders()
      await bookReturns()
      say(`booked up to ${books.position}`)
    },
  }
}

// region main
if (process.argv[1] === import.meta.filename) {
  const { env } = process
  const erp = createErp({
    operatorUrl: env.VITRINE_OPERATOR_URL ?? 'http://127.0.0.1:8082',
    token: env.VITRINE_TOKEN ?? '',
    environment: env.VITRINE_ENVIRONMENT ?? 'test',
    folder: env.ERP_FOLDER ?? 'erp-data',
    say: console.log,
  })
  // A webhook only triggers the next round: a lost, repeated or late delivery does no harm.
  let wake = () => {}
  let isAwake = true
  const secret = env.VITRINE_WEBHOOK_SECRET
  if (secret) {
    const verifier = webhookVerifier({ secret })
    createServer(async (incoming, outgoing) => {
      const parts: Buffer[] = []
      for await (const part of incoming) parts.push(part)
      const isOurs = await verifier.verify(Buffer.concat(parts), incoming.headers as Record<string, string>).then(
        () => true,
        () => false,
      )
      outgoing.writeHead(isOurs ? 204 : 400).end()
      if (!isOurs) return
      isAwake = true
      wake()
    }).listen(Number(env.ERP_PORT ?? 9000), '127.0.0.1')
  }
  for (;;) {
    isAwake = false
    await erp.work()
    if (isAwake) continue
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, Number(env.ERP_POLL_SECONDS ?? 30) * 1000)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }
}
// endregion
