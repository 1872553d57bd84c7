import { readFile } from 'node:fs/promises'
import { type PrivateJwk, type VitrineClient, vitrine } from '@vitrine/sdk'
import { type Connection, headerOf, openConnection } from './connection.ts'
import { type Signer, signer, type Target } from './signed-posts.ts'

/** Carts of one connection. Requests rotate among them, so that no line reaches its maximum before the benchmark ends. */
const CARTS_PER_CONNECTION = 40
/** Adds of one connection to a cart that all connections share, before all go on to the next. */
const ADDS_TO_SHARED = 3
/** Requests of one connection whose proofs are created in advance. */
const SIGNED_PER_SECOND = 100
const LINES = 3

/** The measured kinds of requests. */
export type CartRequest = 'create' | 'read' | 'unchanged' | 'add' | 'contended add' | 'update' | 'quote'

export interface Carts {
  /** Requests per second, over all connections. */
  run(request: CartRequest, seconds: number): Promise<number>
  close(): void
}

/** A connection and its carts. */
interface Shopper {
  readonly connection: Connection
  readonly carts: readonly Cart[]
}

interface Cart {
  readonly path: string
  readonly etag: string | undefined
}

/** Requests for carts of three lines as installations send them: each with its own proof, over persistent connections. */
export async function carts(door: string, key: string, privateKeyFile: string, connections: number): Promise<Carts> {
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const signs = await signer(door, key, jwk)
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const skus = await skusOf(client)
  const shoppers = await Promise.all(Array.from({ length: connections }, () => openShopper(door, client, signs, skus)))

  const all = shoppers.flatMap((shopper) => shopper.carts)
  let sharedTurns = 0

  const targetOf = (request: CartRequest, { path, etag }: Cart, turn: number): Target => {
    switch (request) {
      case 'create':
        return {
          path: '/api/v1/open/storefront/carts',
          body: JSON.stringify({ currency: skus.currency, country: 'US' }),
        }
      case 'read':
        return { method: 'GET', path }
      case 'unchanged':
        return { method: 'GET', path, headers: etag === undefined ? {} : { 'if-none-match': etag } }
      case 'add':
        return { path: `${path}/items`, body: JSON.stringify({ skuId: skus.ids[0], quantity: 1 }) }
      case 'contended add': {
        const shared = all[Math.floor((sharedTurns + turn) / ADDS_TO_SHARED) % all.length] as Cart
        return { path: `${shared.path}/items`, body: JSON.stringify({ skuId: skus.ids[2], quantity: 1 }) }
      }
      case 'update':
        return {
          method: 'PATCH',
          path: `${path}/items/${skus.ids[1]}`,
          body: JSON.stringify({ quantity: 1 + (turn % 9) }),
        }
      case 'quote':
        return { path: `${path}/quote`, body: '{}' }
    }
  }

  async function repeat(
    { connection }: Shopper,
    prepared: readonly Buffer[],
    sign: (turn: number) => Buffer,
    until: number,
  ) {
    let done = 0
    while (performance.now() < until) {
      const { status, head, body } = await connection.send(prepared[done] ?? sign(done))
      if (status >= 400) throw new Error(`a cart answered ${status}: ${body}`)
      const nonce = headerOf(head, 'dpop-nonce')
      if (nonce !== undefined) signs.useNonce(nonce)
      done += 1
    }
    return done
  }

  return {
    async run(request, seconds) {
      const signOf =
        ({ carts }: Shopper) =>
        (turn: number) =>
          signs.requestFor(targetOf(request, carts[turn % carts.length] as Cart, turn))
      // Signed before the clock starts: the load shares its cores with what is measured.
      const prepared = shoppers.map((shopper) =>
        Array.from({ length: seconds * SIGNED_PER_SECOND }, (_, turn) => signOf(shopper)(turn)),
      )
      const startedAt = performance.now()
      const until = startedAt + seconds * 1000
      const counts = await Promise.all(
        shoppers.map((shopper, index) => repeat(shopper, prepared[index] ?? [], signOf(shopper), until)),
      )
      const perSecond = counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
      if (request === 'contended add') sharedTurns += Math.max(...counts)
      return perSecond
    },
    close() {
      for (const { connection } of shoppers) connection.close()
    },
  }
}

export interface Skus {
  readonly currency: string
  readonly ids: readonly string[]
}

/** SKUs that every cart can take, and often. */
export async function skusOf(client: VitrineClient): Promise<Skus> {
  const products = await client.call('listApiKeyCatalogProducts')
  const skus = products.data
    .flatMap((product) => product.skus)
    .filter((sku) => sku.maxQuantity >= 50 && sku.minQuantity === 1 && sku.step === 1)
    // Enough stock for many carts: not a level that checkouts have emptied.
    .filter((sku) => sku.availability === 'in_stock' && (sku.availableQuantity ?? 100) >= 50)
  const currency = skus[0]?.price.currency
  const ids = skus.filter(({ price }) => price.currency === currency).map(({ id }) => id)
  if (currency === undefined || ids.length < LINES) throw new Error('Too few SKUs can be added often enough.')
  return { currency, ids: ids.slice(0, LINES) }
}

async function openShopper(door: string, client: VitrineClient, signs: Signer, skus: Skus): Promise<Shopper> {
  const connection = await openConnection(door)
  const carts: Cart[] = []
  for (let made = 0; made < CARTS_PER_CONNECTION; made += 1) {
    const lines = skus.ids.map((skuId) => ({ skuId, quantity: 1 }))
    const cart = await client.call('createPublicCart', { body: { currency: skus.currency, country: 'US', lines } })
    const path = `/api/v1/open/storefront/carts/${cart.id}`
    const { head } = await connection.send(signs.requestFor({ method: 'GET', path }))
    carts.push({ path, etag: headerOf(head, 'etag') })
  }
  return { connection, carts }
}
