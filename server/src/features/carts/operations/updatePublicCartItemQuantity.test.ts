import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
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

function set(who: Client, cart: CartBody, code: string, quantity: number, more: object = {}) {
  return who.patch(`${CARTS}/${cart.id}/items/${shop.sku(code)}`, { quantity, ...more })
}

describe('updatePublicCartItemQuantity', () => {
  test('200 sets the quantity and keeps position and price at add', async () => {
    const cart = await cartOf(shop, client, { BOWL: 5, MUG: 1 })
    await shop.setPrice('BOWL', 2300)
    const { body, text } = await set(client, cart, 'BOWL', 2)
    await shop.setPrice('BOWL', 2200)
    assert.equal(body.data?.lines[0].quantity, 2, text)
    assert.equal(body.data.lines[0].priceAtAdd.amount, 2200)
    assert.equal(body.data.totals.itemsSubtotal.amount, 2 * 2300 + 1254)
    assert.equal(body.data.version, 2)
  })

  test('400 quantity_invalid: zero, or not in the steps of the SKU', async () => {
    const cart = await cartOf(shop, client, { CUP: 4 })
    assertRefused(await set(client, cart, 'CUP', 0), 400, 'quantity_invalid')
    assertRefused(await set(client, cart, 'CUP', 5), 400, 'quantity_invalid')
    assert.equal((await set(client, cart, 'CUP', 6)).status, 200)
  })

  test('404 not_found: a SKU not in the cart', async () => {
    assertRefused(await set(client, await cartOf(shop, client, { MUG: 1 }), 'BOWL', 1), 404, 'not_found')
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => set(who, cart, 'MUG', 2)))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => set(client, cart, 'MUG', 2)))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => set(client, cart, 'MUG', 2, { expectedVersion })))

  test('409 sku_unavailable: a withdrawn SKU can only be removed', async () => {
    const cart = await cartOf(shop, client, { BOWL: 2 })
    await shop.run(`update skus set status = 'withdrawn' where id = $1`, [shop.sku('BOWL')])
    const answer = await set(client, cart, 'BOWL', 1)
    await shop.run(`update skus set status = 'offered' where id = $1`, [shop.sku('BOWL')])
    assertRefused(answer, 409, 'sku_unavailable')
    assert.deepEqual([answer.body.details[0].in, answer.body.details[0].pointer], ['path', '/skuId'])
  })

  test("409 currency_mismatch: the SKU has no price in the cart's currency now", async () => {
    const cart = await cartOf(shop, client, { MUG: 1 }, { currency: 'USD', country: 'US' })
    await shop.run(`delete from prices where sku_id = $1 and currency = 'USD'`, [shop.sku('MUG')])
    const answer = await set(client, cart, 'MUG', 2)
    await shop.run(`insert into prices (sku_id, currency, amount) values ($1, 'USD', 1500)`, [shop.sku('MUG')])
    assertRefused(answer, 409, 'currency_mismatch')
  })

  test('409 quantity_exceeded: more than the limit of the SKU', async () => {
    assertRefused(await set(client, await cartOf(shop, client, { CUP: 2 }), 'CUP', 12), 409, 'quantity_exceeded')
  })

  test('409 out_of_stock: more than the stock', async () => {
    const answer = await set(client, await cartOf(shop, client, { VASE: 1 }), 'VASE', 4)
    assertRefused(answer, 409, 'out_of_stock')
    assert.equal(answer.body.conflict.lines[0].availableQuantity, 3)
  })

  test('400 money_overflow: a line beyond what JSON carries exactly', async () => {
    assertRefused(await set(client, await cartOf(shop, client, { GOLD: 1 }), 'GOLD', 2), 400, 'money_overflow')
  })
})
