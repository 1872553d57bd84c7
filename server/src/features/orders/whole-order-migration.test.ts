import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { before, describe, test } from 'node:test'
import { Client } from 'pg'
import {
  bought,
  lineOf,
  markArrived,
  postAfterSales,
  postCancellation,
  readOrder,
} from '../../../../test/support/commerce/after-sales.ts'
import { checkout, checkoutClient, paid, readyCart } from '../../../../test/support/commerce/checkout.ts'
import { ORDERS } from '../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { narrowedClient } from '../../../../test/support/pages/oauth.ts'
import { MIGRATIONS } from '../../platform/postgres/index.ts'

/** Undoes the migration, so that orders are as the previous version wrote them. */
const UNDO = `
  alter table orders drop cart_id, drop client_reference_id, drop metadata, drop phone, drop store_ids, drop unit_count;
  alter table order_lines drop code, drop image;
  alter table order_shipping drop name;
  alter table order_timeline drop store_ids;
  alter table order_adjustments drop by_store;
  alter table cancellations drop refund_by_store;
  alter table after_sales drop refund_by_store;
  drop table order_shares;
  drop index after_sales_open_by_order;
  alter table events drop of_share;`

let shop: Shop
let client: Awaited<ReturnType<typeof checkoutClient>>
before(async () => {
  shop = await startShop()
  client = await checkoutClient(shop)
})

/** Runs the migration on orders of the previous version. */
async function migrated(): Promise<void> {
  const text = await readFile(new URL('0037_orders_told_whole.sql', MIGRATIONS), 'utf8')
  const connection = new Client({ connectionString: shop.ownerUrl })
  await connection.connect()
  try {
    await connection.query(`begin; ${UNDO} ${text}; commit`)
  } finally {
    await connection.end()
  }
}

describe('the migration of earlier orders', () => {
  test('keeps orders and lists as they were, and gives each store its share', async () => {
    const cart = await readyCart(shop, client, { MUG: 2, NOVEL: 1 }, { metadata: { source: 'cart' } })
    await shop.run(`update carts set contact = contact || '{"phone": "+493012345678"}' where id = $1`, [cart.id])
    const begun = await checkout(client, cart.id, { clientReferenceId: 'A-1044', metadata: { basket: 'web' } })
    const { orderId } = await paid(shop, client, begun.body.data)
    const mixed = await readOrder(client, orderId!)
    const lines = [{ lineId: lineOf(shop, mixed, 'NOVEL').id, quantity: 1 }]
    assert.equal((await postCancellation(client, mixed.id, { lines })).status, 200)
    const plain = await bought(shop, client, { MUG: 1 })
    await markArrived(shop, plain)
    await postAfterSales(client, plain.id, { lines: [{ lineId: plain.lines[0]?.id, quantity: 1 }] })
    const narrowed = await narrowedClient(shop, client.installationId, shop.storeId('books'))
    const seen = async () => ({
      orders: [await readOrder(client, mixed.id), await readOrder(client, plain.id)],
      list: (await client.get(ORDERS)).body.data,
      share: await readOrder(narrowed, mixed.id),
      shares: (await narrowed.get(ORDERS)).body.data,
    })
    const earlier = await seen()
    await migrated()
    const later = await seen()
    assert.deepEqual(later.orders, earlier.orders)
    assert.deepEqual([later.list, later.shares], [earlier.list, earlier.shares])
    // The stores of an entry were not stored, so a share leaves the entry out.
    const timeline = earlier.share.timeline.filter(({ code }) => code === 'confirmed')
    assert.deepEqual(later.share, { ...earlier.share, timeline })
  })

  test('splits the refund of several stores without losing or adding a cent', async () => {
    const order = await bought(shop, client, { MUG: 2, NOVEL: 2 })
    const lines = order.lines.map(({ id }) => ({ lineId: id, quantity: 1 }))
    assert.equal((await postCancellation(client, order.id, { lines })).status, 200)
    await migrated()
    const whole = await readOrder(client, order.id)
    const tokens = ['ceramics', 'books'].map((slug) => narrowedClient(shop, client.installationId, shop.storeId(slug)))
    const shares = await Promise.all((await Promise.all(tokens)).map((token) => readOrder(token, order.id)))
    const refunds = shares.map(({ cancellations }) => cancellations[0]?.refund.amount.amount ?? 0)
    assert.equal(refunds[0]! + refunds[1]!, whole.cancellations[0]?.refund.amount.amount)
    assert(refunds.every((amount) => amount > 0))
    assert.deepEqual(
      refunds,
      shares.map(({ money }) => money.refundPending.amount),
    )
  })

  test('leaves out data that no longer exists', async () => {
    const order = await bought(shop, client, { BOWL: 1 })
    await shop.run('update order_shipping set option_id = $2 where order_id = $1', [order.id, 'shp_gone'])
    await shop.run('update orders set session_id = $2 where id = $1', [order.id, shop.ids.next('cks')])
    await migrated()
    const later = await readOrder(client, order.id)
    assert.deepEqual(
      [later.cartId, later.clientReferenceId, later.metadata, later.customer.phone, later.shipping[0]?.name],
      [undefined, undefined, {}, undefined, undefined],
    )
    assert.deepEqual([later.lines[0]?.code, later.totals], ['BOWL', order.totals])
  })
})
