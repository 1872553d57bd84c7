import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { importLicences, openLicenceSafe } from '../../server/src/features/fulfilment/index.ts'
import { findOrderById } from '../../server/src/features/orders/index.ts'
import { systemRandomness } from '../../server/src/kernel/randomness.ts'
import { background, temporaryFolder } from '../support/command.ts'
import { paidBy, shownIntents } from '../support/paid-orders.ts'
import { startShop } from '../support/shop.ts'

const WEBHOOK_SECRET_KEY = Buffer.alloc(32, 7).toString('base64')
const shop = await startShop({ environment: { WEBHOOK_SECRET_KEY } })
const { database, ids, clock } = shop
const client = await shop.client()
const LEASE_MS = 60_000

/** Sets the clock of the shop beside that of the worker, which is the machine's. */
const setClock = (aheadMs: number) => clock.advance(Date.now() + aheadMs - clock.now().getTime())
const mailsTo = async (recipient: string) =>
  (await shop.mails()).filter((mail) => mail.recipient === recipient && mail.kind === 'fulfilment.keys')

/** A worker of its own on the shop’s database, which kills itself at a point. */
async function dyingWorker(point: string) {
  return background(['start', '--json', '--empty', '--roles', 'worker'], {
    env: {
      DATABASE_URL: shop.databaseUrl,
      DATA_DIR: await temporaryFolder(),
      PUBLIC_URL: shop.publicUrl,
      WEBHOOK_SECRET_KEY,
      CRASH_AT: point,
      LOG_LEVEL: 'error',
    },
  })
}

describe('a worker that is killed while it hands over keys', () => {
  for (const [point, where] of [
    ['fulfilment.claimed', 'once it has claimed them'],
    ['fulfilment.handed_over', 'once the mail is written'],
  ] as const) {
    test(`${where} has given none, and its successor gives each once`, async () => {
      setClock(0)
      const pool = { skuId: shop.sku('PLAN'), environment: 'test' } as const
      const keys = [1, 2].map((nth) => `${point}-${nth}`)
      await database.transaction(async (tx) => {
        const safe = await openLicenceSafe(tx, systemRandomness())
        await importLicences(tx, pool, keys, { ids, now: clock.now(), safe })
      })
      const email = `${point}@example.com`
      const order = await paidBy(shop, client, { PLAN: 2 }, { email })

      assert.equal((await (await dyingWorker(point)).ended).code, null, 'it was killed')
      assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 2'])
      assert.deepEqual(await mailsTo(email), [])

      setClock(LEASE_MS)
      await shop.work()
      await shop.work()
      assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 2'])
      const [mail, ...more] = await mailsTo(email)
      assert.deepEqual([mail?.text.match(/^fulfilment\S+-\d$/gm), more], [keys, []])
      assert.equal((await findOrderById(database.reader, order.id)).parcels.length, 1)
    })
  }
})
