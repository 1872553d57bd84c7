// test: long
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type IdSource, JobRunner, logger } from '@vitrine/server'
import {
  importLicenses,
  intentsOf,
  type LicenseVault,
  openLicenseVault,
  stopFulfillment,
} from '../../server/src/features/fulfillment/index.ts'
import { lockOrderById, type Order } from '../../server/src/features/orders/index.ts'
import { productLine } from '../support/commerce/catalog.ts'
import { draftOf } from '../support/commerce/orders.ts'
import { lineOfSku, paidFor, shownIntents } from '../support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { runsOf } from '../support/runs.ts'
import { secretDeps } from '../support/secrets.ts'
import { type InstallationClient, startWorld, type World } from '../support/world.ts'

const ORDERS = runsOf({ full: 100, short: 20 })
/** Fewer keys than the orders need, with one to three each. */
const KEYS = 1.5 * ORDERS

const GAMES = ['solitaire', 'chess', 'poker'].map((id) =>
  productLine(id, { skus: [{ code: id.toUpperCase(), prices: [{ currency: 'EUR', amount: 1900 }] }] }),
)
let shop: Shop
let second: World
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let client: InstallationClient
let vault: LicenseVault
before(async () => {
  shop = await startShop({ more: GAMES })
  second = await startWorld({ sharedWith: shop })
  ;({ database, ids, clock } = shop)
  client = await shop.client()
  vault = await database.transaction((tx) => openLicenseVault(tx, secretDeps()))
})

const give = (code: string, from: number, count: number) => {
  const keys = Array.from({ length: count }, (_, index) => `${code}-${from + index}.`)
  const pool = { skuId: shop.sku(code), environment: 'test' } as const
  return database.transaction((tx) => importLicenses(tx, pool, keys, { ids, now: clock.now(), vault }))
}

/** Orders of one to three keys each. */
async function orders(code: string): Promise<Order[]> {
  await give(code, 1, 1)
  const drafts = await Promise.all([1, 2, 3].map((units) => draftOf(shop, client, { [code]: units })))
  const made: Order[] = []
  for (let index = 0; index < ORDERS; index += 1) {
    const email = `${code.toLowerCase()}-${index}@example.com`
    made.push(await paidFor(shop, { ...drafts[index % 3]!, email }))
  }
  return made
}

const unitsOf = (order: Order) => order.lines[0]!.units.ordered
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** The mailed keys, by email address. */
async function mailed(code: string): Promise<Map<string, string[]>> {
  const mails = await shop.query('select recipient, body_text from mails where recipient like $1', [
    `${code}-%`.toLowerCase(),
  ])
  const keys = new Map<string, string[]>()
  for (const { recipient, body_text: text } of mails) {
    const found = String(text).match(new RegExp(`${code}-\\d+\\.`, 'g')) ?? []
    keys.set(String(recipient), [...(keys.get(String(recipient)) ?? []), ...found])
  }
  return keys
}

const runner = (world: typeof shop | typeof second, source: IdSource = ids) =>
  new JobRunner(world.app.jobs, { database: world.database, clock, ids: source, log: logger('silent') })

describe(`two workers, ${ORDERS} orders and ${KEYS} keys`, () => {
  test('give no key twice and lose none, and deliver missing ones after an import', async () => {
    const made = await orders('SOLITAIRE')
    const wanted = sum(made.map(unitsOf))
    assert.ok(wanted > KEYS)
    await give('SOLITAIRE', 2, KEYS - 1)
    await Promise.all([runner(shop).runDue(), runner(second).runDue()])
    for (let seconds = 0; seconds < 5; seconds += 1) {
      clock.advance(1000)
      await Promise.all([runner(shop).runDue(), runner(second).runDue()])
    }
    const first = [...(await mailed('SOLITAIRE')).values()].flat()
    assert.deepEqual([first.length, new Set(first).size], [KEYS, KEYS])

    const missing = wanted - KEYS
    await Promise.all([give('SOLITAIRE', KEYS + 1, missing), runner(shop).runDue(), runner(second).runDue()])
    clock.advance(1000)
    await Promise.all([runner(shop).runDue(), runner(second).runDue()])
    const all = await mailed('SOLITAIRE')
    assert.equal(new Set([...all.values()].flat()).size, wanted)
    for (const order of made) assert.equal(all.get(order.email)?.length, unitsOf(order), order.email)
    const [given] = await shop.query(
      `select count(*)::integer as keys, count(distinct (given_to, unit))::integer as units from licence_keys
       where given_to is not null and sku_id = $1`,
      [shop.sku('SOLITAIRE')],
    )
    assert.deepEqual(given, { keys: wanted, units: wanted })
  })

  test('do the same while one of them keeps dying', async () => {
    const made = await orders('CHESS')
    const wanted = sum(made.map(unitsOf))
    await give('CHESS', 2, wanted)
    let asked = 0
    // It dies at every third write.
    const dying: IdSource = {
      next: (prefix) => {
        asked += 1
        if (asked % 3 === 0) throw new Error('the machine is gone')
        return ids.next(prefix)
      },
    }
    for (let rounds = 0; rounds < 8; rounds += 1) {
      await Promise.all([runner(shop, dying).runDue(), runner(second, dying).runDue()])
      clock.advance(60_000)
    }
    for (let rounds = 0; rounds < 3; rounds += 1) {
      await Promise.all([runner(shop).runDue(), runner(second).runDue()])
      clock.advance(6 * 3_600_000)
    }
    const all = await mailed('CHESS')
    const keys = [...all.values()].flat()
    assert.deepEqual([keys.length, new Set(keys).size], [wanted, wanted])
    for (const order of made) assert.equal(all.get(order.email)?.length, unitsOf(order), order.email)
  })

  test('deliver or stop each unit, never both, while orders are canceled', async () => {
    const made = await orders('POKER')
    await give('POKER', 2, 3 * ORDERS)
    const cancel = (order: Order) =>
      database.transaction(async (tx) => {
        await lockOrderById(tx, order.id)
        const units = [{ lineId: lineOfSku(shop, order, 'POKER'), quantity: unitsOf(order) }]
        return stopFulfillment(tx, order.id, units, { ids, now: clock.now() })
      })
    const canceled = made.filter((_, index) => index % 2 === 0)
    const [, , outcomes] = await Promise.all([
      runner(shop).runDue(),
      runner(second).runDue(),
      Promise.all(canceled.map(cancel)),
    ])
    await runner(shop).runDue()
    const all = await mailed('POKER')
    for (const order of made) {
      const outcome = outcomes[canceled.indexOf(order)]
      const keys = all.get(order.email)?.length ?? 0
      assert.equal(keys, outcome?.stopped ? 0 : unitsOf(order), order.email)
      const [only, ...more] = await intentsOf(database.reader, order.id)
      assert.deepEqual([only?.status, more], [outcome?.stopped ? 'stopped' : 'confirmed', []])
      assert.equal((await shownIntents(shop, order.id)).length, 1)
    }
  })
})
