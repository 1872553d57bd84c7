import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  begunSession,
  checkoutClient,
  eventKindsOf,
  pressPay,
  readSession,
  stockOf,
  waitsForTransfer,
} from '../../../../test/support/commerce/checkout.ts'
import { CARTS, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { expireSessions } from './index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

const expire = () => expireSessions(shop.database, { now: shop.clock.now(), ids: shop.ids })
const HOUR_MS = 3_600_000

describe('the expiry worker', () => {
  test('saves the same status, version and time that reads have shown', async () => {
    const before = await stockOf(shop, 'MUG')
    const session = await begunSession(shop, client)
    shop.clock.advance(2 * HOUR_MS)
    const seen = await readSession(client, session.id)
    assert.deepEqual([seen.status, seen.version, seen.updatedAt], ['expired', 2, session.expiresAt])
    assert.equal(await expire(), 1)
    assert.deepEqual(await readSession(client, session.id), seen)
    assert.deepEqual(await stockOf(shop, 'MUG'), before)
    const cart = await client.get(`${CARTS}/${session.cartId}`)
    assert.equal(cart.body.data.status, 'active')
    assert.deepEqual(await eventKindsOf(shop, session.id), ['checkout.session.created', 'checkout.session.expired'])
    assert.equal(await expire(), 0)
  })

  test('voids a payment the shopper started and did not finish', async () => {
    const session = await begunSession(shop, client)
    const chargeId = await waitsForTransfer(shop, session)
    shop.clock.advance(24 * HOUR_MS)
    assert.equal(await expire(), 0, 'a bank transfer has days')
    shop.clock.advance(7 * 24 * HOUR_MS)
    assert.equal(await expire(), 1)
    await shop.work()
    const [charge] = await shop.query('select status from payment_intents where id = $1', [chargeId])
    assert.equal(charge?.status, 'canceled')
    assert.deepEqual((await readSession(client, session.id)).payment, { status: 'failed' })
  })

  test('skips a session with a processing payment', async () => {
    const session = await begunSession(shop, client)
    await pressPay(shop, session)
    shop.clock.advance(HOUR_MS)
    assert.equal(await expire(), 0)
    assert.equal((await readSession(client, session.id)).status, 'processing')
  })

  test('works through more than one batch', async () => {
    const session = await begunSession(shop, client)
    await shop.run(
      `insert into carts (id, installation_id, environment, status, version, currency, country, locale, checkout_session_id,
         created_at, updated_at, expires_at)
       select 'cart_' || n, installation_id, environment, 'locked', 1, currency, country, locale, 'cks_' || n, created_at,
         updated_at, expires_at
       from carts, generate_series(1, 150) as n where id = $1`,
      [session.cartId],
    )
    await shop.run(
      `insert into checkout_sessions (id, installation_id, environment, cart_id, quote_id, version, return_url, cancel_url,
         created_at, updated_at, expires_at)
       select 'cks_' || n, installation_id, environment, 'cart_' || n, quote_id, 1, return_url, cancel_url, created_at,
         updated_at, expires_at
       from checkout_sessions, generate_series(1, 150) as n where id = $1`,
      [session.id],
    )
    shop.clock.advance(HOUR_MS)
    assert.equal(await expire(), 151)
  })
})
