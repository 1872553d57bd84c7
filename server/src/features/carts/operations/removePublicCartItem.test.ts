import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
  assertRefused,
  assertRefusedWhenClosed,
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

function remove(who: Client, cart: CartBody, code: string) {
  return who.delete(`${CARTS}/${cart.id}/items/${shop.sku(code)}`)
}

describe('removePublicCartItem', () => {
  test('200 removes the line and moves later ones up', async () => {
    const cart = await cartOf(shop, client, { BOWL: 5, MUG: 1, VASE: 1 })
    const { body, text } = await remove(client, cart, 'BOWL')
    assert.deepEqual(body.data?.lines, cart.lines.slice(1), text)
    assert.equal(body.data.version, 2)
    const { body: read } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual(read.data, body.data)
    const positions = await shop.query('select position from cart_lines where cart_id = $1 order by 1', [cart.id])
    assert.deepEqual(positions, [{ position: 1 }, { position: 2 }])
  })

  test('200 after an add restores the cart', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    await client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('VASE'), quantity: 1 })
    const { body } = await remove(client, cart, 'VASE')
    assert.deepEqual(body.data.totals, cart.totals)
    assert.deepEqual(body.data.lines, cart.lines)
  })

  test('200 removes a line no longer for sale', async () => {
    const cart = await cartOf(shop, client, { BOWL: 1 })
    await shop.run(`update skus set status = 'withdrawn' where id = $1`, [shop.sku('BOWL')])
    const { status } = await remove(client, cart, 'BOWL')
    await shop.run(`update skus set status = 'offered' where id = $1`, [shop.sku('BOWL')])
    assert.equal(status, 200)
  })

  test('404 not_found: a SKU not in the cart, such as on a second removal', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    assert.equal((await remove(client, cart, 'MUG')).status, 200)
    assertRefused(await remove(client, cart, 'MUG'), 404, 'not_found')
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => remove(who, cart, 'MUG')))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked, whether or not the SKU is in the cart', async () => {
    await assertRefusedWhenClosed(shop, client, (cart) => remove(client, cart, 'MUG'))
    await assertRefusedWhenClosed(shop, client, (cart) => remove(client, cart, 'BOWL'))
  })

  test('400 validation_failed: a body, which the operation does not have', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answer = await client.delete(`${CARTS}/${cart.id}/items/${shop.sku('MUG')}`, { reason: 'changed my mind' })
    assertRefused(answer, 400, 'validation_failed')
    assert.deepEqual([answer.body.details[0].in, answer.body.details[0].code], ['body', 'not_allowed'])
  })
})
