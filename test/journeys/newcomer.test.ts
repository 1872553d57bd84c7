import assert from 'node:assert/strict'
import { createPublicKey, type JsonWebKey, verify } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { type CallOutput, type VitrineClient, VitrineError, vitrine } from '@vitrine/sdk'
import { idSource, importCatalog, statement, systemClock, systemRandomness } from '@vitrine/server'
import { testDatabase } from '../support/database.ts'
import { loadDemoInto, type Service, startService } from '../support/processes/service.ts'

/*
 * With the demo and the SDK, a new developer gets from a search to a signed quote using only public operations.
 */

type Cart = CallOutput<'createPublicCart'>
type CheckoutQuote = CallOutput<'quotePublicCart'>

let server: Service
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
before(async () => {
  ;({ database, url } = await testDatabase())
  await loadDemoInto(url)
  server = await startService({ databaseUrl: url })
})

const money = ({ amount, currency }: { readonly amount: number; readonly currency: string }) =>
  `${(amount / 100).toFixed(2)} ${currency}`

async function skuOf(client: VitrineClient, slug: string) {
  const { skus } = await client.call('getCatalogProduct', {
    params: { slug },
    query: { currency: 'EUR', country: 'DE' },
  })
  return skus[0]!
}

/** Whether a quote verifies with the published key and has the signed content. */
async function isGenuine(client: VitrineClient, quote: CheckoutQuote): Promise<boolean> {
  const { publicKeys } = (await client.call('getRuntimeConfig')).quote
  const key = publicKeys.find(({ kid }) => kid === quote.signature.kid)
  const payload = Buffer.from(quote.signature.payload, 'base64url')
  assert.deepEqual(JSON.parse(payload.toString()).totals, quote.totals)
  return verify(
    null,
    payload,
    createPublicKey({ key: { ...key } as JsonWebKey, format: 'jwk' }),
    Buffer.from(quote.signature.value, 'base64url'),
  )
}

describe('a new developer', () => {
  let app: VitrineClient
  let cart: Cart
  let quote: CheckoutQuote
  before(async () => {
    app = await server.app()
  })

  test('finds a mug by a misspelled word, in English and German', async () => {
    const found = await app.call('searchCatalogProducts', { query: { q: 'daybrake mug', locale: 'en' } })
    assert.equal(found.data[0]?.slug, 'daybreak-mug')
    const names = await Promise.all(
      ['en', 'de'].map((locale) =>
        app.call('getCatalogProduct', { params: { slug: 'daybreak-mug' }, query: { locale } }),
      ),
    )
    assert.deepEqual(
      names.map(({ name }) => name),
      ['Daybreak Mug', 'Becher Morgenrot'],
    )
  })

  test('fills a cart with four mugs at 26.00 € and pays for three', async () => {
    const mug = await skuOf(app, 'daybreak-mug')
    assert.equal(money(mug.price), '26.00 EUR')
    const { id } = await app.call('createPublicCart', { body: { currency: 'EUR', country: 'DE', locale: 'en' } })

    cart = await app.call('addPublicCartItem', { params: { cartId: id }, body: { skuId: mug.id, quantity: 4 } })

    assert.equal(money(cart.totals.itemsSubtotal), '104.00 EUR')
    assert.equal(money(cart.totals.itemsDiscount), '26.00 EUR')
    assert.deepEqual(
      cart.automaticPromotions.map(({ title, amount }) => [title, money(amount)]),
      [['Four for three: mugs and cups', '26.00 EUR']],
    )
  })

  test('applies a code for 10 % off: 7.80 € of the remaining 78.00 €', async () => {
    const state = await app.call('applyPublicCartPromotion', {
      params: { cartId: cart.id },
      body: { code: 'WELCOME10' },
    })
    assert.equal(state.promotion?.status, 'applied')
    cart = await app.call('getPublicCart', { params: { cartId: cart.id } })
    assert.equal(money(cart.totals.itemsDiscount), '33.80 EUR')
  })

  test('gets a signed quote for Berlin: items 70.20 €, shipping 3.90 €, including 11.83 € tax', async () => {
    await app.call('setPublicCartAddress', {
      params: { cartId: cart.id },
      body: {
        contact: { email: 'ada@shop.example' },
        shipping: {
          recipientName: 'Ada Weber',
          line1: 'Torstraße 1',
          city: 'Berlin',
          postalCode: '10119',
          countryCode: 'DE',
        },
      },
    })

    quote = await app.call('quotePublicCart', { params: { cartId: cart.id }, body: {} })

    assert.equal(quote.status, 'in_force')
    assert.equal(money(quote.totals.total), '74.10 EUR')
    assert.equal(money(quote.totals.shipping!), '3.90 EUR')
    assert.equal(money(quote.totals.tax.amount), '11.83 EUR')
    assert.equal(quote.totals.tax.included, true)
    assert.equal(await isGenuine(app, quote), true)
    const tampered = { ...quote, signature: { ...quote.signature, value: Buffer.alloc(64).toString('base64url') } }
    assert.equal(await isGenuine(app, tampered), false, 'a tampered quote fails')
  })

  test('keeps that price when the mug goes up to 28.00 €, and sees the new price of 79.50 €', async () => {
    await database.transaction(async (tx) => {
      await tx.change(
        statement('journey.dearer', 'update prices set amount = 2800 where currency = $2 and sku_id = $1'),
        [cart.lines[0]!.skuId, 'EUR'],
      )
    })

    const { quote: kept, current } = await app.call('quotePublicCartCheckout', { params: { cartId: cart.id } })

    assert.equal(kept?.status, 'in_force')
    assert.equal(money(kept.totals.total), '74.10 EUR')
    assert.equal(await isGenuine(app, kept), true)
    assert.equal(money(current.totals.total), '79.50 EUR')
  })

  test('sees the quote as stale after changing the cart', async () => {
    const { skuId } = cart.lines[0]!
    await app.call('updatePublicCartItemQuantity', { params: { cartId: cart.id, skuId }, body: { quantity: 1 } })
    const { quote: kept } = await app.call('quotePublicCartCheckout', { params: { cartId: cart.id } })
    assert.equal(kept?.status, 'stale')
  })

  test('finds cart, quote and public key unchanged after a restart', async () => {
    const before = await app.call('getPublicCart', { params: { cartId: cart.id } })
    const { publicKeys } = (await app.call('getRuntimeConfig')).quote
    const { PUBLIC_PORT, PUBLIC_URL } = { PUBLIC_PORT: String(server.config.ports.public), PUBLIC_URL: server.url }
    await server.stop()
    server = await startService({ databaseUrl: url, environment: { PUBLIC_PORT, PUBLIC_URL } })

    assert.deepEqual(await app.call('getPublicCart', { params: { cartId: cart.id } }), before)
    assert.deepEqual((await app.call('getRuntimeConfig')).quote.publicKeys, publicKeys)
    assert.equal(await isGenuine(app, quote), true)
  })
})

describe('an app bound to one store', () => {
  test("sees only that store and cannot sell another's products", async () => {
    const [marketplace, app] = await Promise.all([server.app(), server.app({ storeSlug: 'quire-and-crema' })])

    const { data } = await app.call('listApiKeyCatalogProducts')
    assert.ok(data.length > 0)
    assert.deepEqual(new Set(data.map(({ store }) => store.slug)), new Set(['quire-and-crema']))

    const mug = await skuOf(marketplace, 'boathouse-mug')
    await assert.rejects(
      app.call('getApiKeyCatalogProduct', { params: { slug: 'boathouse-mug' } }),
      (error: VitrineError) => error.answer.status === 404,
    )
    await assert.rejects(
      app.call('createPublicCart', {
        body: { currency: 'EUR', country: 'DE', lines: [{ skuId: mug.id, quantity: 1 }] },
      }),
      (error: VitrineError) => error.answer.code === 'sku_unavailable' && error.answer.outcome === 'not_applied',
    )
  })

  test('gets 404 for another app’s cart', async () => {
    const [owner, otherApp] = await Promise.all([server.app(), server.app()])
    const { id } = await owner.call('createPublicCart', { body: { currency: 'EUR', country: 'DE' } })
    const refusalOf = async (cartId: string) => {
      const error = await otherApp.call('getPublicCart', { params: { cartId } }).catch((failure: unknown) => failure)
      assert.ok(error instanceof VitrineError)
      const { requestId: _, ...said } = error.answer
      return said
    }
    assert.deepEqual(await refusalOf(id), await refusalOf(id.replace(/.$/, (last) => (last === '0' ? '1' : '0'))))
  })
})

describe('two nodes on one database', () => {
  const NAME = 'A mug that glows'
  /** The usual time is short, but on a busy machine it is much longer. */
  const PATIENCE_MS = 20_000

  test('a node picks up changes made on the other', async () => {
    const other = await startService({ databaseUrl: url, roles: ['public'] })
    const firstOn = async (node: Service) => {
      const query = { q: 'mug that glows', store: 'havelton', locale: 'en', limit: 1 }
      return (await vitrine({ baseUrl: node.url }).call('searchCatalogProducts', { query })).data[0]?.name
    }
    assert.notEqual(await firstOn(other), NAME)
    const line = {
      id: 'two-nodes',
      names: { en: NAME },
      skus: [{ code: 'TWO', prices: [{ currency: 'EUR', amount: 1 }] }],
    }
    const ids = idSource(systemClock, systemRandomness())
    const source = [JSON.stringify(line)]

    await importCatalog({ database: server.database, ids, storeSlug: 'havelton', source, now: systemClock.now() })

    const changedAt = performance.now()
    while ((await firstOn(other)) !== NAME) {
      assert.ok(performance.now() - changedAt < PATIENCE_MS, 'the other node picked it up in time')
    }
  })
})
