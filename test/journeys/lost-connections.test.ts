import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { before, describe, test } from 'node:test'
import { vitrine } from '@vitrine/sdk'
import { statement } from '@vitrine/server'
import { catalogOn, storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { boundKey, type Service, startService } from '../support/processes/service.ts'

/*
 * An app that uses the SDK has one effect for each call, wherever the connection breaks, so that no shopper is charged twice because
 * of a lost answer.
 */

let service: Service
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
before(async () => {
  ;({ database, url } = await testDatabase())
  await catalogOn(database).has([storeLine('pots')])
  service = await startService({ databaseUrl: url })
})

/** A proxy to the public door that can pass on a request and drop its response. */
async function droppingProxy() {
  let answersToDrop = 0
  const server = createServer((client) => {
    const upstream = connect(service.config.ports.public, '127.0.0.1')
    client.pipe(upstream)
    upstream.on('data', (chunk) => {
      if (answersToDrop > 0) {
        answersToDrop -= 1
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
      answersToDrop = count
    },
    /** Proofs are for the public URL of the service, although the request goes to the proxy. */
    fetch: ((input, init) =>
      fetch(String(input).replace(service.url, `http://127.0.0.1:${port}`), init)) as typeof fetch,
    close: () => server.close(),
  }
}

const carts = statement<{ carts: bigint }>('journey.carts', 'select count(*) as carts from carts')

describe('an app whose responses get lost', () => {
  test('creates one cart in three attempts', async (t) => {
    const way = await droppingProxy()
    t.after(() => way.close())
    const app = vitrine({ baseUrl: service.url, ...(await boundKey(database)), fetch: way.fetch })
    await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
    const before = (await database.reader.row(carts))!.carts

    way.drop(2)
    const cart = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })

    assert.equal((await database.reader.row(carts))!.carts, before + 1n)
    assert.equal((await app.call('getPublicCart', { params: { cartId: cart.id } })).version, 1)
  })
})
