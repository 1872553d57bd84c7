import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { JobRunner, logger, statement } from '@vitrine/server'
import { DatabaseError } from 'pg'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { oddLine, oddProducts } from '../../../../../test/support/commerce/odd-products.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { runsOf } from '../../../../../test/support/runs.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { receiveUpload } from '../../../features/catalog/index.ts'
import type { Transaction } from '../../../platform/postgres/index.ts'

const authorization = `Bearer ${OPERATOR_TOKEN}`

const removeJob = statement('test.remove_job', 'delete from jobs where subject = $1')
const chunks = statement<{ count: number }>(
  'test.chunks',
  'select count(*)::integer as count from catalog_import_chunks',
)
const unusedPicture = statement(
  'test.unused_picture',
  `insert into pictures (id, address, file, width, height, created_at, made_at, unused_since)
   values (left($1, 32), $1, '40.png', 40, 40, $2, $2, $2)`,
)
const unusedSince = statement('test.unused_since', 'select unused_since from pictures where address = $1')
const linesRead = statement<{ read: number }>(
  'test.lines_read',
  'select lines_read as read from catalog_imports where id = $1',
)
const inItsLastAttempt = statement(
  'test.in_its_last_attempt',
  'update jobs set attempts = attempts_max - 1 where subject = $1',
)
const asInterruptedUpload = statement(
  'test.as_interrupted_upload',
  `with upload as (
     update catalog_imports set status = 'uploading', uploaded_at = null, sha256 = null where id = $1)
   update jobs set run_at = '-infinity' where subject = $1`,
)

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import([storeLine('loom')], 'loom')
})

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

async function upload(query: string, body: Body, by: Readonly<Record<string, string>> = { authorization }) {
  const response = await fetch(`${operator.origin}/operator/v1/imports?${query}`, {
    method: 'POST',
    headers: { ...by, 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
  } as RequestInit)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  return { status: response.status, body: (await response.json()) as any }
}

/** Uploads a file, and runs the worker until it is imported. @returns the report */
async function imported(query: string, body: Body) {
  const { status, body: answer } = await upload(query, body)
  assert.equal(status, 200, JSON.stringify(answer))
  await world.work()
  return report(answer.data.id, '?refusals=100000')
}

/** An import as it is now. */
async function report(id: string, query = '') {
  return (await operator.get(`/imports/${id}${query}`)).body.data
}

/** A worker that stops after the first 500 lines of an import, like a process that is suspended. */
async function stalledWorker(id: string): Promise<{ readonly ended: Promise<void>; readonly resume: () => void }> {
  const { app, database, clock, ids } = world
  const reached = Promise.withResolvers<void>()
  const resumed = Promise.withResolvers<void>()
  const stalling: typeof database = Object.assign(Object.create(database), {
    async transaction(work: Parameters<typeof database.transaction>[0]) {
      if ((await report(id)).read === 500) {
        reached.resolve()
        await resumed.promise
      }
      return database.transaction(work)
    },
  })
  const ended = new JobRunner(app.jobs, { database: stalling, clock, ids, log: logger('silent') }).runDue()
  await reached.promise
  return { ended, resume: resumed.resolve }
}

const storedChunks = async () => (await world.database.reader.row(chunks))?.count

const jsonl = (lines: readonly object[]) => lines.map((line) => JSON.stringify(line)).join('\n')
const many = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => productLine(`${prefix}-${index}`))
const counts = ({ read, created, updated, unchanged, refused }: Record<string, number>) => [
  read,
  created,
  updated,
  unchanged,
  refused,
]

describe('an import', () => {
  test('is not ended by a NUL character in a line that is refused', async () => {
    const lines = ['{"id": \0}', JSON.stringify(productLine('nul'))].join('\n')
    const { status, created, refusals } = await imported('store=loom&format=jsonl', lines)
    assert.deepEqual([status, created, refusals.map(({ line }: { line: number }) => line)], ['completed', 1, [1]])
  })

  test('accepts a file of each format, and the same file again changes nothing', async () => {
    const lines = jsonl(many('a', 3))
    const first = await imported('store=loom&format=jsonl&name=a.jsonl', lines)
    assert.deepEqual([first.status, ...counts(first)], ['completed', 3, 3, 0, 0, 0])
    const again = await imported('store=loom&format=jsonl.gz', new Uint8Array(gzipSync(lines)))
    assert.deepEqual(counts(again), [3, 0, 0, 3, 0])
    const table = await imported('store=loom&format=csv', 'id,name,price.EUR\nb-1,Bowl,1200\nb-2,Mug,900\n')
    assert.deepEqual(counts(table), [2, 2, 0, 0, 0])
    const entries = (await operator.get(`/audit-log?subject=${first.id}`)).body.data.items
    const recorded = entries.map((entry: { operation: string; after: object }) => ({
      ...entry.after,
      by: entry.operation,
    }))
    const figures = { created: 3, updated: 0, unchanged: 0, refused: 0 }
    const file = { store: 'loom', fileName: 'a.jsonl', by: 'importCatalog' }
    assert.deepEqual(
      recorded.toSorted((one: { status: string }) => (one.status === 'running' ? -1 : 1)),
      [
        { ...file, status: 'running' },
        { ...file, status: 'completed', ...figures },
      ],
    )
  })

  test('refuses lines with a picture that was removed, and keeps the others from being removed', async () => {
    const pages = await world.openPages()
    const [here, removed] = ['a', 'b'].map((digit) => `${digit.repeat(32)}-40`)
    await world.database.transaction(async (tx) => tx.change(unusedPicture, [here, world.clock.now()]))
    const image = (address: unknown) => ({ url: `${pages}/media/${address}/40.png`, width: 40, height: 40 })
    const line = (id: string, address: unknown) => productLine(id, { images: [image(address)] })
    const category = { type: 'category', path: ['shown'], names: { en: 'Shown' }, image: image(removed) }
    const store = storeLine('loom', { logo: { ...image(removed), alt: 'Loom' } })
    const lines = [line('seen', here), line('gone', removed), line('seen-too', here), category, store]

    const { created, refusals } = await imported('store=loom&format=jsonl', jsonl(lines))

    assert.deepEqual(
      refusals.map(({ line: number }: { line: number }) => number),
      [2, 4, 5],
    )
    assert.match(refusals[0].reason, /picture was removed/)
    assert.equal(created, 2)
    assert.deepEqual(await world.database.reader.row(unusedSince, [here]), { unused_since: null })
  })

  test('reports each of a hundred invalid lines with its number and reason, and imports the others', async () => {
    const bad = new Set(Array.from({ length: 100 }, (_, index) => 7 + index * 6))
    const lines = many('mixed', 700).map((line, index) => (bad.has(index + 1) ? { ...line, skus: [] } : line))
    const data = await imported('store=loom&format=jsonl', jsonl(lines))
    assert.deepEqual(counts(data), [700, 600, 0, 0, 100])
    assert.deepEqual(
      data.refusals.map(({ line }: { line: number }) => line),
      [...bad],
    )
    assert.ok(data.refusals.every(({ reason }: { reason: string }) => reason.startsWith('/skus: ')))
  })

  test('returns the requested number of invalid lines, a thousand by default', async () => {
    const data = await imported('store=loom&format=jsonl', '{}\n'.repeat(1500))
    assert.deepEqual([data.refused, data.refusals.length], [1500, 1500])
    assert.deepEqual((await report(data.id)).refusals, data.refusals.slice(0, 1000))
  })

  test('creates a store that does not exist only if the request allows it', async () => {
    const file = jsonl(many('new', 1))
    assert.equal((await upload('store=brand-new&format=jsonl', file)).status, 404)
    const data = await imported('store=brand-new&missingStore=create&format=jsonl', file)
    assert.deepEqual([data.created, data.refused], [1, 0])
  })

  test('adds the currencies of its prices to the store', async () => {
    const prices = [{ currency: 'JPY', amount: 900 }]
    const lines = [...many('priced', 2), productLine('yen', { skus: [{ code: 'YEN', prices, stock: 1 }] })]
    const data = await imported('store=loom&format=jsonl', jsonl(lines))
    assert.equal(data.created, 3)
    assert.ok((await operator.get('/stores/loom')).body.data.currencies.includes('JPY'))
  })

  test('of a damaged file fails with its reason, and its file is deleted', async () => {
    const packed = gzipSync(jsonl(many('c', 2000)))
    const data = await imported('store=loom&format=jsonl.gz', new Uint8Array(packed.subarray(0, packed.length / 2)))
    assert.equal(data.status, 'failed')
    assert.match(data.failure, /The file is damaged: unexpected end of file/)
    assert.equal(await storedChunks(), 0)
  })

  test('is answered when the file is uploaded, waits for a worker, and reports if none takes it', async () => {
    const { data } = (await upload('store=loom&format=jsonl', jsonl(many('wait', 2)))).body
    assert.deepEqual([data.status, data.unattended, ...counts(data)], ['waiting', false, 0, 0, 0, 0, 0])
    world.clock.advance(11_000)
    assert.equal((await report(data.id)).unattended, true)
    await world.work()
    const done = await report(data.id)
    assert.deepEqual([done.status, done.unattended, ...counts(done)], ['completed', false, 2, 2, 0, 0, 0])
    assert.equal(await storedChunks(), 0)
  })

  test('whose upload is cut off imports nothing, and has failed', async () => {
    const aborted = new AbortController()
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const over = fetch(`${operator.origin}/operator/v1/imports?store=loom&format=jsonl&name=cut.jsonl`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/octet-stream' },
      body: readable,
      duplex: 'half',
      signal: aborted.signal,
    } as RequestInit)
    const refused = assert.rejects(over, /abort/)
    const newest = async () => (await operator.get('/imports?q=cut.jsonl&limit=1')).body.data.items[0]
    await writer.write(new Uint8Array(3 * 1024 * 1024).fill(0x20))
    while ((await storedChunks()) === 0) await new Promise(setImmediate)
    assert.equal((await newest()).status, 'uploading')
    aborted.abort()
    await refused
    while ((await newest()).status !== 'failed') await new Promise(setImmediate)
    const { failure, id } = await newest()
    assert.match(failure, /cut off. Nothing was imported/)
    assert.equal(await storedChunks(), 0)
    const entries: { after: { status: string } }[] = (await operator.get(`/audit-log?subject=${id}&limit=9`)).body.data
      .items
    assert.ok(
      entries.some(({ after }) => after.status === 'failed'),
      JSON.stringify(entries),
    )
  })

  test('of a file that is too long fails at once, and nothing of it is kept', async () => {
    const { database, clock, ids } = world
    const id = ids.next('imp')
    let sent = 0
    const endless = async function* () {
      for (; ; sent += 1) yield Buffer.alloc(1024 * 1024)
    }
    await receiveUpload({
      ...{
        id,
        database,
        clock,
        ids,
        storeSlug: 'loom',
        format: 'jsonl',
        fileName: null,
        mapping: null,
        bytesTotal: null,
      },
      bytesMax: 3 * 1024 * 1024,
      upload: endless(),
      by: {},
      record: () => {},
    })
    assert.equal(sent, 3, 'megabytes taken before the fourth')
    const { status, failure } = await report(id)
    assert.deepEqual([status, failure], ['failed', 'The file has more than 3145728 bytes.'])
    assert.equal(await storedChunks(), 0)
  })

  test('whose server dies during the upload fails after minutes', async () => {
    const { data } = (await upload('store=loom&format=jsonl&name=dead.jsonl', jsonl(many('dead', 2)))).body
    await world.database.transaction(async (tx) => tx.write(asInterruptedUpload, [data.id]))
    await world.work()
    assert.equal((await report(data.id)).status, 'uploading')
    world.clock.advance(6 * 60_000)
    await world.work()
    assert.equal((await report(data.id)).status, 'failed')
    assert.equal(await storedChunks(), 0)
  })

  test('whose worker dies is continued by another one when the lease is over, and counts each line once', async () => {
    const { id } = (await upload('store=loom&format=jsonl', jsonl(many('kill', 1200)))).body.data
    const { ended, resume } = await stalledWorker(id)
    await world.work()
    assert.equal((await report(id)).read, 500, 'no other worker takes it while the lease lasts')

    world.clock.advance(61_000)
    await world.work()
    const done = await report(id)
    assert.deepEqual([done.status, ...counts(done)], ['completed', 1200, 1200, 0, 0, 0])
    resume()
    await ended
    assert.deepEqual(await report(id), done, 'the first worker has lost it, and changes nothing')
  })

  test('is continued however many workers have died, as long as each has imported lines', async () => {
    const { id } = (await upload('store=loom&format=jsonl', jsonl(many('deaths', 1200)))).body.data
    await world.database.transaction(async (tx) => tx.write(inItsLastAttempt, [id]))
    const { ended, resume } = await stalledWorker(id)
    world.clock.advance(61_000)
    await world.work()
    const done = await report(id)
    assert.deepEqual([done.status, ...counts(done)], ['completed', 1200, 1200, 0, 0, 0])
    resume()
    await ended
  })

  test('waits while the disk of PostgreSQL is full, and continues then', async () => {
    const { app, database, clock, ids } = world
    const { id } = (await upload('store=loom&format=jsonl', jsonl(many('full', 1200)))).body.data
    const full: typeof database = Object.assign(Object.create(database), {
      transaction: <Result>(work: (tx: Transaction) => Promise<Result>) =>
        database.transaction(async (tx) => {
          const result = await work(tx)
          const read = (await tx.row(linesRead, [id]))?.read ?? 0
          if (read > 500) throw Object.assign(new DatabaseError('no space', 0, 'error'), { code: '53100' })
          return result
        }),
    })
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await new JobRunner(app.jobs, { database: full, clock, ids, log: logger('silent') }).runDue()
      clock.advance(600_000)
    }
    const waiting = await report(id)
    assert.deepEqual([waiting.status, waiting.read], ['running', 500])
    await world.work()
    const done = await report(id)
    assert.deepEqual([done.status, ...counts(done)], ['completed', 1200, 1200, 0, 0, 0])
  })

  test('can be canceled: imported products stay, its file is deleted, and the import stops', async () => {
    const { data } = (await upload('store=loom&format=jsonl', jsonl(many('cancel', 1200)))).body
    const { ended, resume } = await stalledWorker(data.id)
    const canceled = await operator.change('POST', `/imports/${data.id}/cancel`, {})
    assert.equal(canceled.status, 'canceled')
    assert.equal(await storedChunks(), 0)
    resume()
    await ended
    await world.work()
    const after = await report(data.id)
    assert.deepEqual([after.status, ...counts(after)], ['canceled', 500, 500, 0, 0, 0])
    const again = await operator.send('POST', `/imports/${data.id}/cancel`, {})
    assert.deepEqual(
      [again.status, again.body.code, again.body.conflict.currentState],
      [409, 'state_conflict', 'canceled'],
    )
  })

  test('is canceled when its operator is disabled or may no longer import', async () => {
    const password = 'a long enough pass phrase'
    const anonymous = await operatorClient(world, {})
    const account = { email: 'ida@shop.example', role: 'catalog', password }
    const { id } = await operator.change('POST', '/operators', account)
    const { headers } = await anonymous.send('POST', '/sessions', { email: account.email, password })
    const by = { cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' }
    const waiting = async (name: string) =>
      (await upload('store=loom&format=jsonl', jsonl(many(name, 2)), by)).body.data.id as string

    const first = await waiting('demoted')
    await operator.change('PATCH', `/operators/${id}`, { role: 'support' })
    assert.equal((await report(first)).status, 'canceled')
    await operator.change('PATCH', `/operators/${id}`, { role: 'catalog' })
    const second = await waiting('disabled')
    const other = (await upload('store=loom&format=jsonl', jsonl(many('by-another', 2)))).body.data.id
    await operator.change('PATCH', `/operators/${id}`, { status: 'disabled' })
    const entries: { after: Record<string, unknown> }[] = (await operator.get(`/audit-log?subject=${id}`)).body.data
      .items
    // At one time of the test's clock, they are in no order.
    const canceled = entries.flatMap(({ after }) => after.canceledImports ?? [])
    assert.deepEqual(canceled.toSorted(), [first, second].toSorted())
    await world.work()
    const ends = await Promise.all([first, second, other].map((each) => report(each)))
    assert.deepEqual(
      ends.map(({ status, read }) => [status, read]),
      [
        ['canceled', 0],
        ['canceled', 0],
        ['completed', 2],
      ],
    )
  })

  test('is replaced by an import of the same file, and runs after those that were uploaded before it', async () => {
    const file = jsonl(many('twice', 2))
    const one = (await upload('store=loom&format=jsonl', file)).body.data
    world.clock.advance(1000)
    const other = (await upload('store=loom&format=jsonl', jsonl([{ ...productLine('twice-0'), brand: 'Loom' }]))).body
      .data
    world.clock.advance(1000)
    const two = (await upload('store=loom&format=jsonl', file)).body.data
    assert.match((await report(one.id)).failure, new RegExp(`imported again, as ${two.id}`))
    await world.work()
    world.clock.advance(1000)
    await world.work()
    const ends = await Promise.all([one, other, two].map(({ id }) => report(id)))
    assert.deepEqual(
      ends.map(({ status, created, updated }) => [status, created, updated]),
      [
        ['canceled', 0, 0],
        ['completed', 1, 0],
        ['completed', 1, 1],
      ],
    )
  })

  test('for an unknown store is not_found, and an unknown format is refused by its name', async () => {
    assert.deepEqual((await upload('store=nowhere&format=jsonl', '{}')).body.code, 'not_found')
    const { status, body } = await upload('store=loom&format=xml', '<a/>')
    assert.deepEqual([status, body.details[0].pointer], [400, '/format'])
    assert.equal((await operator.get('/imports/imp_01k5b7m2q8e9rtv3w4x5y6z7a8')).status, 404)
  })

  test('that no worker continues is shown as interrupted', async () => {
    const { data } = (await upload('store=loom&format=jsonl', jsonl(many('silent', 1)))).body
    await world.database.transaction(async (tx) => tx.write(removeJob, [data.id]))
    assert.equal((await report(data.id)).status, 'interrupted')
    await operator.change('POST', `/imports/${data.id}/cancel`, {})
  })

  test('is listed newest first, in pages, and filtered by store', async () => {
    const first = (await operator.get('/imports?store=loom&limit=2')).body.data
    assert.equal(first.items.length, 2)
    const second = (await operator.get(`/imports?store=loom&limit=2&cursor=${first.nextCursor}`)).body.data
    assert.ok(first.items[1].id > second.items[0].id)
    const elsewhere = await operator.get(`/imports?limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'invalid_cursor'])
  })
})

describe('an export', () => {
  test('is a file of lines, and importing it changes nothing', async () => {
    const response = await fetch(`${operator.origin}/operator/v1/stores/loom/catalogue`, { headers: { authorization } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-disposition'), 'attachment; filename="loom.jsonl"')
    const file = await response.text()
    const data = await imported('format=jsonl', file)
    assert.deepEqual(counts(data), [data.read, 0, 0, data.read, 0])
    assert.ok(data.read > 1000)
  })

  test('of an unknown store is not_found', async () => {
    assert.equal((await operator.get('/stores/nowhere/catalogue')).body.code, 'not_found')
  })
})

/** The importer itself supports larger catalogs: `features/catalog/import/run.test.ts`. */
const PRODUCTS = runsOf({ full: 19_406, short: 1000 })
const INVALID = 100

const catalogRows = statement<{ products: number }>(
  'test.catalog_rows',
  `select reltuples::integer as products from pg_class where oid = 'products'::regclass`,
)

test(`a catalog of ${PRODUCTS} odd products is imported, and each of ${INVALID} invalid lines is reported`, async () => {
  const good = oddProducts(PRODUCTS).map((product) => JSON.stringify(oddLine(product)))
  const planted: number[] = []
  const lines = good.flatMap((line, index) => {
    if (index % Math.floor(PRODUCTS / INVALID) !== 5 || planted.length === INVALID) return [line]
    planted.push(index + planted.length + 1)
    return ['{"id": "broken", ', line]
  })
  await world.import([storeLine('odd')], 'odd')
  const file = new Uint8Array(gzipSync(lines.join('\n')))
  const data = await imported(`store=odd&format=jsonl.gz&bytes=${file.length}`, file)
  assert.deepEqual(counts(data), [PRODUCTS + INVALID, PRODUCTS, 0, 0, INVALID])
  assert.deepEqual(
    data.refusals.map(({ line }: { line: number }) => line),
    planted,
  )
  assert.equal(data.bytesRead, file.length)
  const counted = await world.database.reader.row(catalogRows)
  assert(counted!.products >= PRODUCTS, 'PostgreSQL has statistics of them')
  const again = await imported('store=odd&format=jsonl.gz', file)
  assert.deepEqual(counts(again), [PRODUCTS + INVALID, 0, 0, PRODUCTS, INVALID])
})
