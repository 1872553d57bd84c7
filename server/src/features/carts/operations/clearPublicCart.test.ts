import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
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

function clear(who: Client, cart: CartBody, body: object = {}) {
  return who.post(`${CARTS}/${cart.id}/clear`, body)
}

describe('clearPublicCart', () => {
  test('200 removes all lines and keeps contact, addresses and code', async () => {
    const cart = await cartOf(shop, client, { MUG: 2, BOWL: 1 }, { contact: { email: 'ada@example.com' } })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SUMMER15' })
    const { body, text } = await clear(client, cart, { reason: 'The shopper started over.' })
    assert.deepEqual(body.data?.lines, [], text)
    assert.equal(body.data.status, 'active')
    assert.equal(body.data.version, 3)
    assert.equal(body.data.totals.total.amount, 0)
    assert.deepEqual(body.data.contact, { email: 'ada@example.com' })
    assert.deepEqual([body.data.promotion.code, body.data.promotion.status], ['SUMMER15', 'inapplicable'])
    assert.deepEqual(await shop.query('select 1 from cart_lines where cart_id = $1', [cart.id]), [])
  })

  test('200 accepts new items afterwards', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    await clear(client, cart)
    const { body } = await client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    assert.equal(body.data.lines[0].quantity, 1)
  })

  test("404 not_found: another installation's cart", () => assertHiddenFromOthers(shop, clear))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => clear(client, cart)))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => clear(client, cart, { expectedVersion })))
})
