import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { createInstallation, idSource } from '@vitrine/server'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { testClock } from '../support/clock.ts'
import { storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { background, command, temporaryFolder } from '../support/processes/command.ts'
import { serveOperatorApi } from '../support/processes/operator-api.ts'
import { testRandomness } from '../support/randomness.ts'

const clock = testClock()
const ids = idSource(clock, testRandomness('orders'))

const run = async (...args: string[]) => {
  const { code, out, err } = await command([...args, '--json'], { env })
  assert.equal(code, 0, err)
  return JSON.parse(out)
}
const file = async (name: string, lines: readonly unknown[]) => {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')
  const path = join(folder, name)
  await writeFile(path, name.endsWith('.gz') ? gzipSync(text) : text)
  return path
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
let installationId: string
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  const settings = { DATABASE_URL: url, DATA_DIR: folder }
  env = settings
  await serveOperatorApi(settings)
  await run('catalog', 'import', await file('stores.jsonl', [storeLine('loom')]), '--store', 'loom')
  installationId = await database.transaction((tx) =>
    createInstallation(tx, { name: 'Shop', storeSlug: 'loom', environment: 'live' }, { ids, now: clock.now() }),
  )
})

const importing = (name: string) => run('order', 'import', name, '--installation', installationId)

function order(externalId: string, more: object = {}) {
  const line = { sku: 'SHIRT', name: 'Linen shirt', quantity: 2, unitPrice: 4900 }
  const base = { placedAt: '2025-11-03T09:14:00Z', currency: 'EUR', country: 'DE', email: 'ada@example.com' }
  return { externalId, ...base, lines: [line], ...more }
}

describe('vitrine order import', () => {
  const lines = [
    order('1'),
    'not JSON',
    order('2', { total: 1 }),
    order('3', { status: 'completed' }),
    order('4', { lines: [] }),
    '',
    order('5', { refunds: [{ at: '2025-11-04T00:00:00Z', amount: 9801 }] }),
    order('6', { shipping: [{ amount: 490 }], total: 10_290, number: 'OLD-6' }),
  ]

  test('imports every valid line, compressed or not, and reports each invalid one with its number and reason', async () => {
    const { refused, ...counts } = await importing(await file('orders.jsonl.gz', lines))
    assert.deepEqual(counts, { read: 7, created: 3, unchanged: 0 })
    assert.deepEqual(
      refused.map(({ line }: { line: number }) => line),
      [2, 3, 5, 7],
    )
    assert.match(refused[0].reason, /not JSON/)
    assert.match(refused[1].reason, /^\/total: the parts add up to 9800, not 1\.$/)
    assert.match(refused[2].reason, /^\/lines/)
    assert.match(refused[3].reason, /^\/refunds\/0\/amount/)

    const again = await importing(await file('orders.jsonl', lines))
    assert.deepEqual(again, { read: 7, created: 0, unchanged: 3, refused })
  })

  test('prints a summary in words', async () => {
    const { code, out } = await command(
      ['order', 'import', join(folder, 'orders.jsonl'), '--installation', installationId],
      {
        env,
      },
    )
    assert.equal(code, 0, 'bad lines are reported, not a failure of the import')
    assert.match(out, /^Read 7: 0 created, 3 unchanged, 4 refused\.\n {2}line 2: .*\n {2}line 3: /)
  })

  test('leaves a person whose orders are open, and an erasure names those', async () => {
    const person = 'open@example.com'
    await importing(await file('open.jsonl', [order('open', { number: 'OPEN-1', email: person })]))
    const { code, out, err } = await command(['privacy', 'erase', person, '--yes'], { env })
    assert.deepEqual([code, out], [1, ''])
    assert.match(
      err,
      /^vitrine: Nothing was erased\. These orders and checkouts have to end first: OPEN-1\. [^\n]+\.\n$/,
    )
  })

  test('imports the examples of its documentation', async () => {
    const page = await readFile(join(import.meta.dirname, '../../docs/reference/order-lines.md'), 'utf8')
    const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].flatMap(([, block]) => block!.trim().split('\n'))
    const mine = examples.map((line) => ({ ...JSON.parse(line), installation: installationId }))
    const report = await importing(await file('examples.jsonl', mine))
    assert.deepEqual(report, { read: mine.length, created: mine.length, unchanged: 0, refused: [] })
    const shown = await run('order', 'show', 'A-1045')
    assert.deepEqual(
      [shown.status, shown.paymentStatus, shown.fulfillmentStatus, shown.lines[0].quantity.current],
      ['completed', 'partially_refunded', 'delivered', 2],
    )
  })

  test('is complete and correct when repeated after it was killed halfway', async () => {
    const many = Array.from({ length: 1500 }, (_, index) => order(`many-${index}`))
    const name = await file('many.jsonl', many)
    const count = statement<{ count: bigint }>(
      'cli_test.orders',
      `select count(*) as count from orders where external_id like 'many-%'`,
    )
    const written = async () => Number((await database.reader.row(count))!.count)
    // Without a server next to it, the command imports in its own process.
    const alone = { ...env, DATA_DIR: await temporaryFolder() }
    const killed = background(['order', 'import', name, '--installation', installationId], { env: alone })
    while ((await written()) === 0) await pause(10)
    killed.child.kill('SIGKILL')
    await killed.ended
    const before = await written()
    const report = await importing(name)
    const { created, unchanged } = report
    assert.deepEqual(report, { read: 1500, created, unchanged, refused: [] })
    assert.ok(unchanged >= before && created + unchanged === 1500, `${before} were there, ${unchanged} unchanged`)
    assert.equal(await written(), 1500)
  })

  test('explains an invalid call', async () => {
    const { code, err } = await command(['order', 'import', 'orders.csv'], { env })
    assert.equal(code, 2)
    assert.match(err, /must end in \.jsonl/)
  })
})

describe('vitrine order list', () => {
  test('lists the newest orders, of all installations or of one', async () => {
    await importing(
      await file('late.jsonl', [order('late', { placedAt: '2026-01-01T00:00:00Z', email: 'late@example.com' })]),
    )
    const [first] = await run('order', 'list', '--limit', '1')
    assert.deepEqual(
      [first.placedAt, first.installationId, first.environment, first.total],
      ['2026-01-01T00:00:00.000Z', installationId, 'live', { amount: 9800, currency: 'EUR' }],
    )
    assert.match(first.number, /^V-\d+$/)
    assert.equal((await run('order', 'list', '--email', 'LATE@example.com')).length, 1)
    assert.ok((await run('order', 'list', '--status', 'completed', '--installation', installationId)).length >= 1)
    const { out } = await command(['order', 'list', '--limit', '1'], { env })
    assert.match(out, /^NUMBER +PLACED .*\n.*98\.00 EUR/)
  })

  test('shows amounts with the decimals that their minor units have', async () => {
    const forints = order('forints', { placedAt: '2026-01-02T00:00:00Z', email: 'huf@example.com', currency: 'HUF' })
    await importing(await file('forints.jsonl', [forints]))
    const { out } = await command(['order', 'list', '--email', 'huf@example.com'], { env })
    assert.match(out, / 98\.00 HUF /)
  })

  test('explains an invalid call', async () => {
    for (const wrong of [
      ['--limit', '0'],
      ['--status', 'shipped'],
    ]) {
      assert.equal((await command(['order', 'list', ...wrong], { env })).code, 2)
    }
  })
})

describe('vitrine order show', () => {
  test('shows an order by its number or its id, as its installation reads it', async () => {
    const byNumber = await run('order', 'show', 'OLD-6')
    assert.deepEqual(await run('order', 'show', byNumber.id), byNumber)
    assert.equal(byNumber.customer.emailMasked, 'a…@example.com')
    const { out } = await command(['order', 'show', 'OLD-6'], { env })
    assert.match(out, /OLD-6 .*ord_[\s\S]*Linen shirt +98\.00 EUR +open[\s\S]*The order was confirmed\./)
  })

  test('is held, released and started', async () => {
    assert.equal((await run('order', 'hold', 'OLD-6', '--reason', 'Odd')).status, 'on_hold')
    const { code, err } = await command(['order', 'begin', 'OLD-6'], { env })
    assert.equal(code, 1)
    assert.match(err, /^vitrine: .* It is on_hold; allowed: release.*\.\n$/)
    assert.equal((await run('order', 'release', 'OLD-6')).status, 'confirmed')
    assert.equal((await run('order', 'begin', 'OLD-6')).status, 'processing')
  })

  test('reports an unknown order', async () => {
    const { code, err } = await command(['order', 'show', 'NONE-1'], { env })
    assert.equal(code, 1)
    assert.match(err, /There is no order "NONE-1"\./)
  })

  test('asks for the ID if several installations have an order with the same number', async () => {
    const another = await database.transaction((tx) =>
      createInstallation(tx, { name: 'Other', storeSlug: 'loom', environment: 'live' }, { ids, now: clock.now() }),
    )
    const name = await file('twin.jsonl', [order('twin', { number: 'OLD-6' })])
    await run('order', 'import', name, '--installation', another)
    const { code, err } = await command(['order', 'hold', 'OLD-6'], { env })
    assert.equal(code, 1)
    assert.match(err, /^vitrine: 2 installations have an order OLD-6: ord_.*, ord_.*\. Name one by its ID\.\n$/)
  })
})
