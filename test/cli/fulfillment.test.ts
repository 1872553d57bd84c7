import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { lineOfSku, paidBy } from '../support/commerce/paid-orders.ts'
import { type Shop, startShop } from '../support/commerce/shop.ts'
import { command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'
import type { InstallationClient } from '../support/world.ts'

/** Commands next to a running server on the same database. */
let shop: Shop
let folder: Awaited<ReturnType<typeof temporaryFolder>>
let env: Record<string, string>
let client: InstallationClient
before(async () => {
  shop = await startShop()
  folder = await temporaryFolder()
  const settings = { DATABASE_URL: shop.databaseUrl, DATA_DIR: folder }
  env = settings
  await serveOperatorApi(settings)
  shop.clock.advance(Date.now() - shop.clock.now().getTime())
  client = await shop.client()
})

async function json(...args: readonly string[]) {
  const { code, out, err } = await command([...args, '--json'], { env })
  assert.deepEqual([code, err], [0, ''])
  return JSON.parse(out)
}

async function says(...args: readonly string[]) {
  const { code, out, err } = await command(args, { env })
  assert.deepEqual([code, err], [0, ''])
  return out
}

async function fails(code: 1 | 2, ...args: readonly string[]) {
  const ran = await command(args, { env })
  assert.deepEqual([ran.code, ran.out], [code, ''], ran.err)
  return ran.err
}

describe('vitrine order ship', () => {
  test('ships a part and then the rest, and nothing for a repeated reference', async () => {
    const order = await paidBy(shop, client, { MUG: 3 })
    const mug = lineOfSku(shop, order, 'MUG')
    const part = ['order', 'ship', order.id, '--line', `${mug}=2`, '--reference', 'P-1', '--carrier', 'DHL']
    const parcel = await json(...part)
    assert.deepEqual(parcel, {
      id: parcel.id,
      orderId: order.id,
      status: 'dispatched',
      reference: 'P-1',
      carrier: 'DHL',
      trackingNumber: null,
      trackingUrl: null,
      note: null,
      lines: [{ lineId: mug, quantity: 2 }],
    })
    assert.deepEqual(await json(...part), parcel)
    const rest = await says(
      'order',
      'ship',
      order.id,
      '--tracking',
      '00340',
      '--tracking-url',
      'https://dhl.example/00340',
    )
    assert.match(rest, /^ful_\w+\n\n1 unit was shipped\.\n$/)
    assert.match(await fails(1, 'order', 'ship', order.id), /^vitrine: None of these units is left to ship\.\n$/)
  })

  test('explains an invalid call', async () => {
    const order = await paidBy(shop, client, { MUG: 1, NOVEL: 1 })
    assert.match(await fails(1, 'order', 'ship', order.id), /Several stores ship this order\. Select one\./)
    assert.match(await fails(1, 'order', 'ship', order.id, '--store', 'nobody'), /There is no store "nobody"\./)
    assert.match(await fails(2, 'order', 'ship', order.id, '--line', 'two'), /--line is the id of a line and its units/)
    const javascript = ['--store', 'books', '--tracking-url', 'javascript:alert(1)']
    assert.match(await fails(1, 'order', 'ship', order.id, ...javascript), /\/trackingUrl: /)
    assert.match(await fails(1, 'order', 'ship', 'ord_none'), /^vitrine: There is no order "ord_none"\.\n$/)
    assert.equal((await json('order', 'ship', order.id, '--store', 'books')).lines.length, 1)
  })
})

describe('parcel commands', () => {
  test('records a parcel that fails, is sent again, is lost, and is delivered', async () => {
    const order = await paidBy(shop, client, { BOWL: 1 })
    const { id } = await json('order', 'ship', order.id, '--carrier', 'DHL')
    assert.equal((await json('fulfillment', 'fail', id, '--reason', 'It came back.')).note, 'It came back.')
    const listed = await json('fulfillment', 'list', '--status', 'failed')
    assert.deepEqual(
      listed.map((each: Record<string, unknown>) => [each.id, each.orderNumber, each.store, each.note]),
      [[id, order.number, 'ceramics', 'It came back.']],
    )
    assert.deepEqual((await json('fulfillment', 'resend', id, '--carrier', 'UPS')).carrier, 'UPS')
    assert.equal(
      (await json('fulfillment', 'correct', id, '--carrier', 'UPS', '--tracking', '1Z')).trackingNumber,
      '1Z',
    )
    assert.equal((await json('fulfillment', 'lose', id, '--reason', 'No scan.')).status, 'unknown')
    assert.match(await says('fulfillment', 'deliver', id), /^ful_\w+\n\nThe parcel is delivered\.\n$/)
    assert.match(await fails(1, 'fulfillment', 'deliver', id), /It is reconciled/)
  })

  test('are also found by their former names', async () => {
    assert.match(await says('fulfilment', 'list', '--status', 'stopped'), /^No fulfillment was stopped/)
    assert.deepEqual(await json('licence', 'list'), await json('license', 'list'))
  })

  test('list shows pending shipments, and refuses an unknown status', async () => {
    const order = await paidBy(shop, client, { CUP: 2 })
    const out = await says('fulfillment', 'list')
    assert.match(out, /^ID +ORDER +NUMBER +STORE +METHOD +LINES +WHY\n/)
    assert.match(out, new RegExp(`${order.id} +${order.number} +ceramics +manual +oli_\\w+=2`))
    assert.equal(await says('fulfillment', 'list', '--status', 'stopped'), 'No fulfillment was stopped.\n')
    assert.match(
      await fails(2, 'fulfillment', 'list', '--status', 'gone'),
      /--status must be one of pending, dispatched/,
    )
    assert.match(await fails(2, 'fulfillment', 'list', '--limit', '0'), /--limit must be a whole number from 1 to 1000/)
  })
})

describe('license key commands', () => {
  test('imports each key once, even if it is repeated, and lists the pools', async () => {
    assert.match(await says('license', 'list'), /^There is no pool yet/)
    const [keys, more] = [join(folder, 'keys.txt'), join(folder, 'more.txt')]
    await writeFile(keys, 'KEY-1\r\nKEY-2\n\nKEY-1\n')
    await writeFile(more, `KEY-3\n${'x'.repeat(501)}\nKEY-2\n`)
    const sku = shop.sku('PLAN')
    const importing = ['license', 'import', keys, '--sku', sku]
    assert.deepEqual(await json(...importing), { read: 3, created: 2, unchanged: 1, refused: [] })
    assert.deepEqual(await json(...importing), { read: 3, created: 0, unchanged: 3, refused: [] })
    assert.equal(
      await says('license', 'import', more, '--sku', sku),
      'Read 3: 1 created, 1 unchanged, 1 refused.\n  line 2: A key can have at most 500 characters.\n',
    )
    const level = { skuId: sku, skuCode: 'PLAN', environment: 'test', free: 3, given: 0, owed: 0 }
    assert.deepEqual(await json('license', 'list'), [{ ...level, environment: 'live', free: 0 }, level])

    await paidBy(shop, client, { PLAN: 2 }, { email: 'plan@example.com' })
    await shop.work()
    const mail = (await shop.mails()).find(
      ({ recipient, kind }) => recipient === 'plan@example.com' && kind === 'fulfilment.keys',
    )
    assert.match(mail!.text, /^KEY-1\nKEY-2$/m)
    assert.deepEqual((await json('license', 'list'))[1], { ...level, free: 1, given: 2 })
  })

  test('explains an invalid call', async () => {
    const keys = join(folder, 'keys.txt')
    const sku = shop.sku('PLAN')
    assert.match(await fails(1, 'license', 'import', 'none.txt', '--sku', sku), /There is no file .*none\.txt\./)
    assert.match(await fails(1, 'license', 'import', keys, '--sku', 'sku_none'), /There is no SKU "sku_none"\./)
    const mistaken = ['license', 'import', keys, '--sku', sku, '--environment', 'both']
    assert.match(await fails(2, ...mistaken), /--environment must be one of test, live, not "both"\./)
  })
})
