import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { CARTS, cartOf, type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { addItem, type Cart } from './cart.ts'
import { loadCart, lockCart, saveCart } from './store.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const principal = () =>
  ({
    installationId: client.installationId,
    storeId: null,
    narrowedTo: null,
    environment: 'test',
    scopes: [],
    senderConstrained: true,
    jkt: null,
    credential: {
      type: 'api_key',
      id: client.keyId,
      display: 'sfk_test_Ab12…wXyZ',
      createdAt: new Date(0),
      expiresAt: null,
    },
  }) as const

/** SQLSTATEs. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const CHECK_VIOLATION = '23514'
const UNIQUE_VIOLATION = '23505'
const FOREIGN_KEY_VIOLATION = '23503'

/** Asserts that the database refuses the statement. */
const assertUnstorable = (sql: string, values: readonly unknown[], code = CHECK_VIOLATION) =>
  assert.rejects(shop.run(sql, values), { code })

describe('the tables of carts', () => {
  test('allow one line per SKU, 1 to 999 units and 100 lines', async () => {
    const { id } = await cartOf(shop, client, { MUG: 1, BOWL: 1 })
    const line =
      'insert into cart_lines (cart_id, sku_id, line_id, position, quantity, price_at_add) values ($1, $2, $3, $4, $5, 0)'
    const vase = shop.sku('VASE')
    await assertUnstorable(line, [id, vase, 'line_a', 3, 0])
    await assertUnstorable(line, [id, vase, 'line_a', 3, 1000])
    await assertUnstorable(line, [id, vase, 'line_a', 101, 1])
    await assertUnstorable(line, [id, vase, 'line_a', 2, 1], UNIQUE_VIOLATION)
    await assertUnstorable(line, [id, shop.sku('MUG'), 'line_a', 3, 1], UNIQUE_VIOLATION)
    await assertUnstorable(line, [id, 'sku_unknown', 'line_a', 3, 1], FOREIGN_KEY_VIOLATION)
  })

  test('allow each state only its own columns', async () => {
    const { id } = await cartOf(shop, client)
    for (const change of [
      `status = 'locked'`,
      `status = 'converted', checkout_session_id = 'cks_1'`,
      `status = 'revoked'`,
      `status = 'expired'`,
      `checkout_session_id = 'cks_1'`,
      `revoke_reason = 'none'`,
      `ended_at = updated_at`,
      `version = 0`,
      `expires_at = created_at`,
    ]) {
      await assertUnstorable(`update carts set ${change} where id = $1`, [id])
    }
  })

  test('keep a SKU from being deleted while a cart has it', async () => {
    await cartOf(shop, client, { MUG: 1 })
    await assertUnstorable('delete from skus where id = $1', [shop.sku('MUG')], FOREIGN_KEY_VIOLATION)
  })

  test('tie a cart to an installation of its environment', async () => {
    const { id } = await cartOf(shop, client)
    await assertUnstorable(`update carts set environment = 'live' where id = $1`, [id], FOREIGN_KEY_VIOLATION)
  })
})

describe('saving a cart', () => {
  test('reads back as it was saved', async () => {
    const { id } = await cartOf(shop, client, { MUG: 1 })
    const input = {
      skuId: shop.sku('BOWL'),
      quantity: 2,
      lineId: shop.ids.next('line'),
      offer: {
        skuId: shop.sku('BOWL'),
        status: 'purchasable',
        price: 2200n,
        minQuantity: 1,
        maxQuantity: 999,
        step: 1,
        availableQuantity: null,
      },
    } as const
    const now = shop.clock.now()
    const after = await shop.database.transaction(async (tx) => {
      const before = await lockCart(tx, principal(), id, now)
      const changed = addItem(before, input, { now })
      saveCart(tx, before, changed)
      return changed
    })
    assert.deepEqual(await loadCart(shop.database.reader, principal(), id, now), after)
  })

  test('fails if the version has changed in between', async () => {
    const { id } = await cartOf(shop, client, { MUG: 1 })
    const now = shop.clock.now()
    const stale: Cart = await loadCart(shop.database.reader, principal(), id, now)
    await client.post(`${CARTS}/${id}/items`, { skuId: shop.sku('MUG'), quantity: 1 })
    await assert.rejects(
      shop.database.transaction(async (tx) => saveCart(tx, stale, { ...stale, version: stale.version + 1 })),
      /carts\.update touched 0 rows, not 1/,
    )
  })
})
