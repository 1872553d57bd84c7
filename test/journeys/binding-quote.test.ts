import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { checkout, checkoutClient, pressPay, readSession, readyCart } from '../support/commerce/checkout.ts'
import { ORDERS } from '../support/commerce/orders.ts'
import { CARTS, type Shop, startShop } from '../support/commerce/shop.ts'
import type { InstallationClient } from '../support/world.ts'

let shop: Shop
let clock: Shop['clock']
let client: InstallationClient
before(async () => {
  shop = await startShop({ simulator: true })
  ;({ clock } = shop)
  client = await checkoutClient(shop)
})

describe('between quote and payment', () => {
  test('price, promotion and product change, and the order matches the quote', async () => {
    const cart = await readyCart(shop, client, { BOWL: 2, NOVEL: 1 })
    await client.put(`${CARTS}/${cart.id}/promotion`, { code: 'SOON' })
    const quote = (await client.post(`${CARTS}/${cart.id}/quote`, {})).body.data
    await shop.setPrice('BOWL', 9999)
    await shop.run('update promotions set ends_at = $2 where id = $1', [
      shop.promotionId('SOON'),
      new Date(clock.now().getTime() - 1000),
    ])
    await shop.refresh()
    const begun = await checkout(client, cart.id, { quoteId: quote.id })
    assert.equal(begun.status, 200, begun.text)
    await shop.run("update products set status = 'archived' where id = (select product_id from skus where id = $1)", [
      shop.sku('NOVEL'),
    ])
    await shop.refresh()
    const { chargeId } = await pressPay(shop, begun.body.data, 'simulator')
    await shop.app.payments.advance(chargeId!)

    const { orderId } = await readSession(client, begun.body.data.id)
    const order = (await client.get(`${ORDERS}/${orderId}`)).body.data
    assert.deepEqual(order.totals.total, quote.totals.total)
    assert.deepEqual(order.money.charged, quote.totals.total)
    const asQuoted = (lines: Record<string, unknown>[]) =>
      lines.map(({ skuId, name, unitPrice, discountAllocations, taxLines, total }) => {
        return { skuId, name, unitPrice, discountAllocations, taxLines, total }
      })
    assert.deepEqual(asQuoted(order.lines), asQuoted(quote.lines))
  })
})
