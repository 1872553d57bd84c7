import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type Answer, makeProof } from '../support/client.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'

const CALLS = 50
/** Before writes waited for the lock of a new day, two of 300 failed. */
const DAYS = runsOf({ full: 600, short: 30 })

let shop: Shop
before(async () => {
  shop = await startShop()
})

/** Retries while the first request is running, with the same key, as the response advises. */
async function insist(send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await send()
    if (answer.body?.code !== 'idempotency_in_progress') return answer
    assert.deepEqual([answer.status, answer.body.outcome, answer.body.retry.advice], [409, 'unknown', 'same_key'])
  }
}

describe('fifty concurrent calls with one key', () => {
  test('create one cart and get the same response', async () => {
    const client = await shop.client()
    const body = { currency: 'EUR', country: 'DE', lines: [{ skuId: shop.sku('MUG'), quantity: 2 }] }
    const send = () => client.post(CARTS, body, { key: 'one' })
    const answers = await Promise.all(Array.from({ length: CALLS }, () => insist(send)))

    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    const replayed = answers.filter((answer) => answer.headers.get('idempotent-replayed') === 'true')
    assert.equal(replayed.length, CALLS - 1)
    const carts = await shop.query('select id from carts where installation_id = $1', [client.installationId])
    assert.equal(carts.length, 1)
  })

  test('add once', async () => {
    const client = await shop.client()
    const { id } = await cartOf(shop, client)
    const item = { skuId: shop.sku('MUG'), quantity: 3 }
    const answers = await Promise.all(
      Array.from({ length: CALLS }, () => insist(() => client.post(`${CARTS}/${id}/items`, item, { key: 'add' }))),
    )

    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
    const { data } = (await client.get(`${CARTS}/${id}`)).body
    assert.deepEqual([data.version, data.lines[0].quantity], [2, 3])
    const events = await shop.query('select sequence::int from events where subject_id = $1 order by 1', [id])
    assert.deepEqual(events, [{ sequence: 1 }, { sequence: 2 }])
  })
})

describe('two API keys with one idempotency key at once', () => {
  test('of one installation make one change', async () => {
    const one = await shop.client()
    const two = await shop.client({ installationId: one.installationId })
    const body = { currency: 'EUR', country: 'DE' }
    const answers = await Promise.all(
      [one, two, one, two].map((client) => insist(() => client.post(CARTS, body, { key: 'shared' }))),
    )
    assert.equal(new Set(answers.map((answer) => answer.text)).size, 1)
  })

  test('with two different requests: one succeeds, the other gets a conflict', async () => {
    const client = await shop.client()
    const answers = await Promise.all(
      ['DE', 'AT'].map((country) =>
        insist(() => client.post(CARTS, { currency: 'EUR', country }, { key: 'contested' })),
      ),
    )
    assert.deepEqual(answers.map((answer) => answer.status).sort(), [200, 409])
    const refused = answers.find((answer) => answer.status === 409)
    assert.equal(refused?.body.code, 'idempotency_key_reused')
  })
})

describe('one proof sent twice at once', () => {
  test('is accepted once, whatever the keys', async () => {
    const client = await shop.client()
    const { headers } = await client.get('/api/v1/open/identity')
    assert(client.proof && client.key)
    const dpop = await makeProof(client.proof, {
      method: 'POST',
      url: shop.publicUrl + CARTS,
      token: client.key,
      nonce: headers.get('dpop-nonce') ?? undefined,
      now: shop.clock.now(),
    })
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => client.post(CARTS, { currency: 'EUR', country: 'DE' }, { headers: { dpop } })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 1)
    for (const { status, body } of answers)
      if (status !== 200) assert.deepEqual([status, body.code], [401, 'invalid_dpop_proof'])
    assert.equal(
      (await shop.query('select id from carts where installation_id = $1', [client.installationId])).length,
      1,
    )
  })
})

test('the first writes of a day, at once, each create a cart and keep its answer', async () => {
  const client = await shop.client()
  for (let days = 0; days < DAYS; days += 1) {
    shop.clock.advance(86_400_000)
    const answers = await Promise.all(
      Array.from({ length: 3 + (days % 8) }, () => client.post(CARTS, { currency: 'EUR', country: 'DE' })),
    )
    for (const { status, text } of answers) assert.equal(status, 200, text)
  }
})
