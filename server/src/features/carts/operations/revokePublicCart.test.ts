import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { eventBody } from '@vitrine/contract'
import { Compile } from 'typebox/compile'
import type { Client } from '../../../../../test/support/client.ts'
import {
  assertHiddenFromOthers,
  assertRefusedWhenClosed,
  assertRefusedWhenStale,
  CARTS,
  type CartBody,
  cartOf,
  putInto,
  type Shop,
  startShop,
} from '../../../../../test/support/commerce/shop.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import type { InstallationClient } from '../../../../../test/support/world.ts'
import { refuse } from '../../../kernel/refusal.ts'
import type { WriteContext } from '../../../platform/http/handler.ts'
import { RuleSnapshots } from '../../pricing/index.ts'
import { quoteSigners } from '../quote-signature.ts'
import { revokePublicCart } from './revokePublicCart.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

function revoke(who: Client, cart: CartBody, body: object = {}) {
  return who.post(`${CARTS}/${cart.id}/revoke`, body)
}

describe('revokePublicCart', () => {
  test('200 revokes the cart, which can still be read', async () => {
    const cart = await cartOf(shop, client, { MUG: 2 })
    const { body, text } = await revoke(client, cart, { reason: 'The shopper asked for it.' })
    assert.equal(body.data?.status, 'revoked', text)
    assert.equal(body.data.version, 2)
    assert.deepEqual(body.data.lines, cart.lines)
    assert.deepEqual((await client.get(`${CARTS}/${cart.id}`)).body.data, body.data)
  })

  test('200 publishes cart.revoked as in the contract', async () => {
    const cart = await cartOf(shop, client)
    const { body } = await revoke(client, cart, { reason: 'The shopper started over.' })
    const [event] = await shop.query(`select body from events where subject_id = $1 and kind = 'cart.revoked'`, [
      cart.id,
    ])
    const told = JSON.parse((event as { body: Buffer }).body.toString())
    assert.equal(told.sequence, 1)
    assert.deepEqual(told.data, {
      cartId: cart.id,
      version: 2,
      reason: 'The shopper started over.',
      revokedAt: body.data.updatedAt,
    })
    assert.ok(Compile(eventBody('cart.revoked')).Check(told))
  })

  test('200 revokes a locked cart and cancels its checkout first', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, cart.id, 'locked')
    const canceled: string[] = []
    const data = await revokeWith(cart, async ({ checkoutSessionId }) => void canceled.push(checkoutSessionId))
    assert.deepEqual(canceled, ['cks_01k5b7m2q8e9rtv3w4x5y6z7a8'])
    assert.equal(data.status, 'revoked')
    assert.equal(data.checkoutSessionId, undefined)
  })

  test("404 not_found: another installation's cart", () => assertHiddenFromOthers(shop, revoke))

  test('409 cart_converted, cart_revoked and cart_expired: the cart has ended already', () =>
    assertRefusedWhenClosed(shop, client, (cart) => revoke(client, cart), ['converted', 'revoked', 'expired']))

  test('409 version_conflict: the expected version is not the current one', () =>
    assertRefusedWhenStale(shop, client, (cart, expectedVersion) => revoke(client, cart, { expectedVersion })))

  test('409 payment_outcome_unknown: the cart stays locked until the outcome is known', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, cart.id, 'locked')
    await refuses('payment_outcome_unknown', () => revokeWith(cart, async () => refuse('payment_outcome_unknown')))
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual([body.data.status, body.data.version], ['locked', 1])
  })
})

/** Revokes with a stubbed checkout. */
function revokeWith(cart: CartBody, cancelCheckout: Parameters<typeof revokePublicCart>[0]['cancelCheckout']) {
  const handler = revokePublicCart({
    rules: new RuleSnapshots(),
    checkVatIds: async () => {},
    signers: quoteSigners(Buffer.alloc(32)),
    findCustomer: async () => null,
    cancelCheckout,
  })
  return shop.database.transaction((tx) => {
    const principal = { installationId: client.installationId, environment: 'test', storeId: null }
    const context = { tx, ids: shop.ids, now: shop.clock.now(), principal, revisionOf: () => '1' }
    return handler({ params: { cartId: cart.id }, query: {}, body: {} }, context as unknown as WriteContext)
  })
}
