import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { calculateJwkThumbprint } from 'jose'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  assertRefusedWhenClosed,
  assertRefusedWhenStale,
  CARTS,
  type CartBody,
  cartOf,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

function quote(who: Client, cart: CartBody, body: object = {}) {
  return who.post(`${CARTS}/${cart.id}/quote`, body)
}

/** Verifies as a client does, with the published key only. */
async function verifies({ signature }: CartBody): Promise<boolean> {
  const { body } = await shop.anonymous.get('/api/v1/runtime-config')
  const jwk = body.data.quote.publicKeys.find(({ kid }: CartBody) => kid === signature.kid)
  assert.equal(await calculateJwkThumbprint(jwk), signature.kid)
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  return verify(null, Buffer.from(signature.payload, 'base64url'), key, Buffer.from(signature.value, 'base64url'))
}

describe('quotePublicCart', () => {
  test('200 quotes the current price for 30 minutes, signed', async () => {
    const cart = await cartOf(shop, client, { MUG: 2, NOVEL: 1 })
    const { body, text } = await quote(client, cart)
    const { data } = body
    assert.deepEqual(data?.totals, cart.totals, text)
    assert.deepEqual([data.status, data.cartId, data.cartVersion], ['in_force', cart.id, 1])
    assert.equal(Date.parse(data.expiresAt) - Date.parse(data.createdAt), 30 * 60_000)
    assert.ok(await verifies(data))
    const { status: _, signature, ...content } = data
    assert.deepEqual(JSON.parse(Buffer.from(signature.payload, 'base64url').toString()), content)
  })

  test('200 a flipped byte fails verification', async () => {
    const { body } = await quote(client, await cartOf(shop, client, { MUG: 1 }))
    const bytes = Buffer.from(body.data.signature.payload, 'base64url')
    bytes[bytes.length - 20]! ^= 1
    const signature = { ...body.data.signature, payload: bytes.toString('base64url') }
    assert.equal(await verifies({ signature }), false)
  })

  test('200 a quote stays the same and verifies after prices change', async () => {
    const cart = await cartOf(shop, client, { BOWL: 2 })
    const quoted = (await quote(client, cart)).body.data
    await shop.setPrice('BOWL', 9900)
    const { body } = await client.get(`${CARTS}/${cart.id}/checkout-quote`)
    await shop.setPrice('BOWL', 2200)
    assert.deepEqual(body.data.quote, quoted)
    assert.equal(body.data.quote.totals.itemsSubtotal.amount, 4400)
    assert.equal(body.data.current.totals.itemsSubtotal.amount, 19_800)
    assert.ok(await verifies(body.data.quote))
  })

  test('200 a change to the cart makes a quote stale; its content stays the same', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    const quoted = (await quote(client, cart)).body.data
    await client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    const { body } = await client.get(`${CARTS}/${cart.id}/checkout-quote`)
    assert.deepEqual(body.data.quote, { ...quoted, status: 'stale' })
  })

  test('200 can set the shipping option, which changes the cart', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    const quick = cart.shippingOptions[1].id
    const { body } = await quote(client, cart, { shippingOptionId: quick })
    assert.equal(body.data.cartVersion, 2)
    assert.equal(body.data.totals.shipping.amount, 990)
    const again = await quote(client, cart, { shippingOptionId: quick })
    assert.equal(again.body.data.cartVersion, 2, 'the same option changes nothing')
  })

  test('200 records an event', async () => {
    const { body } = await quote(client, await cartOf(shop, client, { MUG: 1 }))
    const events = await shop.query('select kind, sequence from events where subject_id = $1', [body.data.id])
    assert.deepEqual(events, [{ kind: 'cart.quoted', sequence: 1n }])
  })

  test("404 not_found: another installation's cart", () => assertHiddenFromOthers(shop, quote))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => quote(client, cart)))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => quote(client, cart, { expectedVersion })))

  test('409 cart_empty', async () => {
    assertRefused(await quote(client, await cartOf(shop, client)), 409, 'cart_empty')
  })

  test('409 cart_incomplete: an incomplete address', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const shipping = { recipientName: 'Ada Example', line1: 'Lindenstraße 9', city: 'Berlin', countryCode: 'DE' }
    await client.put(`${CARTS}/${cart.id}/address`, { shipping })
    const answer = await quote(client, cart)
    assertRefused(answer, 409, 'cart_incomplete')
    assert.equal(answer.body.details[0].pointer, '/shippingAddress/postalCode')
  })

  test('409 cart_incomplete: a shipping option that is not offered', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answer = await quote(client, cart, { shippingOptionId: 'shp_01k5b7m2q8e9rtv3w4x5y6z7a8' })
    assertRefused(answer, 409, 'cart_incomplete')
    assert.equal(answer.body.details[0].pointer, '/shippingOptionId')
  })

  test('409 sku_unavailable: names every line no longer for sale', async () => {
    const cart = await cartOf(shop, client, { MUG: 1, BOWL: 2, VASE: 1 })
    const both = [[shop.sku('BOWL'), shop.sku('VASE')]]
    await shop.run(`update skus set status = 'withdrawn' where id = any($1)`, both)
    const answer = await quote(client, cart)
    await shop.run(`update skus set status = 'offered' where id = any($1)`, both)
    assertRefused(answer, 409, 'sku_unavailable')
    assert.deepEqual(
      answer.body.conflict.lines.map(({ lineId }: CartBody) => lineId),
      [cart.lines[1].lineId, cart.lines[2].lineId],
    )
  })

  test('409 currency_mismatch: a SKU without a price now', async () => {
    const cart = await cartOf(shop, client, { VASE: 1 })
    await shop.run('delete from prices where sku_id = $1', [shop.sku('VASE')])
    const answer = await quote(client, cart)
    await shop.run(`insert into prices (sku_id, currency, amount) values ($1, 'EUR', 8900)`, [shop.sku('VASE')])
    assertRefused(answer, 409, 'currency_mismatch')
  })

  test('409 quantity_exceeded: a SKU with a lower limit now', async () => {
    const cart = await cartOf(shop, client, { BOWL: 5 })
    await shop.run('update skus set max_quantity = 4 where id = $1', [shop.sku('BOWL')])
    const answer = await quote(client, cart)
    await shop.run('update skus set max_quantity = 999 where id = $1', [shop.sku('BOWL')])
    assertRefused(answer, 409, 'quantity_exceeded')
  })

  test('409 out_of_stock: returns the stock of each line', async () => {
    const cart = await cartOf(shop, client, { VASE: 3 })
    await shop.setStock('VASE', 1)
    const answer = await quote(client, cart)
    await shop.setStock('VASE', 3)
    assertRefused(answer, 409, 'out_of_stock')
    assert.deepEqual(answer.body.conflict.lines, [
      { lineId: cart.lines[0].lineId, skuId: shop.sku('VASE'), requestedQuantity: 3, availableQuantity: 1 },
    ])
  })

  test('400 money_overflow: prices beyond what JSON carries exactly', async () => {
    const cart = await cartOf(shop, client, { BOWL: 2 })
    await shop.setPrice('BOWL', Number.MAX_SAFE_INTEGER)
    const answer = await quote(client, cart)
    await shop.setPrice('BOWL', 2200)
    assertRefused(answer, 400, 'money_overflow')
  })
})
