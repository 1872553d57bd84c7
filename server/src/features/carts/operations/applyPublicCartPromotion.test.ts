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

function apply(who: Client, cart: CartBody, code: string, more: object = {}) {
  return who.put(`${CARTS}/${cart.id}/promotion`, { code, ...more })
}

describe('applyPublicCartPromotion', () => {
  test('200 takes 15 % off the order, allocated exactly over its lines', async () => {
    const cart = await cartOf(shop, client, { MUG: 3, BOWL: 1 })
    const { body, text } = await apply(client, cart, 'SUMMER15')
    const { data } = body
    assert.deepEqual(
      data?.promotion,
      {
        status: 'applied',
        code: 'SUMMER15',
        promotionId: shop.promotionId('SUMMER15'),
        title: 'Code SUMMER15',
        phase: 'order',
        amount: { amount: 894, currency: 'EUR' },
      },
      text,
    )
    assert.deepEqual([data.cartId, data.cartVersion], [cart.id, 2])
    assert.equal(data.totals.itemsDiscount.amount, 894)
    const read = await client.get(`${CARTS}/${cart.id}`)
    const allocated = read.body.data.lines.flatMap((line: CartBody) => line.discountAllocations)
    assert.deepEqual(
      allocated.map((each: CartBody) => each.amount.amount),
      [564, 330],
    )
  })

  test('200 ignores case and replaces the current code', async () => {
    const cart = await cartOf(shop, client, { BOWL: 5 })
    await apply(client, cart, 'summer15')
    const { body } = await apply(client, cart, 'Big')
    assert.deepEqual([body.data.promotion.code, body.data.promotion.status], ['Big', 'applied'])
    assert.equal(body.data.totals.itemsDiscount.amount, 1650)
  })

  test('200 applied and removed again, restores all prices', async () => {
    const cart = await cartOf(shop, client, { MUG: 3, BOWL: 1, NOVEL: 1 })
    await apply(client, cart, 'SUMMER15')
    const { body } = await client.delete(`${CARTS}/${cart.id}/promotion`, {})
    assert.deepEqual(body.data.totals, cart.totals)
  })

  test("404 not_found: another installation's cart", () =>
    assertHiddenFromOthers(shop, (who, cart) => apply(who, cart, 'SUMMER15')))

  test('409 cart_converted, cart_revoked, cart_expired and cart_locked', () =>
    assertRefusedWhenClosed(shop, client, (cart) => apply(client, cart, 'SUMMER15')))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) =>
      apply(client, cart, 'SUMMER15', { expectedVersion }),
    ))

  test('409 promotion_inapplicable: an unknown code; the current one stays', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await apply(client, cart, 'SUMMER15')
    const answer = await apply(client, cart, 'NOBODY')
    assertRefused(answer, 409, 'promotion_inapplicable')
    assert.deepEqual(answer.body.conflict, { reasons: ['invalid'] })
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual([body.data.promotion.code, body.data.version], ['SUMMER15', 2])
  })

  test('409 promotion_inapplicable: returns what is missing from the minimum', async () => {
    const answer = await apply(client, await cartOf(shop, client, { BOWL: 4 }), 'BIG')
    assertRefused(answer, 409, 'promotion_inapplicable')
    assert.deepEqual(answer.body.conflict.reasons, ['minimum_not_met'])
    assert.deepEqual(answer.body.details[0].params, { missingAmount: 1200, currency: 'EUR' })
  })

  test('409 promotion_inapplicable: an expired or used up code', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    assert.deepEqual((await apply(client, cart, 'OVER')).body.conflict.reasons, ['expired'])
    assert.equal((await apply(client, cart, 'ONCE')).status, 200)
    await shop.run(
      `insert into promotion_usage (promotion_id, environment, customer_id, used, used_max) values ($1, 'test', '', 1, 1)`,
      [shop.promotionId('ONCE')],
    )
    assert.deepEqual((await apply(client, cart, 'ONCE')).body.conflict.reasons, ['usage_limit_reached'])
  })
})
