import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'

const PATH = '/stores/ceramics/order-policy'

let shop: Shop
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  operator = await operatorClient(shop)
})

describe('the policy of a store', () => {
  test('is the default until it is saved, and then an immutable version', async () => {
    const { version, policy } = (await operator.get(PATH)).body.data
    assert.deepEqual([version, policy.cancellation.windowMinutes], [0, null])
    policy.cancellation.windowMinutes = 60
    policy.finalSale.skuIds = [shop.sku('MUG')]
    const saved = await operator.change('PUT', PATH, { policy, expectedVersion: 0 })
    assert.deepEqual([saved.version, saved.policy], [1, policy])
    assert.deepEqual((await operator.get(PATH)).body.data, saved)
    const [entry] = (await operator.get(`/audit-log?subject=${shop.storeId('ceramics')}`)).body.data.items
    assert.deepEqual([entry.before.version, entry.after.version], [0, 1])
    assert.deepEqual([entry.before.cancellation.windowMinutes, entry.after.cancellation.windowMinutes], [null, 60])
    assert.deepEqual([entry.after.finalSale.skuIds, entry.after.afterSales], [1, undefined])
    const stale = await operator.send('PUT', PATH, { policy, expectedVersion: 0 })
    assert.deepEqual([stale.status, stale.body.code, stale.body.conflict.currentVersion], [409, 'version_conflict', 1])
  })

  test('is refused with each fault, and for an unknown store', async () => {
    const { policy } = (await operator.get(PATH)).body.data
    policy.afterSales.returnWithinDays = 0
    const wrong = await operator.send('PUT', PATH, { policy })
    assert.deepEqual([wrong.status, wrong.body.details[0].pointer], [400, '/policy/afterSales/returnWithinDays'])
    policy.afterSales.returnWithinDays = 14
    const nowhere = '/stores/nowhere/order-policy'
    assert.equal((await operator.get(nowhere)).status, 404)
    assert.equal((await operator.send('PUT', nowhere, { policy })).body.code, 'not_found')
  })
})
