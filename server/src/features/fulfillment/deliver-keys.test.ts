import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, test } from 'node:test'
import { JobRunner } from '@vitrine/server'
import { productLine } from '../../../../test/support/commerce/catalog.ts'
import { lineOfSku, paidBy, shownIntents } from '../../../../test/support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../../../../test/support/commerce/shop.ts'
import { operatorClient } from '../../../../test/support/operator.ts'
import { secretDeps } from '../../../../test/support/secrets.ts'
import type { InstallationClient } from '../../../../test/support/world.ts'
import type { IdSource } from '../../kernel/ids.ts'
import { REFUSED_LINES_MAX } from '../../platform/line-files/invalid-line.ts'
import { logger } from '../../platform/observe/logger.ts'
import { statement } from '../../platform/postgres/statement.ts'
import { rotateSecret } from '../../platform/secrets/server-secrets.ts'
import { findOrderById, hold, lockOrderById, release, saveOrder, statusesOf } from '../orders/index.ts'
import { enqueueReseal, importLicenses, intentsOf, listPools, openLicenseVault, stopFulfillment } from './index.ts'
import { importLicenseUpload } from './license-upload.ts'
import type { LicenseVault } from './pools.ts'

const GAMES = ['solitaire', 'chess', 'poker', 'go', 'gin', 'reversi', 'draughts', 'halma', 'ludo'].map((id) =>
  productLine(id, { skus: [{ code: id.toUpperCase(), prices: [{ currency: 'EUR', amount: 1900 }] }] }),
)
const MINUTE_MS = 60_000
let shop: Shop
let database: Shop['database']
let ids: Shop['ids']
let clock: Shop['clock']
let client: InstallationClient
let vault: LicenseVault
before(async () => {
  shop = await startShop({ more: GAMES })
  ;({ database, ids, clock } = shop)
  client = await shop.client()
  vault = await database.transaction((tx) => openLicenseVault(tx, secretDeps()))
})

const give = (code: string, keys: readonly string[], environment: 'test' | 'live' = 'test') =>
  database.transaction((tx) =>
    importLicenses(tx, { skuId: shop.sku(code), environment }, keys, { ids, now: clock.now(), vault }),
  )
const keysOf = (word: string, count: number) => Array.from({ length: count }, (_, index) => `${word}-${index + 1}`)
const mailsTo = async (recipient: string) =>
  (await shop.mails()).filter((mail) => mail.recipient === recipient && mail.kind === 'fulfilment.keys')
const orderNow = (id: string) => findOrderById(database.reader, id)
const waitingFor = async (id: string) =>
  (await intentsOf(database.reader, id)).map((intent) => (intent.status === 'pending' ? intent.waitingFor : null))

describe('keys', () => {
  test('are mailed once for paid units, and the order is delivered', async () => {
    await give('SOLITAIRE', keysOf('SOL', 5))
    const order = await paidBy(shop, client, { SOLITAIRE: 2, MUG: 1 }, { email: 'keys@example.com' })
    assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 2', 'manual pending 1'])

    await shop.work()
    const [mail, ...more] = await mailsTo('keys@example.com')
    assert.deepEqual(
      [mail?.kind, mail?.subject, more],
      ['fulfilment.keys', `[Test] Your keys for order ${order.number}`, []],
    )
    assert.match(mail!.text, /^SOL-1\nSOL-2$/m)
    const now = await orderNow(order.id)
    assert.deepEqual(
      now.parcels.map(({ status, lines }) => [status, lines]),
      [['delivered', [{ lineId: lineOfSku(shop, order, 'SOLITAIRE'), quantity: 2 }]]],
    )
    assert.deepEqual(statusesOf(now), {
      status: 'processing',
      paymentStatus: 'paid',
      fulfillmentStatus: 'partially_fulfilled',
    })
    const pool = (await listPools(database.reader)).find(({ skuId, environment }) => {
      return skuId === shop.sku('SOLITAIRE') && environment === 'test'
    })
    assert.deepEqual([pool?.free, pool?.given, pool?.owed], [3, 2, 0])

    await shop.work()
    assert.equal((await mailsTo('keys@example.com')).length, 1)

    const operator = await operatorClient(shop)
    const { mails, history } = (await operator.get(`/orders/${order.id}`, { 'accept-language': 'de-AT,en' })).body.data
    const { kind, reference } = mails.find((each: { kind: string }) => each.kind === 'fulfilment.keys')
    assert.equal(history[0].text, 'Die Bestellung wurde bestätigt.')
    await operator.change('POST', `/orders/${order.id}/mails`, { kind, reference })
    // On delivery a mail gets the letterhead of its stores.
    await shop.work()
    const [again, first] = await mailsTo('keys@example.com')
    assert.deepEqual([again?.text, again?.subject], [first?.text, first?.subject])
    const other = await operator.send('POST', `/orders/${order.id}/mails`, { kind, reference: 'ful_1' })
    assert.equal(other.body.code, 'not_found')
  })

  test('that are addresses of downloads are links below the name of their item, and the mail links to the order', async () => {
    const download = 'https://downloads.example/go/5ag9z2elznxz'
    await shop.openPages()
    await give('GIN', [download])
    await paidBy(shop, client, { GIN: 1 }, { email: 'links@example.com' })
    await shop.work()
    const [mail] = await mailsTo('links@example.com')
    assert.ok(mail!.text.includes(`\n\nProduct gin:\nDownload: ${download}\n\n`), mail!.text)
    assert.match(mail!.text, /^View status, cancel or return: \S+\/order\/\S+$/m)
  })

  test('complete an order of license keys', async () => {
    const order = await paidBy(shop, client, { SOLITAIRE: 1 })
    await shop.work()
    const { status, fulfillmentStatus } = statusesOf(await orderNow(order.id))
    assert.deepEqual([status, fulfillmentStatus], ['completed', 'delivered'])
    const events = await shop.query(
      `select kind from events where subject_id = $1 and body is not null order by sequence`,
      [order.id],
    )
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['order.created', 'order.updated', 'order.fulfilled'],
    )
  })

  test('that are missing leave the intent waiting with a reason, and are mailed after an import', async () => {
    await give('CHESS', ['CHESS-1'])
    const order = await paidBy(shop, client, { CHESS: 3 }, { email: 'waits@example.com', locale: 'de-AT' })
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1', 'digital pending 2'])
    assert.deepEqual(await waitingFor(order.id), ['2 × CHESS', null])
    const [first] = await mailsTo('waits@example.com')
    assert.equal(first?.subject, `[Test] Dein Lizenzschlüssel zur Bestellung ${order.number}`)
    assert.match(first!.text, /^CHESS-1$/m)
    assert.match(first!.text, /^2 weitere Lizenzschlüssel folgen\.$/m)
    clock.advance(3_600_000)
    await shop.work()
    assert.equal((await mailsTo('waits@example.com')).length, 1)

    await give('CHESS', keysOf('CHESS', 4))
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1', 'digital confirmed 2'])
    const [second] = await mailsTo('waits@example.com')
    assert.match(second!.text, /^CHESS-2\nCHESS-3$/m)
    assert.equal(statusesOf(await orderNow(order.id)).fulfillmentStatus, 'delivered')
  })

  test('that another transaction holds and releases are given soon, also after a first part', async () => {
    await give('LUDO', keysOf('LUDO', 2))
    const order = await paidBy(shop, client, { LUDO: 2 })
    const [held, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const lockLast = statement(
      'test.lock_key',
      'select id from licence_keys where sku_id = $1 order by id desc limit 1 for update',
    )
    const holding = database.transaction(async (tx) => {
      await tx.rows(lockLast, [shop.sku('LUDO')])
      held.resolve()
      await over.promise
    })
    await held.promise
    await shop.work()
    over.resolve()
    await holding
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1', 'digital pending 1'])
    assert.deepEqual(await waitingFor(order.id), [null, null])
    clock.advance(2 * 1000)
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1', 'digital confirmed 1'])
  })

  test('of one environment are never given in the other', async () => {
    await give('GO', ['LIVE-1'], 'live')
    const order = await paidBy(shop, client, { GO: 1 })
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 1'])
  })

  test('of an order on hold wait until it is released', async () => {
    await give('POKER', keysOf('POKER', 1))
    const order = await paidBy(shop, client, { POKER: 1 })
    const change = (decide: typeof release) =>
      database.transaction(async (tx) => {
        const before = await lockOrderById(tx, order.id)
        await saveOrder(tx, before, decide(before, { now: clock.now(), actor: 'operator' }), { ids, now: clock.now() })
      })
    await change((each, context) => hold(each, null, context))
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 1'])
    await change(release)
    clock.advance(5 * 60_000)
    await shop.work()
    assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1'])
  })

  test('are not given to a stopped order', async () => {
    await give('REVERSI', keysOf('REV', 2))
    const order = await paidBy(shop, client, { REVERSI: 2 }, { email: 'stopped@example.com' })
    const units = [{ lineId: lineOfSku(shop, order, 'REVERSI'), quantity: 2 }]
    const outcome = await database.transaction(async (tx) => {
      await lockOrderById(tx, order.id)
      return stopFulfillment(tx, order.id, units, { ids, now: clock.now() })
    })
    assert.deepEqual(outcome, { stopped: true })
    await shop.work()
    assert.deepEqual(await mailsTo('stopped@example.com'), [])
    assert.deepEqual(await shownIntents(shop, order.id), ['digital stopped 2'])
  })

  for (const [where, prefix] of [
    ['between the claim of a key and its record', 'mail'],
    ['after the mail was written and before the order is updated', 'evt'],
  ] as const) {
    test(`are given once if a worker dies ${where}`, async () => {
      await give('DRAUGHTS', keysOf(prefix, 1))
      const order = await paidBy(shop, client, { DRAUGHTS: 1 }, { email: `${prefix}@example.com` })
      const dying: IdSource = {
        next: (wanted) => {
          if (wanted === prefix) throw new Error('the machine is gone')
          return ids.next(wanted)
        },
      }
      await new JobRunner(shop.app.jobs, { database, clock, ids: dying, log: logger('silent') }).runDue()
      assert.deepEqual(await shownIntents(shop, order.id), ['digital pending 1'])
      assert.deepEqual(await mailsTo(`${prefix}@example.com`), [])

      clock.advance(60_000)
      await shop.work()
      await shop.work()
      assert.deepEqual(await shownIntents(shop, order.id), ['digital confirmed 1'])
      const [mail, ...more] = await mailsTo(`${prefix}@example.com`)
      assert.match(mail!.text, new RegExp(`^${prefix}-1$`, 'm'))
      assert.deepEqual(more, [])
    })
  }
})

describe('when their secrets are rotated, keys', () => {
  test('are resealed by a job, given as before, and recognized when they are imported again', async () => {
    await give('REVERSI', keysOf('REV', 600))
    const sealedWith = async () => {
      const rows = await shop.query('select distinct sealing_key_id as id from licence_keys where sku_id = $1', [
        shop.sku('REVERSI'),
      ])
      return rows.map(({ id }) => id)
    }
    const before = await sealedWith()
    const deps = secretDeps(clock)
    await database.transaction(async (tx) => {
      for (const purpose of ['licence-keys', 'licence-fingerprint'] as const) {
        const { signsFrom } = await rotateSecret(tx, purpose, { dropsOld: true }, deps)
        enqueueReseal(tx, signsFrom, ids)
      }
    })
    await shop.refresh()
    clock.advance(MINUTE_MS)
    vault = await database.transaction((tx) => openLicenseVault(tx, deps))
    // The new secret signs already, and the job has not run yet: keys of both secrets are recognized.
    assert.equal((await give('REVERSI', ['REV-1', 'REV-601'])).created, 1)
    assert.equal((await sealedWith()).length, 2)

    clock.advance(MINUTE_MS)
    await shop.work()
    const after = await sealedWith()
    assert.deepEqual([after.length, after.includes(before[0])], [1, false])
    await shop.refresh()
    vault = await database.transaction((tx) => openLicenseVault(tx, deps))
    assert.equal((await give('REVERSI', ['REV-600', 'REV-601'])).created, 0)
    await paidBy(shop, client, { REVERSI: 1 }, { email: 'rotated@example.com' })
    await shop.work()
    assert.match((await mailsTo('rotated@example.com'))[0]!.text, /^REV-1$/m)
    const left = await shop.query("select version from server_secret_versions where purpose like 'licence-%'")
    assert.deepEqual(
      left.map(({ version }) => version),
      [2, 2],
    )
  })
})

describe('an import of keys', () => {
  test('takes each key once, reports invalid lines, and stores keys encrypted', async () => {
    const lines = ['  HALMA-1 ', '', 'HALMA-2', 'HALMA-1', 'x'.repeat(501), 'tab\there']
    assert.deepEqual(await give('HALMA', lines), {
      read: 5,
      created: 2,
      unchanged: 1,
      refused: [
        { line: 5, reason: 'A key can have at most 500 characters.' },
        { line: 6, reason: 'A key cannot contain control characters.' },
      ],
    })
    assert.deepEqual(await give('HALMA', ['HALMA-2', 'HALMA-3']), { read: 2, created: 1, unchanged: 1, refused: [] })
    assert.equal((await give('HALMA', ['HALMA-1'], 'live')).created, 1)
    const rows = await shop.query('select sealed::text, fingerprint::text from licence_keys where sku_id = $1', [
      shop.sku('HALMA'),
    ])
    assert.equal(rows.length, 4)
    const clear = Buffer.from('HALMA').toString('hex')
    for (const row of rows) assert.ok(!JSON.stringify(row).includes(clear))
  })

  test('only counts further refused lines once it has as many as an import reports', async () => {
    const pool = { skuId: shop.sku('HALMA'), environment: 'test' } as const
    const lines = REFUSED_LINES_MAX + 2
    const upload = Readable.from([Buffer.from('a\u0001b\n'.repeat(lines))])
    const report = await importLicenseUpload({ database, ids, clock, vault, pool, upload, onTaken() {} })
    assert.deepEqual([report.read, report.created, report.refused.length], [lines, 0, REFUSED_LINES_MAX])
  })

  test('requires an existing SKU', async () => {
    await assert.rejects(
      database.transaction((tx) =>
        importLicenses(tx, { skuId: 'sku_none', environment: 'test' }, ['K'], { ids, now: clock.now(), vault }),
      ),
      { code: 'not_found' },
    )
  })
})
