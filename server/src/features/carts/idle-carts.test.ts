import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CARTS, cartOf, putInto, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { ENDED_CART_RETENTION_DAYS, expireIdleCarts, sweepEndedCarts } from './idle-carts.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const DAY_MS = 86_400_000

function expire(): Promise<number> {
  return expireIdleCarts(shop.database, { now: shop.clock.now(), ids: shop.ids })
}

async function statusOf(cartId: string): Promise<unknown> {
  const [row] = await shop.query('select status from carts where id = $1', [cartId])
  return row?.status
}

describe('the expiry of idle carts', () => {
  test('expires carts unchanged for 30 days, and no others', async () => {
    const idle = await cartOf(shop, client, { MUG: 1 })
    const touched = await cartOf(shop, client, { MUG: 1 })
    const locked = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, locked.id, 'locked')
    shop.clock.advance(29 * DAY_MS)
    await client.post(`${CARTS}/${touched.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    shop.clock.advance(DAY_MS)
    assert.equal(await expire(), 1)
    assert.deepEqual(
      [await statusOf(idle.id), await statusOf(touched.id), await statusOf(locked.id)],
      ['expired', 'active', 'locked'],
    )
    assert.equal(await expire(), 0, 'a second run finds nothing')
  })

  test('records an event for each expired cart', async () => {
    const cart = await cartOf(shop, client)
    shop.clock.advance(30 * DAY_MS)
    await expire()
    const events = await shop.query(`select kind, sequence from events where subject_id = $1 order by sequence`, [
      cart.id,
    ])
    assert.deepEqual(events.at(-1), { kind: 'cart.expired', sequence: 2n })
  })

  test('skips a locked cart without waiting', async () => {
    const cart = await cartOf(shop, client)
    shop.clock.advance(31 * DAY_MS)
    await shop.database.transaction(async (tx) => {
      await tx.rows({ name: '', text: 'select 1 from carts where id = $1 for update' }, [cart.id])
      await expire()
      assert.equal(await statusOf(cart.id), 'active')
    })
    assert.equal(await expire(), 1)
  })

  test('works in batches', async () => {
    const cart = await cartOf(shop, client)
    await shop.run(
      `insert into carts (id, installation_id, environment, version, currency, country, locale, created_at, updated_at, expires_at)
       select 'cart_many' || n, installation_id, environment, 1, 'EUR', 'DE', 'en', created_at, updated_at, expires_at
       from carts cross join generate_series(1, 1200) n where id = $1`,
      [cart.id],
    )
    shop.clock.advance(31 * DAY_MS)
    const { transactions } = shop.database.counters()
    assert.ok((await expire()) >= 1201)
    assert.equal(shop.database.counters().transactions - transactions, 3)
  })
})

describe('the sweep of ended carts', () => {
  test('deletes carts with lines and quotes 90 days after their end, but never converted ones', async () => {
    const revoked = await cartOf(shop, client, { MUG: 1 })
    await client.post(`${CARTS}/${revoked.id}/quote`, {})
    await client.post(`${CARTS}/${revoked.id}/revoke`, {})
    const converted = await cartOf(shop, client, { MUG: 1 })
    await putInto(shop, converted.id, 'converted')
    const sweep = () =>
      shop.database.transaction((tx) =>
        tx.change(sweepEndedCarts, [new Date(shop.clock.now().getTime() - ENDED_CART_RETENTION_DAYS * DAY_MS)]),
      )

    shop.clock.advance(ENDED_CART_RETENTION_DAYS * DAY_MS)
    await sweep()
    assert.equal(await statusOf(revoked.id), 'revoked')
    shop.clock.advance(1)
    assert.ok((await sweep()) >= 1)
    assert.equal(await statusOf(revoked.id), undefined)
    assert.deepEqual(await shop.query('select 1 from quotes where cart_id = $1', [revoked.id]), [])
    assert.deepEqual(await shop.query('select 1 from cart_lines where cart_id = $1', [revoked.id]), [])
    assert.equal(await statusOf(converted.id), 'converted')
  })
})
