import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../../test/support/operator.ts'

let shop: Shop
before(async () => {
  shop = await startShop()
})

describe('the state of the server', () => {
  test('is of the last days, and counts requests and errors', async () => {
    const operator = await operatorClient(shop)
    const before = (await operator.get('/system')).body.data
    assert.deepEqual([before.environment, before.deliveries], ['live', {}])
    assert.equal(
      before.since,
      `${new Date(Date.parse(before.now) - 13 * 86_400_000).toISOString().slice(0, 10)}T00:00:00.000Z`,
    )

    await fetch(`${shop.origin}/api/v1/catalog/products`)
    await fetch(`${shop.origin}/api/v1/catalog/products?zz=1`)
    await operator.get('/session', { 'x-forwarded-for': '198.51.100.7' })
    await fetch(`${shop.origin}/api/v1/catalog/stores`, { headers: { 'x-forwarded-for': '198.51.100.7' } })
    const { requests, errors, proxies } = (await operator.get('/system?environment=test&days=1')).body.data
    const listed = requests.find(({ operation }: { operation: string }) => operation === 'listCatalogProducts')
    assert.deepEqual([listed.answers, listed.errors, errors.unknown_parameter], [2, 1, 1])
    assert.deepEqual(proxies, {
      ...{ trusted: 0, asConfigured: before.proxies.asConfigured + 2, tooFew: 0, tooMany: 1 },
      unknownOperators: 1,
    })
    assert.ok(listed.meanMs > 0 && listed.slowShare >= 0 && listed.slowShare <= 1)
  })
})
