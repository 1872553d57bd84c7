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

function remove(who: Client, cart: CartBody, body: object = {}) {
  return who.delete(`${CARTS}/${cart.id}/promotion`, body)
}

describe('removePublicCartPromotion', () => {
  test('200 removes the code and restores all prices', async () => {
    const cart = await cartOf(shop, client, { MUG: 3 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SUMMER15' })
    const { body, text } = await remove(client, cart)
    assert.deepEqual(body.data?.promotion, { status: 'none' }, text)
    assert.deepEqual(body.data.totals, cart.totals)
    assert.equal(body.data.cartVersion, 3)
  })

  test('200 without a code changes no price', async () => {
    const { body } = await remove(client, await cartOf(shop, client, { MUG: 1 }))
    assert.deepEqual(body.data.promotion, { status: 'none' })
  })

  test("404 not_found: another installation's cart", () => assertHiddenFromOthers(shop, remove))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => remove(client, cart)))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => remove(client, cart, { expectedVersion })))
})
