import assert from 'node:assert/strict'
import type { Answer, Client } from '../client.ts'
import { CANCEL_URL, quoted, RETURN_URL, readyCart, stockOf } from './checkout.ts'
import { assertRefused, CARTS, type CartBody, cartOf, putInto, type Shop } from './shop.ts'

/** Begins the checkout of a cart with one of the two operations, which share their refusals. */
export type Begin = (cartId: string, more?: object) => Promise<Answer>

/** Tests of each refusal of a checkout, by code. */
export function checkoutRefusals(shop: Shop, client: Client, begin: Begin) {
  const ready = (units: Readonly<Record<string, number>> = { MUG: 2 }, more: object = {}) =>
    readyCart(shop, client, units, more)

  /** A refused checkout leaves nothing behind: the cart is active, nothing is held. */
  async function assertNothingHeld({ id }: CartBody) {
    const { body } = await client.get(`${CARTS}/${id}`)
    assert.equal(body.data.status, 'active')
    assert.deepEqual(await shop.query('select 1 from checkout_sessions where cart_id = $1', [id]), [])
  }

  async function refusesAlike(cart: CartBody, code: string, more: object = {}): Promise<Answer> {
    const answer = await begin(cart.id, more)
    assertRefused(answer, 409, code)
    return answer
  }

  return {
    async validation_failed() {
      const cart = await ready()
      for (const [more, pointer] of [
        [{ returnUrl: `${RETURN_URL}/` }, '/returnUrl'],
        [{ cancelUrl: 'https://evil.example/cart' }, '/cancelUrl'],
        [{ returnUrl: RETURN_URL.replace('https', 'http') }, '/returnUrl'],
        [{ cancelUrl: `${CANCEL_URL}?next=1` }, '/cancelUrl'],
      ] as const) {
        const answer = await begin(cart.id, more)
        assertRefused(answer, 400, 'validation_failed')
        assert.deepEqual(
          answer.body.details.map((each: { pointer: string; code: string }) => [each.pointer, each.code]),
          [[pointer, 'not_registered']],
        )
      }
      await assertNothingHeld(cart)
    },

    async not_found() {
      const otherClient = await shop.client()
      const cart = await cartOf(shop, otherClient, { MUG: 1 })
      assertRefused(await begin(cart.id), 404, 'not_found')
      assertRefused(await begin(shop.ids.next('cart')), 404, 'not_found')
      const [own, other] = [await ready(), await ready()]
      const quoteId = await quoted(client, other.id)
      assertRefused(await begin(own.id, { quoteId }), 404, 'not_found')
    },

    async ended(state: 'converted' | 'revoked' | 'expired') {
      const cart = await ready()
      await putInto(shop, cart.id, state)
      const answer = await refusesAlike(cart, `cart_${state}`)
      assert.equal(answer.body.conflict.currentState, state)
    },

    async version_conflict() {
      const cart = await ready()
      const answer = await refusesAlike(cart, 'version_conflict', { expectedVersion: 7 })
      assert.deepEqual(answer.body.conflict, { expectedVersion: 7, currentVersion: 2, currentState: 'active' })
      assert.equal((await begin(cart.id, { expectedVersion: 2 })).status, 200)
    },

    async cart_empty() {
      await refusesAlike(await cartOf(shop, client), 'cart_empty')
    },

    async cart_incomplete() {
      const cart = await ready()
      const { postalCode: _, ...shipping } = { ...cart.shippingAddress }
      await client.put(`${CARTS}/${cart.id}/address`, { shipping })
      const answer = await refusesAlike(cart, 'cart_incomplete')
      assert.deepEqual(answer.body.details[0].pointer, '/shippingAddress/postalCode')
      await assertNothingHeld(cart)
    },

    async quote_expired() {
      const cart = await ready()
      const quoteId = await quoted(client, cart.id)
      shop.clock.advance(1_800_000)
      await refusesAlike(cart, 'quote_expired', { quoteId })
      await assertNothingHeld(cart)
    },

    async quote_stale() {
      const cart = await ready()
      const quoteId = await quoted(client, cart.id)
      await client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
      const answer = await refusesAlike(cart, 'quote_stale', { quoteId })
      assert.deepEqual(answer.body.conflict, { expectedVersion: 2, currentVersion: 3 })
    },

    async price_changed() {
      const cart = await ready({ BOWL: 1 })
      await shop.setPrice('BOWL', 2300)
      const answer = await refusesAlike(cart, 'price_changed')
      assert.equal(answer.body.conflict.lines[0].skuId, shop.sku('BOWL'))
      await shop.setPrice('BOWL', 2200)
      assert.equal((await begin(cart.id)).status, 200)
    },

    async sku_unavailable() {
      const cart = await ready({ VASE: 1 })
      const archive = (status: string) =>
        shop.run('update products set status = $2 where id = (select product_id from skus where id = $1)', [
          shop.sku('VASE'),
          status,
        ])
      await archive('archived')
      await refusesAlike(cart, 'sku_unavailable')
      await archive('published')
    },

    async currency_mismatch() {
      const cart = await ready({ MUG: 1 }, { currency: 'USD' })
      await shop.run(`update prices set currency = 'GBP' where sku_id = $1 and currency = 'USD'`, [shop.sku('MUG')])
      await refusesAlike(cart, 'currency_mismatch')
      await shop.run(`update prices set currency = 'USD' where sku_id = $1 and currency = 'GBP'`, [shop.sku('MUG')])
    },

    async quantity_exceeded() {
      const cart = await ready({ CUP: 10 })
      const setMaxQuantity = (max: number) =>
        shop.run('update skus set max_quantity = $2 where id = $1', [shop.sku('CUP'), max])
      await setMaxQuantity(8)
      const answer = await refusesAlike(cart, 'quantity_exceeded')
      assert.equal(answer.body.conflict.lines[0].requestedQuantity, 10)
      await setMaxQuantity(10)
    },

    async promotion_inapplicable() {
      const applied = async () => {
        const cart = await ready()
        await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'ONCE' })
        return cart
      }
      const [first, second, third] = [await applied(), await applied(), await applied()]
      const quoteId = await quoted(client, second.id)
      assert.equal((await begin(first.id)).status, 200)
      const withQuote = await refusesAlike(second, 'promotion_inapplicable', { quoteId })
      assert.deepEqual(withQuote.body.conflict.reasons, ['usage_limit_reached'])
      const without = await refusesAlike(third, 'promotion_inapplicable')
      assert.deepEqual(without.body.conflict.reasons, ['usage_limit_reached'])
      await assertNothingHeld(second)
    },

    async out_of_stock() {
      const cart = await ready({ VASE: 3, MUG: 1 })
      const quoteId = await quoted(client, cart.id)
      const mugs = await stockOf(shop, 'MUG')
      await shop.setStock('VASE', 2)
      const answer = await refusesAlike(cart, 'out_of_stock', { quoteId })
      assert.deepEqual(answer.body.conflict.lines, [
        { skuId: shop.sku('VASE'), requestedQuantity: 3, availableQuantity: 2 },
      ])
      assert.deepEqual([await stockOf(shop, 'VASE'), await stockOf(shop, 'MUG')], [{ onHand: 2, held: 0 }, mugs])
      await assertNothingHeld(cart)
      await shop.setStock('VASE', 3)
    },
  }
}
