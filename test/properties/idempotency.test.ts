import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import fc from 'fast-check'
import type { Answer } from '../support/client.ts'
import { CARTS, cartOf, type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'

const RUNS = runsOf({ full: 30, short: 12 })

/**
 * n requests with one key, in any interleaving, make one change and n equal responses. Each request adds units to a cart;
 * each key has its own number of units, so the final quantity shows which keys had an effect.
 */
let shop: Shop
before(async () => {
  shop = await startShop()
})

const keys = ['a', 'b', 'c'] as const
const unitsOf = { a: 1, b: 10, c: 100 } as const
const calls = fc.array(fc.constantFrom(...keys), { minLength: 1, maxLength: 12 })

describe('requests with idempotency keys', () => {
  test('make one change per key and equal responses, in any interleaving', async () => {
    const client = await shop.client()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), calls, async (scheduler, sent) => {
        runs += 1
        const { id } = await cartOf(shop, client)
        const run = runs
        const add = scheduler.scheduleFunction(async (key: (typeof keys)[number]) => {
          const item = { skuId: shop.sku('MUG'), quantity: unitsOf[key] }
          for (;;) {
            const answer = await client.post(`${CARTS}/${id}/items`, item, { key: `${run}-${key}` })
            if (answer.body.code !== 'idempotency_in_progress') return answer
          }
        })
        const answering = sent.map(async (key) => [key, await add(key)] as const)
        await scheduler.waitFor(Promise.all(answering))

        const byKey = new Map<string, Set<string>>()
        for (const [key, answer] of await Promise.all(answering)) {
          assert.equal((answer as Answer).status, 200, (answer as Answer).text)
          byKey.set(key, (byKey.get(key) ?? new Set()).add((answer as Answer).text))
        }
        for (const [key, texts] of byKey) assert.equal(texts.size, 1, key)
        const used = new Set(sent)
        const expected = [...used].reduce((sum, key) => sum + unitsOf[key], 0)
        const { data } = (await client.get(`${CARTS}/${id}`)).body
        assert.deepEqual([data.lines[0].quantity, data.version], [expected, 1 + used.size])
      }),
      { numRuns: RUNS },
    )
  })

  test('do the same when all are sent at once', async () => {
    const client = await shop.client()
    let runs = 0
    await fc.assert(
      fc.asyncProperty(calls, async (sent) => {
        runs += 1
        const run = runs
        const { id } = await cartOf(shop, client)
        const answers = await Promise.all(
          sent.map(async (key) => {
            const item = { skuId: shop.sku('MUG'), quantity: unitsOf[key] }
            for (;;) {
              const answer = await client.post(`${CARTS}/${id}/items`, item, {
                key: `at once ${run} ${key}`.replaceAll(' ', '-'),
              })
              if (answer.body.code !== 'idempotency_in_progress') return `${key} ${answer.status} ${answer.text}`
            }
          }),
        )
        const used = new Set(sent)
        assert.equal(new Set(answers).size, used.size)
        const expected = [...used].reduce((sum, key) => sum + unitsOf[key], 0)
        const { data } = (await client.get(`${CARTS}/${id}`)).body
        assert.deepEqual([data.lines[0].quantity, data.version], [expected, 1 + used.size])
      }),
      { numRuns: RUNS },
    )
  })
})
