import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { progressOn } from '../../cli/src/progress.ts'
import { statement } from '../../server/src/platform/postgres/index.ts'
import { productLine, storeLine } from '../support/commerce/catalog.ts'
import { testDatabase } from '../support/database.ts'
import { background, command, temporaryFolder } from '../support/processes/command.ts'

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let database: Awaited<ReturnType<typeof testDatabase>>['database']
let url: Awaited<ReturnType<typeof testDatabase>>['url']
let env: Record<string, string>
before(async () => {
  folder = await temporaryFolder()
  ;({ database, url } = await testDatabase())
  env = { DATABASE_URL: url, DATA_DIR: folder }
})

const count = statement<{ products: bigint }>(
  'cli_test.products',
  'select count(*) as products from products p join stores s on s.id = p.store_id where s.slug = $1',
)

const failing = statement(
  'cli_test.failing',
  `create function fail_claims() returns trigger language plpgsql as $$ begin raise 'the disk of the jobs is gone'; end $$`,
)
const attach = statement(
  'cli_test.attach',
  `create trigger fail_claims before update on jobs for each row when (new.lease_until is not null)
   execute function fail_claims()`,
)
const detach = statement('cli_test.detach', 'drop function fail_claims() cascade')

const hold = statement('cli_test.hold', 'select from products where external_id = $1 for update')
const others = statement<{ waits: boolean }>(
  'cli_test.sessions',
  `select coalesce(wait_event_type = 'Lock', false) as waits from pg_stat_activity
   where datname = current_database() and application_name = 'vitrine'`,
)

/** Connections of the command to this database. */
const sessions = () => database.reader.rows(others)

async function productsOf(store: string): Promise<number> {
  return Number((await database.reader.row(count, [store]))!.products)
}

/** @param name a file in the folder of these tests */
async function importing(name: string, store: string) {
  const { code, out, err } = await command(['catalog', 'import', join(folder, name), '--store', store, '--json'], {
    env,
  })
  assert.equal(code, 0, err)
  assert.equal(err, '')
  return JSON.parse(out)
}

const lines = [
  storeLine('crockery'),
  productLine('cup'),
  'not JSON',
  productLine('plate', { price: -1 }),
  productLine('bowl', { names: { en: 'Bowl “Hållö” 🥣' } }),
  { id: 'nothing' },
  productLine('jug', { categories: [['table', 'jugs']] }),
]
const text = `${lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n')}\n`

describe('vitrine catalog import', () => {
  test('imports every valid JSON line, compressed or not, and reports each invalid one with its number and reason', async () => {
    await writeFile(join(folder, 'catalogue.jsonl'), text)
    await writeFile(join(folder, 'catalogue.jsonl.gz'), gzipSync(text))

    const first = await importing('catalogue.jsonl.gz', 'crockery')

    const { refused, ...counts } = first
    assert.deepEqual(counts, { read: 7, created: 4, updated: 0, unchanged: 0 })
    assert.deepEqual(
      refused.map(({ line }: { line: number }) => line),
      [3, 4, 6],
    )
    assert.match(refused[0].reason, /not JSON/)
    assert.match(refused[1].reason, /amount/)
    assert.equal(await productsOf('crockery'), 3)

    const again = await importing('catalogue.jsonl', 'crockery')
    assert.deepEqual(again, { read: 7, created: 0, updated: 0, unchanged: 4, refused })
  })

  test('imports every valid row of a CSV file, whose cells may contain newlines', async () => {
    const table = [
      'id,name,price.EUR,stock',
      'lamp,"Lamp\nwith a shade",2990,4',
      'bulb,Bulb,cheap,4',
      'cord,"Cord, 2 m",490,4',
    ]
    await writeFile(join(folder, 'lamps.csv'), `${table.join('\r\n')}\r\n`)

    const { refused, ...counts } = await importing('lamps.csv', 'lamps')

    assert.deepEqual(counts, { read: 3, created: 2, updated: 0, unchanged: 0 })
    assert.deepEqual(
      refused.map(({ line }: { line: number }) => line),
      [4],
      'as an editor counts lines',
    )
    assert.match(refused[0].reason, /\/skus\/0\/prices\/0\/amount/)
  })

  test('prints a summary in words', async () => {
    const { code, out } = await command(['catalog', 'import', join(folder, 'catalogue.jsonl'), '--store', 'crockery'], {
      env,
    })
    assert.equal(code, 0, 'bad lines are reported, not a failure of the import')
    assert.match(out, /^Read 7: 0 created, 0 updated, 4 unchanged, 3 refused\.\n {2}line 3: .*\n {2}line 4: /)
  })

  test('reports a damaged file, and imports all of it when it is intact', async () => {
    const packed = gzipSync(text)
    const file = join(folder, 'cut.jsonl.gz')
    await writeFile(file, packed.subarray(0, packed.length - 20))
    const { code, err } = await command(['catalog', 'import', file, '--store', 'cut'], { env })
    assert.equal(code, 1)
    assert.match(
      err,
      /^vitrine: .*cut\.jsonl\.gz: The file is damaged: unexpected end of file\..*Import it again.*\.\n$/,
    )
  })

  test('ends with the reason if its worker fails, and does not wait for it', async (t) => {
    await database.reader.rows(failing)
    await database.reader.rows(attach)
    t.after(() => database.reader.rows(detach))
    await writeFile(join(folder, 'waiting.jsonl'), JSON.stringify(storeLine('waiting')))
    const { code, err } = await command(['catalog', 'import', join(folder, 'waiting.jsonl'), '--store', 'waiting'], {
      env,
    })
    assert.equal(code, 1)
    assert.match(err, /the disk of the jobs is gone/)
  })

  test('is complete and correct when repeated after it was killed halfway', async () => {
    const products = Array.from({ length: 3000 }, (_, index) => productLine(`item-${index}`, { price: 100 + index }))
    const file = join(folder, 'large.jsonl')
    await writeFile(file, products.map((line) => JSON.stringify(line)).join('\n'))
    await writeFile(join(folder, 'one.jsonl'), JSON.stringify(productLine('item-2000', { price: 1 })))
    await importing('one.jsonl', 'large')

    // The import reaches the one product that the test has locked, and is killed there.
    await database.transaction(async (tx) => {
      await tx.rows(hold, ['item-2000'])
      const killed = background(['catalog', 'import', file, '--store', 'large'], { env })
      while ((await sessions()).every(({ waits }) => !waits)) {
        // A transaction that is idle for long is aborted.
        await tx.rows(hold, ['item-2000'])
        await pause(10)
      }
      killed.child.kill('SIGKILL')
      await killed.ended
    })
    while ((await sessions()).length > 0) await pause(10)
    const before = await productsOf('large')
    assert.ok(before > 1 && before < products.length, `${before} of ${products.length} were there when it died`)

    const report = await importing('large.jsonl', 'large')

    assert.deepEqual(report, {
      read: products.length,
      created: products.length - before,
      updated: 1,
      unchanged: before - 1,
      refused: [],
    })
    const sum = statement<{ amount: string }>(
      'cli_test.sum',
      `select sum(amount) as amount from prices p join skus k on k.id = p.sku_id
         join products on products.id = k.product_id join stores s on s.id = products.store_id where s.slug = 'large'`,
    )
    const expected = products.reduce((total, _, index) => total + 100 + index, 0)
    assert.equal(Number((await database.reader.row(sum))!.amount), expected)
  })
})

describe('progress', () => {
  const streamOf = (isTTY: boolean) => {
    const written: string[] = []
    const stream = {
      isTTY,
      columns: 100,
      write: (words: string) => written.push(words) > 0,
      on: () => stream,
      removeListener: () => stream,
    }
    return { stream: stream as unknown as NodeJS.WriteStream, written }
  }

  test('is a bar on a terminal', () => {
    const { stream, written } = streamOf(true)
    const progress = progressOn(stream, 'Importing')
    progress.update(25, 100, '1,000 lines read')
    progress.stop()
    assert.match(written.join(''), /Importing .*25 %.*1,000 lines read/)
  })

  test('is a line every three seconds in a log', () => {
    const { stream, written } = streamOf(false)
    let now = 0
    const progress = progressOn(stream, 'Importing', () => now)
    for (; now <= 7000; now += 100) progress.update(now, 7000, `${now} lines read`)
    progress.stop()
    assert.deepEqual(written, ['Importing: 42 %, 3000 lines read\n', 'Importing: 85 %, 6000 lines read\n'])
  })
})

describe('vitrine catalog export', () => {
  test('writes a file, compressed or not, whose import changes nothing', async () => {
    await writeFile(join(folder, 'tableware.jsonl'), text)
    await importing('tableware.jsonl', 'tableware')
    for (const file of ['out.jsonl', 'out.jsonl.gz']) {
      const args = ['catalog', 'export', join(folder, file), '--store', 'tableware', '--json']
      const { code, out, err } = await command(args, { env })
      assert.equal(code, 0, err)
      const { lines: written } = JSON.parse(out)
      const { refused, ...counts } = await importing(file, 'tableware')
      assert.deepEqual(counts, { read: written, created: 0, updated: 0, unchanged: written })
      assert.deepEqual(refused, [])
    }
  })

  test('names an unknown store, and a file it cannot write', async () => {
    const nowhere = await command(['catalog', 'export', 'none.jsonl', '--store', 'nowhere'], { env })
    assert.deepEqual([nowhere.code, nowhere.out], [1, ''])
    assert.match(nowhere.err, /There is no store "nowhere"/)
    const table = await command(['catalog', 'export', 'out.csv', '--store', 'tableware'], { env })
    assert.equal(table.code, 2)
    assert.match(table.err, /must end in \.jsonl/)
  })
})
