import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { before, describe, test } from 'node:test'
import { vitrine } from '@vitrine/sdk'
import { statement } from '@vitrine/server'
import { catalogOn, storeLine } from '../support/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { boundKey, type ServingHouse, startHouse } from '../support/house.ts'

/**
 * A shopper must not be charged twice because a response got lost: each SDK call has one effect, wherever the
 * connection breaks.
 */

const { database, url } = await testDatabase()
let service: ServingHouse
before(async () => {
  await catalogOn(database).has([storeLine('pots')])
  service = await startHouse({ databaseUrl: url })
})

/** A proxy to the public API that fails as configured: it forwards the request and drops the response. */
async function flakyProxy() {
  let responsesToDrop = 0
  const server = createServer((client) => {
    const upstream = connect(service.config.ports.public, '127.0.0.1')
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      if (responsesToDrop > 0) {
        responsesToDrop -= 1
        client.destroy()
        upstream.destroy()
      } else client.write(chunk)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    drop(count: number) {
      responsesToDrop = count
    },
    /** Proofs are for the public URL; the network route does not matter. */
    fetch: ((input, init) =>
      fetch(String(input).replace(service.url, `http://127.0.0.1:${port}`), init)) as typeof fetch,
    close: () => server.close(),
  }
}

const carts = statement<{ carts: bigint }>('journey.carts', 'select count(*) as carts from carts')

describe('an app whose responses get lost', () => {
  test('creates one cart in three attempts', async (t) => {
    const proxy = await flakyProxy()
    t.after(() => proxy.close())
    const app = vitrine({ baseUrl: service.url, ...(await boundKey(database)), fetch: proxy.fetch })
    await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
    const before = (await database.reader.row(carts))!.carts

    proxy.drop(2)
    const cart = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })

    assert.equal((await database.reader.row(carts))!.carts, before + 1n)
    assert.equal((await app.call('getPublicCart', { params: { cartId: cart.id } })).version, 1)
  })
})
