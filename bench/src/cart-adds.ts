import { readFile } from 'node:fs/promises'
import { type PrivateJwk, vitrine } from '@vitrine/sdk'
import { type Connection, headerOf, openConnection } from './connection.ts'
import { signer, type Target } from './signed-posts.ts'

/** Carts of one connection: adds go round, so that no line meets its maximum before the bench ends. */
const CARTS_PER_CONNECTION = 40
/** Adds whose proofs are created in advance. */
const ADDS_PER_SECOND_MAX = 1500

export interface CartAdds {
  run(seconds: number): Promise<number>
  close(): void
}

/** Adds to carts as installations do: a proof and a new idempotency key for each request, over persistent connections. */
export async function cartAdds(
  door: string,
  key: string,
  privateKeyFile: string,
  connections: number,
): Promise<CartAdds> {
  const jwk = JSON.parse(await readFile(privateKeyFile, 'utf8')) as PrivateJwk
  const signs = await signer(door, key, jwk)
  const targets = await prepareCarts(door, key, jwk, connections)
  const open = await Promise.all(targets.map(() => openConnection(door)))

  async function add(connection: Connection, request: Buffer): Promise<void> {
    const { status, head, body } = await connection.send(request)
    if (status !== 200) throw new Error(`a cart add answered ${status}: ${body}`)
    signs.useNonce(headerOf(head, 'dpop-nonce') as string)
  }

  async function repeat(connection: Connection, own: readonly Target[], prepared: readonly Buffer[], until: number) {
    let done = 0
    while (performance.now() < until) {
      await add(connection, prepared[done] ?? signs.requestFor(own[done % own.length] as Target))
      done += 1
    }
    return done
  }

  return {
    async run(seconds) {
      const each = Math.ceil((seconds * ADDS_PER_SECOND_MAX) / connections)
      // Signed before the clock starts: the load shares its cores with what is measured.
      const prepared = targets.map((own) =>
        Array.from({ length: each }, (_, index) => signs.requestFor(own[index % own.length] as Target)),
      )
      const startedAt = performance.now()
      const until = startedAt + seconds * 1000
      const counts = await Promise.all(
        open.map((connection, index) => repeat(connection, targets[index] ?? [], prepared[index] ?? [], until)),
      )
      return counts.reduce((sum, count) => sum + count, 0) / ((performance.now() - startedAt) / 1000)
    },
    close() {
      for (const connection of open) connection.close()
    },
  }
}

async function prepareCarts(door: string, key: string, jwk: PrivateJwk, connections: number): Promise<Target[][]> {
  const client = vitrine({ baseUrl: door, key, privateKey: jwk })
  const products = await client.call('listApiKeyCatalogProducts')
  const skus = products.data
    .flatMap((product) => product.skus)
    .filter((sku) => sku.maxQuantity >= 50 && sku.minQuantity === 1 && sku.step === 1)
  const sku = skus.find((each) => each.availability === 'in_stock')
  if (!sku) throw new Error('No SKU of the first page can be added often enough.')
  const { currency } = sku.price
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const own: Target[] = []
      for (let made = 0; made < CARTS_PER_CONNECTION; made += 1) {
        const cart = await client.call('createPublicCart', { body: { currency, country: 'US' } })
        own.push({
          path: `/api/v1/open/storefront/carts/${cart.id}/items`,
          body: JSON.stringify({ skuId: sku.id, quantity: 1 }),
        })
      }
      return own
    }),
  )
}
