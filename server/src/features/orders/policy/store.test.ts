import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { kindsWith, setPolicy } from '../../../../../test/support/commerce/after-sales.ts'
import { type Shop, startShop } from '../../../../../test/support/commerce/shop.ts'
import { refuses } from '../../../../../test/support/refuses.ts'
import { DEFAULT_POLICY, type OrderPolicy, type PolicyDraft, readOrderPolicy, saveOrderPolicy } from '../index.ts'
import { policiesNamed, policiesNow } from './store.ts'

let shop: Shop
let reader: Shop['database']['reader']
let ceramics: ReturnType<Shop['storeId']>
let books: ReturnType<Shop['storeId']>
before(async () => {
  shop = await startShop()
  ;({ reader } = shop.database)
  ceramics = shop.storeId('ceramics')
  books = shop.storeId('books')
})

const POLICY: OrderPolicy = {
  cancellation: { windowMinutes: 60, automatic: false, restocks: false, refundsShipping: false },
  afterSales: {
    kinds: { ...kindsWith({ windowDays: 7 }), repair: { offered: false, windowDays: 0, automatic: true } },
    deliveredAfterDays: 3,
    returnWithinDays: 10,
    decideWithinDays: 2,
    instructions: 'Use the box.\nAll of it.',
    returnAddress: 'Loom Returns\nGate 4\n10115 Berlin',
    restocks: false,
    refundsShipping: false,
  },
  finalSale: { skuIds: ['sku_1'], productIds: ['prod_1', 'prod_2'], categoryIds: [] },
}
const save = (draft: Partial<PolicyDraft> = {}) =>
  shop.database.transaction((tx) =>
    saveOrderPolicy(tx, { storeId: ceramics, policy: POLICY, savedBy: 'Ada', now: shop.clock.now(), ...draft }),
  )

describe('the policy of a store', () => {
  test('is the default, version 0, until one is saved', async () => {
    assert.deepEqual(await readOrderPolicy(reader, books), { storeId: books, version: 0, policy: DEFAULT_POLICY })
  })

  test('is saved as a new version each time, and a version never changes', async () => {
    assert.deepEqual(await save(), { storeId: ceramics, version: 1, policy: POLICY })
    await setPolicy(shop, 'ceramics', {})
    assert.deepEqual(await readOrderPolicy(reader, ceramics), { storeId: ceramics, version: 2, policy: DEFAULT_POLICY })
    const named = await policiesNamed(reader, { [ceramics]: 1, [books]: 0 })
    assert.deepEqual([named.get(ceramics)?.policy, named.get(books)?.policy], [POLICY, DEFAULT_POLICY])
    const now = await policiesNow(reader, [ceramics, books])
    assert.deepEqual(
      [...now].map(([storeId, { version }]) => [storeId, version]),
      [
        [ceramics, 2],
        [books, 0],
      ],
    )
  })

  test('is loaded by version, also version 0', async () => {
    const named = await policiesNamed(reader, { [ceramics]: 0 })
    assert.deepEqual(named.get(ceramics), { storeId: ceramics, version: 0, policy: DEFAULT_POLICY })
  })

  test('is saved by one of two concurrent operators', async () => {
    const { version } = await readOrderPolicy(reader, ceramics)
    const outcomes = await Promise.allSettled([
      save({ expectedVersion: version }),
      save({ expectedVersion: version, savedBy: 'Grace' }),
    ])
    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    const { facts } = await refuses('version_conflict', () => save({ expectedVersion: version }))
    assert.deepEqual(facts.conflict, { expectedVersion: version, currentVersion: version + 1 })
  })

  test('belongs to an existing store and is within bounds', async () => {
    await refuses('not_found', () => save({ storeId: shop.ids.next('store') }))
    const wrong = { ...POLICY, cancellation: { ...POLICY.cancellation, windowMinutes: 0 } }
    await refuses('validation_failed', () => save({ policy: wrong }))
  })
})
