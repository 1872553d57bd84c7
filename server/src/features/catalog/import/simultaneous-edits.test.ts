import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogOn, productLine } from '../../../../../test/support/commerce/catalog.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { idSource } from '../../../kernel/ids.ts'
import { textLines } from '../../../platform/line-files/line-file.ts'
import { readLinesByExternalId } from '../writing/product-records.ts'
import { tableContext } from './import-job.ts'
import type { Mapping } from './mapped/columns.ts'
import { tableLines } from './mapped/table-lines.ts'
import { importCatalog } from './run.ts'

const mapping: Mapping = { columns: ['id', 'price'], currency: 'EUR', locale: 'en', decimal: 'point' }
const table = 'Number,New price\ncup,2.50\nlid,1.50\nnew,4.50\n'

test('an edit after a table has looked up its products is kept, with the cells of the table', async (t) => {
  const { database } = await testDatabase(t)
  const catalog = catalogOn(database)
  const ids = idSource(catalog.clock, testRandomness(`${process.env.SEED ?? Date.now()} table`))
  await catalog.has([productLine('cup'), productLine('lid')], 'shop')

  async function* bytes() {
    yield Buffer.from(table)
  }
  async function* lines() {
    const context = () => tableContext(database, 'shop', mapping)
    for await (const line of tableLines(textLines(bytes()), { mapping, context })) {
      if (line.line === 2) {
        await catalog.has([productLine('cup', { brand: 'Loom' }), productLine('new', { brand: 'Weft' })], 'shop')
      }
      yield line
    }
  }
  const { updated, refused } = await importCatalog({
    database,
    ids,
    storeSlug: 'shop',
    source: lines(),
    now: catalog.clock.now(),
  })

  assert.deepEqual([updated, refused.map(({ line }) => line)], [2, [4]])
  const found = await readLinesByExternalId(database.reader, 'shop', ['cup', 'lid'])
  assert.deepEqual(
    ['cup', 'lid'].map((id) => [found.get(id)?.brand, found.get(id)?.skus[0]?.prices[0]?.amount]),
    [
      ['Loom', 250],
      [undefined, 150],
    ],
  )
})
