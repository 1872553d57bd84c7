import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { paidBy } from '../../../../../test/support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'

let shop: Shop
let client: Awaited<ReturnType<Shop['client']>>
let operator: OperatorClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
  operator = await operatorClient(shop)
})

/** A moment later than the last one, so that the newest entry of the audit log is known. */
async function upload(path: string, body: string | Uint8Array<ArrayBuffer>) {
  shop.clock.advance(1000)
  const response = await fetch(`${operator.origin}/operator/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${OPERATOR_TOKEN}`, 'content-type': 'application/octet-stream' },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  return { status: response.status, body: (await response.json()) as any }
}

describe('license keys', () => {
  const keysPath = (skuId: string) => `/licence-pools/${skuId}/keys?environment=test`

  test('are imported into a pool, one a line, and the same file again changes nothing', async () => {
    const path = keysPath(shop.sku('NOVEL'))
    const first = await upload(path, `KEY-1\nKEY-2\n\n${'x'.repeat(501)}\nKEY-3`)
    assert.deepEqual(first.body.data, {
      read: 4,
      created: 3,
      unchanged: 0,
      refused: 1,
      refusals: [{ line: 4, reason: 'A key can have at most 500 characters.' }],
    })
    assert.equal((await upload(path, 'KEY-1\nKEY-2')).body.data.unchanged, 2)
    const { items } = (await operator.get('/licence-pools')).body.data
    const ours = items.find(({ environment }: { environment: string }) => environment === 'test')
    assert.deepEqual([ours.skuCode, ours.free, ours.given, ours.owed], ['NOVEL', 3, 0, 0])
    const [entry] = (await operator.get(`/audit-log?subject=${shop.sku('NOVEL')}&limit=1`)).body.data.items
    assert.deepEqual(entry.after, { environment: 'test', read: 2, created: 0, unchanged: 2, refused: 0 })
    assert.ok(!JSON.stringify(entry).includes('KEY'), 'the audit log contains no key')
  })

  test('that orders wait for are reported with the number of units and the reason', async () => {
    await paidBy(shop, client, { NOVEL: 5 })
    await shop.work()
    const { items } = (await operator.get('/fulfilments')).body.data
    const waiting = items.find(({ method }: { method: string }) => method === 'digital')
    assert.equal(waiting.waitingFor, '2 × NOVEL')
    const pools = (await operator.get('/licence-pools')).body.data.items
    assert.equal(pools.find(({ environment }: { environment: string }) => environment === 'test').owed, 2)
  })

  test('need an existing SKU', async () => {
    const absent = keysPath('sku_01k5b7m2q8e9rtv3w4x5y6z7a8')
    for (const body of ['KEY', '']) assert.equal((await upload(absent, body)).body.code, 'not_found')
  })
})

describe('imported orders', () => {
  const line = (externalId: string, more: object = {}) =>
    JSON.stringify({
      externalId,
      placedAt: '2025-11-03T09:14:00Z',
      currency: 'EUR',
      country: 'DE',
      email: 'ada@example.com',
      store: 'ceramics',
      lines: [{ sku: 'MUG', name: 'Mug', quantity: 3, unitPrice: 1000 }],
      ...more,
    })
  const path = (format = 'jsonl') => `/order-imports?format=${format}&installationId=${client.installationId}`

  test('are imported line by line, each invalid one reported with its reason, and the same file again changes nothing', async () => {
    const file = `${line('A-1')}\n${line('A-2')}\n{"externalId":"A-3"}\nno line at all\n`
    const { data } = (await upload(path(), file)).body
    assert.deepEqual([data.read, data.created, data.unchanged, data.refused], [4, 2, 0, 2])
    assert.deepEqual(
      data.refusals.map((each: { line: number }) => each.line),
      [3, 4],
    )
    const again = (await upload(path('jsonl.gz'), new Uint8Array(gzipSync(file)))).body.data
    assert.deepEqual([again.created, again.unchanged], [0, 2])
    assert.equal((await operator.get('/orders?q=ada@example.com')).body.data.items.length >= 2, true)
    const entries = (await operator.get('/audit-log?operation=importOrders&limit=2')).body.data.items
    const ended = entries.find((entry: { after: { status: string } }) => entry.after.status === 'completed')
    assert.deepEqual([ended.after.unchanged, ended.after.refused], [2, 2])
  })

  test('need a readable file and an existing installation', async () => {
    const packed = gzipSync(line('B-1'))
    const cut = await upload(path('jsonl.gz'), new Uint8Array(packed.subarray(0, packed.length - 12)))
    assert.deepEqual([cut.status, cut.body.code], [400, 'file_unreadable'])
    const entries = (await operator.get('/audit-log?operation=importOrders&limit=2')).body.data.items
    const statuses = entries.map(({ after }: { after: { status: string } }) => after.status).toSorted()
    assert.deepEqual(statuses, ['failed', 'running'], 'who sent it is known, and that it has ended')
    const unknown = '/order-imports?format=jsonl&installationId=ins_01k5b7m2q8e9rtv3w4x5y6z7a8'
    assert.deepEqual((await upload(unknown, line('B-2'))).body.code, 'not_found')
  })
})
