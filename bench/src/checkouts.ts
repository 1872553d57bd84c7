import { generateKeyPairSync } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { type PrivateJwk, type VitrineClient, vitrine } from '@vitrine/sdk'
import {
  createInstallation,
  createKey,
  type Database,
  idSource,
  openDatabase,
  statement,
  systemClock,
  systemRandomness,
  thumbprintOf,
} from '@vitrine/server'
import { payOnPage, shopper } from './page-shopper.ts'
import { type Signer, signer } from './signed-posts.ts'

/** Checkouts whose carts are created in advance. */
const CHECKOUTS_PER_SECOND_MAX = 250
/** The time until the hot paths are compiled: the 100th checkout costs 14 ms of processor time, the 400th 11 ms. */
const WARM_SECONDS = 5
const RETRY_MS = 100
const URLS = { returnUrl: 'https://shop.example/return', cancelUrl: 'https://shop.example/cart' }
/** A demo store with enough SKUs to spread the load as in production. */
const STORE = 'havelton'
const COUNTRY = 'DE'
const ADDRESS = {
  recipientName: 'Ada Example',
  line1: 'Lindenstraße 9',
  city: 'Berlin',
  postalCode: '10969',
  countryCode: COUNTRY,
}

const randomness = systemRandomness()
const ids = idSource(systemClock, randomness)

interface Load {
  readonly door: string
  readonly databaseUrl: string
  readonly shoppers: number
  readonly seconds: number
  /** All buy the same SKU. */
  readonly isHot?: boolean
  /** The processor time of server and database so far. */
  readonly meter: () => Promise<number>
}

export interface Checkouts {
  readonly perSecond: number
  /** The processor time of server and database per checkout. */
  readonly processorMs: number
}

/**
 * Orders a second: each is a checkout that an installation begins over HTTP with a proof, the page that a shopper sees, and
 * their payment on it with the simulator, which answers at once. Carts are filled, addressed and quoted beforehand.
 */
export async function checkouts({
  door,
  databaseUrl,
  shoppers,
  seconds: measuredSeconds,
  isHot = false,
  meter,
}: Load): Promise<Checkouts> {
  const database = openDatabase({ url: databaseUrl })
  const agent = new Agent({ keepAlive: true, maxSockets: shoppers })
  try {
    const { installationId, key, privateKey } = await register(database)
    await restock(database)
    const client = vitrine({ baseUrl: door, key, privateKey })
    const seconds = WARM_SECONDS + measuredSeconds
    const carts = await quotedCarts(client, {
      count: seconds * CHECKOUTS_PER_SECOND_MAX,
      atOnce: Math.min(shoppers, 16),
      isHot,
    })
    const signs = await signer(door, key, privateKey)

    let next = 0
    async function shop(until: number): Promise<void> {
      const visits = shopper(agent)
      while (performance.now() < until) {
        const cart = carts[next]
        if (!cart) return
        next += 1
        await payOnPage(visits, await begin(agent, signs, cart))
      }
    }
    const shopFor = async (lastsSeconds: number): Promise<Checkouts> => {
      const startedAt = performance.now()
      const before = next
      const usedMs = await meter()
      const until = startedAt + lastsSeconds * 1000
      await Promise.all(Array.from({ length: shoppers }, () => shop(until)))
      const done = next - before
      const perSecond = done / ((performance.now() - startedAt) / 1000)
      return { perSecond, processorMs: ((await meter()) - usedMs) / done }
    }
    await shopFor(WARM_SECONDS)
    const measured = await shopFor(measuredSeconds)

    const orders = await ordersOf(database, installationId)
    if (orders !== next) throw new Error(`Of ${next} checkouts that were paid, ${orders} became orders.`)
    return measured
  } finally {
    agent.destroy()
    await database.close()
  }
}

async function register(database: Database) {
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const privateKey = pair.privateKey.export({ format: 'jwk' }) as unknown as PrivateJwk
  const jkt = await thumbprintOf(pair.publicKey.export({ format: 'jwk' }))
  const making = { ids, now: systemClock.now(), randomness }
  return database.transaction(async (tx) => {
    const about = { name: 'Bench', environment: 'test', storeSlug: STORE, returnUrls: Object.values(URLS) } as const
    const installationId = await createInstallation(tx, about, making)
    const scopes = ['catalog:read', 'checkout:quote'] as const
    const { key } = await createKey(tx, { installationId, scopes, jkt }, making)
    return { installationId, key, privateKey }
  })
}

const fill = statement(
  'bench.restock',
  "update stock_levels set on_hand = held + 1000000 where environment = 'test' and counted",
)

/** Restocks all SKUs, so that none sells out. */
async function restock(database: Database): Promise<void> {
  await database.transaction((tx) => tx.change(fill, []))
}

interface QuotedCart {
  readonly id: string
  readonly quoteId: string
}

/** Carts that are ready for checkout, over all SKUs in turn. */
async function quotedCarts(
  client: VitrineClient,
  { count, atOnce, isHot }: { readonly count: number; readonly atOnce: number; readonly isHot: boolean },
): Promise<readonly QuotedCart[]> {
  const { data } = await client.call('listApiKeyCatalogProducts')
  const sold = data
    .flatMap((product) => product.skus)
    .filter((sku) => sku.minQuantity === 1 && sku.availability === 'in_stock')
  const skus = isHot ? sold.slice(0, 1) : sold
  if (skus.length === 0) throw new Error(`${STORE} has nothing to sell.`)
  const carts: QuotedCart[] = []
  let next = 0
  const work = async () => {
    while (next < count) {
      const sku = skus[next % skus.length]!
      next += 1
      carts.push(await quotedCart(client, sku.id, sku.price.currency))
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return carts
}

async function quotedCart(client: VitrineClient, skuId: string, currency: string): Promise<QuotedCart> {
  const made = await client.call('createPublicCart', {
    body: { currency, country: COUNTRY, lines: [{ skuId, quantity: 1 }] },
  })
  const params = { cartId: made.id }
  const option = made.shippingOptions[0]
  const contact = { email: 'ada@example.com' }
  await client.call('setPublicCartAddress', {
    params,
    body: { shipping: ADDRESS, contact, ...(option && { shippingOptionId: option.id }) },
  })
  const quote = await client.call('quotePublicCart', { params, body: {} })
  return { id: made.id, quoteId: quote.id }
}

/** Begins a checkout session. @returns the URL of its page */
async function begin(agent: Agent, signs: Signer, { id, quoteId }: QuotedCart): Promise<string> {
  const path = `/api/v1/open/storefront/carts/${id}/checkout`
  const body = JSON.stringify({ quoteId, ...URLS })
  let { status, text } = await signs.post(agent, { path, body }, signs.headersFor({ path, body }))
  while (status === 503) {
    // As the SDK does if nothing was applied.
    await setTimeout(RETRY_MS)
    ;({ status, text } = await signs.post(agent, { path, body }, signs.headersFor({ path, body })))
  }
  if (status !== 200) throw new Error(`a checkout answered ${status}: ${text}`)
  return (JSON.parse(text) as { readonly data: { readonly url: string } }).data.url
}

const count = statement<{ orders: bigint }>(
  'bench.count_orders',
  'select count(*) as orders from orders where installation_id = $1',
)

async function ordersOf(database: Database, installationId: string): Promise<number> {
  return Number((await database.reader.row(count, [installationId]))?.orders ?? 0n)
}
