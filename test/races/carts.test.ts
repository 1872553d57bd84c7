import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Answer } from '../support/client.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import type { InstallationClient } from '../support/world.ts'

let shop: Shop
let client: InstallationClient
before(async () => {
  shop = await startShop()
  client = await shop.client()
})

const AT_ONCE = 50

function atOnce(act: (turn: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: AT_ONCE }, (_, turn) => act(turn)))
}

/** Retries requests that are still running, as the response advises. */
async function untilAnswered(act: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await act()
    if (answer.body?.code !== 'idempotency_in_progress') return answer
    assert.equal(answer.body.retry.advice, 'same_key')
  }
}

describe('concurrent requests on one cart', () => {
  test('50 adds of one SKU make 50 units, none refused', async () => {
    const cart = await cartOf(shop, client)
    const body = { skuId: shop.sku('MUG'), quantity: 1 }
    const answers = await atOnce(() => client.post(`${CARTS}/${cart.id}/items`, body))
    assert.deepEqual(
      [...new Set(answers.map((answer) => answer.text.slice(0, 300).match(/"code":"\w+"/)?.[0]))],
      [undefined],
    )
    const versions = answers.map((answer) => answer.body.data.version).sort((a, b) => a - b)
    assert.deepEqual(
      versions,
      Array.from({ length: AT_ONCE }, (_, turn) => turn + 2),
      'each response has a different version',
    )
    const { body: read } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual(read.data.counts, { lines: 1, units: AT_ONCE })
    const events = await shop.query('select sequence from events where subject_id = $1 order by 1', [cart.id])
    assert.deepEqual(
      events.map(({ sequence }) => Number(sequence)),
      Array.from({ length: AT_ONCE + 1 }, (_, turn) => turn + 1),
      'the sequence of its events has no gap',
    )
  })

  test('50 requests with one key have one effect and equal responses', async () => {
    const cart = await cartOf(shop, client)
    const body = { skuId: shop.sku('MUG'), quantity: 3 }
    const answers = await atOnce(() =>
      untilAnswered(() => client.post(`${CARTS}/${cart.id}/items`, body, { key: 'the-only-one' })),
    )
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    const { body: read } = await client.get(`${CARTS}/${cart.id}`)
    assert.equal(read.data.counts.units, 3)
    assert.equal(read.data.version, 2)
  })

  test('50 creates with one key make one cart', async () => {
    const answers = await atOnce(() =>
      untilAnswered(() => client.post(CARTS, { currency: 'EUR', country: 'DE' }, { key: 'the-only-cart' })),
    )
    assert.equal(new Set(answers.map((answer) => answer.body.data.id)).size, 1)
  })

  test('of 50 changes with one expected version, one succeeds and 49 conflict', async () => {
    const cart = await cartOf(shop, client, { MUG: 1 })
    const answers = await atOnce((turn) =>
      client.patch(`${CARTS}/${cart.id}/items/${shop.sku('MUG')}`, { quantity: turn + 2, expectedVersion: 1 }),
    )
    const codes = answers.map((answer) => answer.body.code ?? 'done')
    assert.equal(codes.filter((code) => code === 'done').length, 1)
    assert.equal(codes.filter((code) => code === 'version_conflict').length, AT_ONCE - 1)
  })

  test('no add succeeds after a revoke', async () => {
    const cart = await cartOf(shop, client)
    const answers = await atOnce((turn) =>
      turn === 25
        ? client.post(`${CARTS}/${cart.id}/revoke`, {})
        : client.post(`${CARTS}/${cart.id}/items`, { skuId: shop.sku('MUG'), quantity: 1 }),
    )
    const done = answers.filter((answer) => answer.status === 200).length
    assert.ok(answers.every(({ status, body }) => status === 200 || body.code === 'cart_revoked'))
    const { body } = await client.get(`${CARTS}/${cart.id}`)
    assert.deepEqual([body.data.status, body.data.version], ['revoked', done + 1])
    assert.equal(body.data.counts.units, done - 1)
  })
})
