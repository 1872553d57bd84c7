import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { statement } from '@vitrine/server'
import { productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { oddLine, oddProducts } from '../../../../../test/support/commerce/odd-products.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { runsOf } from '../../../../../test/support/runs.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'

const authorization = `Bearer ${OPERATOR_TOKEN}`

const cutOff = statement(
  'test.cut_off',
  `update catalog_imports set status = 'running', finished_at = null where id = $1`,
)

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import([storeLine('loom')], 'loom')
})

type Body = string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

async function upload(query: string, body: Body) {
  const response = await fetch(`${operator.origin}/operator/v1/imports?${query}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
  } as RequestInit)
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  return { status: response.status, body: (await response.json()) as any }
}

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
  test('accepts a file of each format, and the same file again changes nothing', async () => {
    const lines = jsonl(many('a', 3))
    const first = await upload('store=loom&format=jsonl&name=a.jsonl', lines)
    assert.equal(first.status, 200, JSON.stringify(first.body))
    assert.deepEqual([first.body.data.status, ...counts(first.body.data)], ['completed', 3, 3, 0, 0, 0])
    const again = await upload('store=loom&format=jsonl.gz', new Uint8Array(gzipSync(lines)))
    assert.deepEqual(counts(again.body.data), [3, 0, 0, 3, 0])
    const table = await upload('store=loom&format=csv', 'id,name,price.EUR\nb-1,Bowl,1200\nb-2,Mug,900\n')
    assert.deepEqual(counts(table.body.data), [2, 2, 0, 0, 0])
    const entries = (await operator.get(`/audit-log?subject=${first.body.data.id}`)).body.data.items
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

  test('reports each of a hundred invalid lines with its number and reason, and imports the others', async () => {
    const bad = new Set(Array.from({ length: 100 }, (_, index) => 7 + index * 6))
    const lines = many('mixed', 700).map((line, index) => (bad.has(index + 1) ? { ...line, skus: [] } : line))
    const { data } = (await upload('store=loom&format=jsonl', jsonl(lines))).body
    assert.deepEqual(counts(data), [700, 600, 0, 0, 100])
    assert.deepEqual(
      data.refusals.map(({ line }: { line: number }) => line),
      [...bad],
    )
    assert.ok(data.refusals.every(({ reason }: { reason: string }) => reason.startsWith('/skus: ')))
    const kept = (await operator.get(`/imports/${data.id}`)).body.data
    assert.deepEqual(kept, data)
  })

  test('returns every invalid line, stores the first thousand, and counts the others', async () => {
    const { data } = (await upload('store=loom&format=jsonl', '{}\n'.repeat(1500))).body
    assert.deepEqual([data.refused, data.refusals.length], [1500, 1500])
    const later = (await operator.get(`/imports/${data.id}`)).body.data
    assert.deepEqual([later.refused, later.refusals.length], [1500, 1000])
  })

  test('creates a store that does not exist only if the request allows it', async () => {
    const file = jsonl(many('new', 1))
    assert.equal((await upload('store=brand-new&format=jsonl', file)).status, 404)
    const { data } = (await upload('store=brand-new&missingStore=create&format=jsonl', file)).body
    assert.deepEqual([data.created, data.refused], [1, 0])
  })

  test('reports its progress while it runs', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const writer = writable.getWriter()
    const over = upload('store=loom&format=jsonl&name=slow.jsonl&bytes=1000000', readable)
    const send = (lines: readonly object[]) => writer.write(new TextEncoder().encode(`${jsonl(lines)}\n`))
    await send(many('slow', 100))
    const running = async () => (await operator.get('/imports?q=slow.jsonl&limit=1')).body.data.items[0]
    while (!(await running())) await new Promise(setImmediate)
    world.clock.advance(1100)
    await send(many('slow-more', 500))
    while ((await running()).read === 0) await new Promise(setImmediate)
    const seen = await running()
    assert.equal(seen.status, 'running')
    assert.ok(seen.bytesRead > 0 && seen.bytesTotal === 1_000_000)
    await writer.close()
    assert.deepEqual(counts((await over).body.data), [600, 600, 0, 0, 0])
    assert.equal((await running()).status, 'completed')
  })

  test('of a damaged file fails with its reason', async () => {
    const packed = gzipSync(jsonl(many('c', 2000)))
    const cut = new Uint8Array(packed.subarray(0, packed.length / 2))
    const { data } = (await upload('store=loom&format=jsonl.gz', cut)).body
    assert.equal(data.status, 'failed')
    assert.match(data.failure, /The file is damaged: unexpected end of file/)
  })

  test('for an unknown store is not_found, and an unknown format is refused by its name', async () => {
    assert.deepEqual((await upload('store=nowhere&format=jsonl', '{}')).body.code, 'not_found')
    const { status, body } = await upload('store=loom&format=xml', '<a/>')
    assert.deepEqual([status, body.details[0].pointer], [400, '/format'])
    assert.equal((await operator.get('/imports/imp_01k5b7m2q8e9rtv3w4x5y6z7a8')).status, 404)
  })

  test('without progress for minutes is shown as interrupted', async () => {
    const { data } = (await upload('store=loom&format=jsonl', jsonl(many('silent', 1)))).body
    await world.database.transaction(async (tx) => tx.write(cutOff, [data.id]))
    world.clock.advance(6 * 60_000)
    assert.equal((await operator.get(`/imports/${data.id}`)).body.data.status, 'interrupted')
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
    const { data } = (await upload('format=jsonl', file)).body
    assert.deepEqual(counts(data), [data.read, 0, 0, data.read, 0])
    assert.ok(data.read > 1000)
  })

  test('of an unknown store is not_found', async () => {
    assert.equal((await operator.get('/stores/nowhere/catalogue')).body.code, 'not_found')
  })
})

/** The importer itself takes more: `features/catalog/import/run.test.ts`. */
const PRODUCTS = runsOf({ full: 19_406, short: 1000 })
const INVALID = 100

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
  const { data } = (await upload(`store=odd&format=jsonl.gz&bytes=${file.length}`, file)).body
  assert.deepEqual(counts(data), [PRODUCTS + INVALID, PRODUCTS, 0, 0, INVALID])
  assert.deepEqual(
    data.refusals.map(({ line }: { line: number }) => line),
    planted,
  )
  assert.equal(data.bytesRead, file.length)
  const again = await upload('store=odd&format=jsonl.gz', file)
  assert.deepEqual(counts(again.body.data), [PRODUCTS + INVALID, 0, 0, PRODUCTS, INVALID])
})
