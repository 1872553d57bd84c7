import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { orderedBy } from '../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import { beginOrder, findOrderById, holdOrder, releaseOrder } from './index.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const context = () => ({ ids: shop.ids, now: shop.clock.now() })
const begin = (id: string) => shop.database.transaction((tx) => beginOrder(tx, id, context()))
const hold = (id: string, reason: string | null = null) =>
  shop.database.transaction((tx) => holdOrder(tx, id, reason, context()))
const release = (id: string) => shop.database.transaction((tx) => releaseOrder(tx, id, context()))

describe('an operator', () => {
  test('begins, holds with a reason, and releases an order', async () => {
    const { id, number } = await orderedBy(shop, client, { MUG: 1 })
    assert.equal((await begin(number)).status, 'processing')
    assert.equal((await hold(id, 'The address looks odd.')).status, 'on_hold')
    assert.equal((await release(id)).status, 'processing')
    const { timeline } = await findOrderById(shop.database.reader, id)
    assert.deepEqual(
      timeline.map(({ code, actor }) => [code, actor]),
      [
        ['confirmed', 'system'],
        ['processing', 'operator'],
        ['held', 'operator'],
        ['released', 'operator'],
      ],
    )
    assert.equal(timeline[2]?.text, 'The address looks odd.')
  })

  test('gets a sentence for what is not possible', async () => {
    const { id, number } = await orderedBy(shop, client, { MUG: 1 })
    await assert.rejects(release(id), {
      name: 'OrderError',
      message: `${number} is confirmed: that cannot be done with it now.`,
    })
    await hold(id)
    await assert.rejects(begin(id), { name: 'OrderError', message: /is on hold/ })
    await assert.rejects(hold(id), { name: 'OrderError' })
    await assert.rejects(hold('T-1'), { name: 'OrderError', message: 'There is no order T-1.' })
  })

  test('has to use the id if two installations imported the same number', async () => {
    const [one, two] = [
      await orderedBy(shop, client, { MUG: 1 }),
      await orderedBy(shop, await shop.client(), { MUG: 1 }),
    ]
    await shop.run(`update orders set number = 'OLD-1' where id = any($1)`, [[one.id, two.id]])
    await assert.rejects(hold('OLD-1'), {
      message: /^2 installations have an order OLD-1: ord_.*, ord_.*\. Name one by its id\.$/,
    })
    assert.equal((await hold(one.id)).id, one.id)
  })
})
