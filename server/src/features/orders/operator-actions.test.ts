import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { orderedBy } from '../../../../test/support/commerce/orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import type { Refusal } from '../../kernel/refusal.ts'
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
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    assert.equal((await begin(id)).status, 'processing')
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
    assert.deepEqual(timeline[2]?.facts, { reason: 'The address looks odd.' })
  })

  test('gets state_conflict for an action that the status of the order does not allow', async () => {
    const { id } = await orderedBy(shop, client, { MUG: 1 })
    await assert.rejects(release(id), ({ code, facts: { conflict } }: Refusal) => {
      assert.deepEqual([code, conflict?.currentState], ['state_conflict', 'confirmed'])
      assert.deepEqual(conflict?.allowed, ['begin', 'hold', 'cancel', 'refund'])
      return true
    })
    await hold(id)
    await assert.rejects(begin(id), ({ facts }: Refusal) => facts.conflict?.currentState === 'on_hold')
    await assert.rejects(hold(id), { code: 'state_conflict' })
    await assert.rejects(hold('ord_01k5b7m2q8e9rtv3w4x5y6z7a8'), { code: 'not_found' })
  })
})
