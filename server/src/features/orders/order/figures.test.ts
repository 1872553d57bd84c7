import assert from 'node:assert/strict'
import { test } from 'node:test'
import { orderedBy } from '../../../../../test/support/commerce/orders.ts'
import { startShop } from '../../../../../test/support/commerce/shop.ts'
import { topProducts } from '../index.ts'

test('the sales of a product count neither the units nor the money of what was canceled', async () => {
  const shop = await startShop()
  const client = await shop.client()
  const since = shop.clock.now()
  const { id, lines } = await orderedBy(shop, client, { MUG: 3 })
  const { total } = lines[0]!
  const sold = async () => {
    const wanted = { environment: 'test', currency: 'EUR', since, storeId: null, limit: 5 } as const
    return (await topProducts(shop.database.reader, wanted)).map((each) => [each.units, each.total])
  }
  assert.deepEqual(await sold(), [[3, total]])
  await shop.run('update order_lines set canceled = 1 where order_id = $1', [id])
  assert.equal(total % 3n, 0n)
  assert.deepEqual(await sold(), [[2, (total / 3n) * 2n]])
  await shop.run('update order_lines set total = 1000 where order_id = $1', [id])
  assert.deepEqual(await sold(), [[2, 667n]])
})
