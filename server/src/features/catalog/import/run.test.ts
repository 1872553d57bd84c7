// test: long
import assert from 'node:assert/strict'
import { createReadStream } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { catalogOn, productLine, storeLine } from '../../../../../test/support/commerce/catalog.ts'
import {
  ODD_PRODUCTS,
  type OddProduct,
  oddProducts,
  writeOddCatalog,
} from '../../../../../test/support/commerce/odd-products.ts'
import { testDatabase } from '../../../../../test/support/database.ts'
import { testRandomness } from '../../../../../test/support/randomness.ts'
import { runsOf } from '../../../../../test/support/runs.ts'
import { type IdSource, idSource } from '../../../kernel/ids.ts'
import { csvRecords } from '../../../platform/line-files/csv-records.ts'
import { gunzipped } from '../../../platform/line-files/gunzip.ts'
import { jsonLines, textLines } from '../../../platform/line-files/line-file.ts'
import { statement } from '../../../platform/postgres/index.ts'
import { exportCatalog, importCatalog } from '../index.ts'
import { csvProducts } from './csv.ts'
import { analyzeImported } from './run.ts'

const readRows = (table: string) =>
  statement<{ row: Record<string, unknown> }>(`test.${table}`, `select to_jsonb(t) as row from ${table} t`)

/** The lines of a file, read like an upload. */
function catalogFile(path: string) {
  const bytes = createReadStream(path)
  const lines = textLines(path.endsWith('.gz') ? gunzipped(bytes) : bytes)
  return /\.csv(\.gz)?$/.test(path) ? csvProducts(csvRecords(lines)) : jsonLines(lines)
}

describe('an import', () => {
  test('writes a complete product in the standard form, in each locale and currency', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has([
      storeLine('loom', { locales: ['en', 'de'], currencies: ['EUR', 'USD'], names: { en: 'Loom', de: 'Webstuhl' } }),
      { type: 'category', path: ['clothing'], names: { en: 'Clothing', de: 'Kleidung' } },
      { type: 'category', path: ['clothing', 'shirts'], names: { en: 'Shirts', de: 'Hemden' }, position: 2 },
      {
        id: 'shirt',
        store: 'loom',
        names: { en: 'Linen shirt', de: 'Leinenhemd' },
        descriptions: { de: { format: 'markdown', text: '*Gewaschenes* Leinen' } },
        brand: 'Loom',
        categories: [['clothing', 'shirts']],
        options: [
          {
            name: 'color',
            labels: { en: 'Color', de: 'Farbe' },
            values: [{ value: 'blue', labels: { en: 'Blue', de: 'Blau' } }, { value: 'red' }],
          },
        ],
        skus: [
          {
            code: 'S-B',
            options: { color: 'blue' },
            prices: [
              { currency: 'EUR', amount: 4900, compareAt: 5900 },
              { currency: 'USD', amount: 5200 },
            ],
            stock: 3,
          },
          {
            code: 'S-R',
            options: { color: 'red' },
            prices: [{ currency: 'EUR', amount: 4500 }],
            stock: 0,
            whenOutOfStock: 'backorder',
            maxQuantity: 4,
          },
        ],
        attributes: [{ key: 'material', labels: { de: 'Stoff' }, value: { en: 'Linen', de: 'Leinen' } }],
        images: [{ url: '/images/shirt.svg', alt: { de: 'Ein Hemd' }, width: 8, height: 10 }],
        rating: { average: 4.25, count: 31 },
      },
    ])
    const product = await catalog.call('getCatalogProduct', { params: { slug: 'linen-shirt' }, languages: ['de-AT'] })
    assert.equal(product.name, 'Leinenhemd')
    assert.equal(product.locale, 'de')
    assert.equal(product.store.name, 'Webstuhl')
    assert.deepEqual(product.description, { format: 'markdown', text: '*Gewaschenes* Leinen' })
    assert.deepEqual(product.priceRange, {
      min: { amount: 4500, currency: 'EUR' },
      max: { amount: 4900, currency: 'EUR' },
    })
    assert.deepEqual(product.compareAtPriceRange.max, { amount: 5900, currency: 'EUR' })
    assert.equal(product.availability, 'low_stock')
    assert.deepEqual(product.options, [
      {
        id: 'color',
        name: 'Farbe',
        values: [
          { value: 'blue', label: 'Blau' },
          { value: 'red', label: 'red' },
        ],
      },
    ])
    assert.deepEqual(
      product.skus.map((sku: Record<string, unknown>) => [
        sku.code,
        sku.availability,
        sku.availableQuantity,
        sku.maxQuantity,
      ]),
      [
        ['S-B', 'low_stock', 3, 999],
        ['S-R', 'backorder', undefined, 4],
      ],
    )
    assert.deepEqual(product.attributes, [{ key: 'material', label: 'Stoff', value: 'Leinen' }])
    assert.deepEqual(product.images, [{ url: '/images/shirt.svg', alt: 'Ein Hemd', width: 8, height: 10 }])
    assert.deepEqual(product.rating, { average: 4.25, count: 31 })

    const inDollars = await catalog.call('getCatalogProduct', {
      params: { slug: 'linen-shirt' },
      query: { currency: 'USD' },
    })
    assert.equal(inDollars.name, 'Linen shirt')
    assert.deepEqual(
      inDollars.skus.map((sku: { code: string }) => sku.code),
      ['S-B'],
    )
    const { data: categories } = await catalog.call('listCatalogCategories', { languages: ['de'] })
    assert.deepEqual(
      categories.map((category: Record<string, unknown>) => [category.name, category.productCount, category.path]),
      [
        ['Kleidung', 1, ['clothing']],
        ['Hemden', 1, ['clothing', 'shirts']],
      ],
    )
  })

  test('skips unchanged lines', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    const lines = [
      storeLine('shop'),
      { type: 'category', path: ['lamps'], names: { en: 'Lamps' } },
      productLine('a', { categories: [['lamps']] }),
      productLine('b', { publishedAt: '2026-01-01T00:00:00Z' }),
    ]
    assert.deepEqual(await catalog.import(lines, 'shop'), {
      read: 4,
      created: 4,
      updated: 0,
      unchanged: 0,
      refused: [],
    })
    assert.deepEqual(await catalog.import(lines, 'shop'), {
      read: 4,
      created: 0,
      updated: 0,
      unchanged: 4,
      refused: [],
    })
    const changed = [...lines.slice(0, 3), productLine('b', { price: 5 })]
    assert.deepEqual(await catalog.import(changed, 'shop'), {
      read: 4,
      created: 0,
      updated: 1,
      unchanged: 3,
      refused: [],
    })
  })

  test('reports each bad line with its number and reason, and imports all others', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    const report = await catalog.import(
      [
        productLine('first'),
        '{"id": "broken"',
        '[1, 2]',
        productLine('unpriced', { skus: [{ code: 'x' }] }),
        productLine('extra', { color: 'blue' }),
        productLine('twice', { skus: [1, 2].map((amount) => ({ code: 'x', prices: [{ currency: 'EUR', amount }] })) }),
        productLine('elsewhere', { store: 'nowhere' }),
        { type: 'shelf' },
        { id: 'flat', sku: 'F', title: 'Flat', syntheticPriceMinor: 1.5, currency: 'EUR' },
        productLine('last'),
        productLine('unpayable', { skus: [{ code: 'x', prices: [{ currency: 'XXX', amount: 1 }] }] }),
      ],
      'shop',
    )
    assert.deepEqual(
      { ...report, refused: report.refused.length },
      { read: 11, created: 2, updated: 0, unchanged: 0, refused: 9 },
    )
    const reasons = Object.fromEntries(report.refused.map(({ line, reason }) => [line, reason]))
    assert.match(reasons[2]!, /not JSON/)
    assert.match(reasons[3]!, /not an object/)
    assert.match(reasons[4]!, /\/skus\/0.*prices/)
    assert.match(reasons[5]!, /color/)
    assert.match(reasons[6]!, /same options/)
    assert.match(reasons[7]!, /no store nowhere/)
    assert.match(reasons[8]!, /shelf/)
    assert.match(reasons[9]!, /syntheticPriceMinor/)
    assert.match(reasons[11]!, /XXX/)
    const { data } = await catalog.call('listCatalogProducts')
    assert.deepEqual(data.map((product: { slug: string }) => product.slug).sort(), ['product-first', 'product-last'])
  })

  test('writes the rest of a batch if PostgreSQL rejects one line', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    await database.transaction(async (tx) => {
      tx.write(statement('test.refuse', `alter table products add check (brand <> 'refused')`), [])
    })
    const lines = Array.from({ length: 40 }, (_, index) =>
      productLine(`p${index}`, index === 17 ? { brand: 'refused' } : {}),
    )
    const report = await catalog.import(lines, 'shop')
    assert.equal(report.created, 39)
    assert.deepEqual(
      report.refused.map(({ line }) => line),
      [18],
    )
  })

  test('accepts the irregular lines of real files', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    const flat = { sku: 'SAME-CODE', syntheticPriceMinor: 100, currency: 'USD', syntheticStock: 1 }
    const attributes = Object.fromEntries(Array.from({ length: 700 }, (_, index) => [`key_${index}`, 'x'.repeat(50)]))
    const report = await catalog.import(
      [
        { id: '1', title: 'A 17" "screen", \\ and \'quotes\'', description: '', ...flat },
        { id: '2', title: '日本語 Ünïcødé 😀', description: 'before\u0000after', categoryPath: [], ...flat },
        { id: '3', title: 'Huge', description: null, attributes, ...flat },
        '{"id":"4","title":"Half a pair: \\ud83d","sku":"SAME-CODE","syntheticPriceMinor":1,"currency":"USD"}',
        {
          id: '5',
          title: 'Nested',
          attributes: {
            list: ['a', 'b'],
            deep: { a: 1 },
            nothing: null,
            yes: true,
            ['k'.repeat(300)]: 'v'.repeat(20_000),
            huge: 1e300,
          },
          ...flat,
        },
        {
          id: '6',
          title: `${'t'.repeat(199)}😀`,
          attributes: {
            [`${'k'.repeat(119)}😀`]: 'cut within a pair',
            ...Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`key_${index}`, `x${'😀'.repeat(40)}`])),
          },
          ...flat,
        },
      ],
      'shop',
    )
    assert.deepEqual(report, { read: 6, created: 6, updated: 0, unchanged: 0, refused: [] })
    const { data } = await catalog.call('listApiKeyCatalogProducts')
    const shown = (start: string) => data.find((product: { name: string }) => product.name.startsWith(start))
    const [quoted, unicode, huge, half, nested] = ['A 17', '日本語', 'Huge', 'Half', 'Nested'].map(shown)
    assert.equal(quoted.name, 'A 17" "screen", \\ and \'quotes\'')
    assert.equal('description' in quoted, false)
    assert.equal(unicode.name, '日本語 Ünïcødé 😀')
    assert.equal(unicode.description.text, 'beforeafter')
    assert.deepEqual(unicode.categoryIds, [])
    assert.equal(huge.attributes.length, 500)
    assert.equal(half.name, 'Half a pair: \ufffd')
    assert.deepEqual(
      nested.attributes.map((attribute: { key: string; value: unknown }) => [attribute.key, attribute.value]),
      [
        ['list', 'a, b'],
        ['deep', '{"a":1}'],
        ['yes', true],
        ['k'.repeat(120), 'v'.repeat(10_000)],
        ['huge', '1e+300'],
      ],
    )
    assert.ok(data.every((product: { skus: { code: string }[] }) => product.skus[0]!.code === 'SAME-CODE'))
  })

  test('can run concurrently with another import of the same file, and writes each product once', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const lines = Array.from({ length: 700 }, (_, index) =>
      productLine(`p${index}`, { categories: [[`c${index % 9}`]] }),
    )
    const reports = await Promise.all([catalog.import(lines, 'shop'), catalog.import(lines, 'shop')])
    const total = (key: 'created' | 'updated' | 'unchanged') => reports[0]![key] + reports[1]![key]
    assert.deepEqual([total('created'), total('updated'), total('unchanged')], [700, 0, 700])
    assert.equal((await database.reader.rows(readRows('categories'))).length, 9)
  })

  test('reads the categories once for many category lines, not once per line', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const lines = Array.from({ length: 400 }, (_, index) => ({
      type: 'category',
      path: [`root-${index % 20}`, `branch-${index}`],
      names: { en: `Branch ${index}` },
    }))
    const created = await catalog.import(lines, 'shop')
    const before = database.counters()
    const unchanged = await catalog.import(lines, 'shop')
    const after = database.counters()
    assert.deepEqual([created.created, unchanged.unchanged], [400, 400])
    assert.ok(after.transactions - before.transactions <= 3, 'one transaction for the lines')
    assert.ok(after.queries - before.queries < lines.length + 20, 'one query per line, and few others')
  })

  test('updates the statistics of the query planner, if it wrote many products', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const lines = (count: number) =>
      Array.from({ length: count }, (_, index) => productLine(`mug-${index}`, { store: 'loom' }))
    const counted = statement<{ rows: number }>(
      'test.counted',
      `select reltuples::integer as rows from pg_class where oid = 'search_documents'::regclass`,
    )

    await analyzeImported(database, await catalog.import([storeLine('loom'), ...lines(20)]))
    assert.deepEqual(await database.reader.row(counted), { rows: -1 })
    await analyzeImported(database, await catalog.import(lines(100)))
    assert.deepEqual(await database.reader.row(counted), { rows: 100 })
  })

  test('gives products of two stores different, deterministic slugs', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has([storeLine('north'), storeLine('south')])
    const mug = (store: string, id: string) => productLine(id, { store, slug: 'mug' })
    await catalog.has([mug('north', '1'), mug('south', '1'), mug('south', '2')])
    await catalog.has([mug('north', '1'), mug('south', '1'), mug('south', '2')])
    const slugs = (await catalog.walk('listCatalogProducts', { query: { sort: 'name_asc' } })).map(
      (product) => product.slug,
    )
    assert.equal(slugs.length, 3)
    assert.deepEqual(slugs.slice(0, 2).sort(), ['mug', 'mug-south'])
    assert.match(slugs[2]!, /^mug-south-[0-9a-f]{8}$/)
  })

  test('keeps a slug derived from a name when the name changes', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has([productLine('a', { names: { en: 'Old name' } })], 'shop')
    await catalog.has([productLine('a', { names: { en: 'New name' } })], 'shop')
    const { data } = await catalog.call('listCatalogProducts')
    assert.deepEqual(
      data.map((product: Record<string, unknown>) => [product.slug, product.name]),
      [['old-name', 'New name']],
    )
  })

  test('keeps the status of a product whose line has none', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has([productLine('a'), productLine('b', { status: 'archived' })], 'shop')

    const lines = [productLine('a', { price: 5 }), productLine('b', { price: 5 }), productLine('c')]
    assert.equal((await catalog.import(lines, 'shop')).updated, 2)

    const { data } = await catalog.call('listCatalogProducts', { query: { sort: 'name_asc' } })
    assert.deepEqual(
      data.map(({ name }: { name: string }) => name),
      ['Product a', 'Product c'],
    )
    assert.equal((await catalog.import(lines, 'shop')).unchanged, 3)
  })

  test('withdraws a SKU missing from a changed line, and deletes nothing that no line mentions', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const sizes = (...values: string[]) => ({
      options: [{ name: 'size', values: values.map((value) => ({ value })) }],
      skus: values.map((value) => ({
        code: value,
        options: { size: value },
        prices: [{ currency: 'EUR', amount: 100 }],
        stock: 9,
      })),
    })
    await catalog.has([productLine('shirt', sizes('s', 'm')), productLine('other')], 'shop')
    const before = await catalog.call('getCatalogProduct', { params: { slug: 'product-shirt' } })
    await catalog.has([productLine('shirt', sizes('m', 'l'))], 'shop')
    const after = await catalog.call('getCatalogProduct', { params: { slug: 'product-shirt' } })
    assert.deepEqual(
      after.skus.map((sku: { code: string }) => sku.code),
      ['m', 'l'],
    )
    assert.equal(after.skus[0].id, before.skus[1].id)
    assert.equal((await database.reader.rows(readRows('skus'))).length, 4)
    assert.equal((await catalog.call('listCatalogProducts')).data.length, 2)
  })

  test('keeps a listing if nothing that it sorts or filters by has changed', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    await catalog.has([productLine('a'), productLine('b')], 'shop')
    await catalog.has([productLine('a', { stock: 3 }), productLine('b', { price: 7 })], 'shop')
    const rows = (await database.reader.rows(readRows('listings'))).map(({ row }) => row)
    assert.equal(rows.filter((row) => row.superseded_by !== null).length, 1)
    assert.equal(rows.length, 3)
  })

  test('lists a store in a locale once the store offers it, and no longer once the store has dropped it', async (t) => {
    const catalog = catalogOn((await testDatabase(t)).database)
    await catalog.has([storeLine('shop'), productLine('a', { names: { en: 'Lamp', de: 'Leuchte' } })], 'shop')
    await catalog.has([storeLine('shop', { locales: ['de', 'en'] })])
    const inGerman = () => catalog.call('searchCatalogProducts', { query: { q: 'leuchte' }, languages: ['de'] })
    assert.equal((await catalog.call('listCatalogProducts', { languages: ['de'] })).data[0].name, 'Leuchte')
    await catalog.has([productLine('a', { names: { en: 'Lamp', de: 'Leuchte' }, price: 5 })], 'shop')
    assert.equal((await inGerman()).data.length, 1)
    await catalog.has([storeLine('shop', { locales: ['en'] })])
    assert.equal((await inGerman()).data.length, 0)
    assert.equal((await catalog.call('listCatalogProducts', { languages: ['de'] })).data[0].name, 'Lamp')
  })

  test('reads .jsonl, .jsonl.gz and .csv, and reports what it cannot read', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-import-'))
    t.after(() => rm(folder, { recursive: true }))
    const importFile = async (name: string, bytes: string | Buffer) => {
      await writeFile(join(folder, name), bytes)
      const ids = idSource(catalog.clock, testRandomness())
      return importCatalog({
        database,
        ids,
        storeSlug: 'shop',
        source: catalogFile(join(folder, name)),
        now: catalog.clock.now(),
      })
    }
    const text = `${JSON.stringify(productLine('a'))}\r\n\n${JSON.stringify(productLine('b'))}`
    assert.equal((await importFile('x.jsonl', text)).created, 2)
    assert.equal((await importFile('x.jsonl.gz', gzipSync(text))).unchanged, 2)
    const invalid = Buffer.concat([
      Buffer.from('{"id":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}\n'),
      Buffer.from(text),
    ])
    assert.deepEqual((await importFile('y.jsonl', invalid)).refused, [{ line: 1, reason: 'The line is not UTF-8.' }])
    const csv = [
      '\uFEFFid,name,name.de,categories,code,option.size,price.EUR,stock,description,attribute.material',
      'shirt,"Shirt, ""blue""",Hemd,Clothing > Shirts,S-M,m,1999,4,"Two',
      'lines",Linen',
      'shirt,,,,S-L,l,2099,0,,',
      'cup,Cup,,,C,,5.00,1,,',
      'bowl,Bowl,,,B,,500,1,,',
    ].join('\r\n')
    const report = await importFile('z.csv', csv)
    assert.equal(report.created, 2)
    assert.deepEqual(
      report.refused.map(({ line, reason }) => [line, /\/skus\/0\/prices\/0\/amount/.test(reason)]),
      [[5, true]],
    )
    const shirt = await catalog.call('getCatalogProduct', { params: { slug: 'shirt-blue' } })
    assert.equal(shirt.name, 'Shirt, "blue"')
    assert.equal(shirt.description.text, 'Two\nlines')
    assert.deepEqual(
      shirt.skus.map((sku: Record<string, unknown>) => [sku.code, sku.optionValues]),
      [
        ['S-M', { size: 'm' }],
        ['S-L', { size: 'l' }],
      ],
    )
    await assert.rejects(importFile('w.jsonl.gz', gzipSync(text).subarray(0, 40)), /unexpected end of file/)
  })
})

test('an import yields to requests after 128 KB of lines, and after a hundred products', async (t) => {
  const { database } = await testDatabase(t)
  const { clock } = catalogOn(database)
  const source = idSource(clock, testRandomness())
  let [products, lines] = [0, 0]
  const most = { products: 0, lines: 0 }
  const ids: IdSource = {
    next(prefix) {
      if (prefix === 'prod') products += 1
      return source.next(prefix)
    },
  }
  async function* counted() {
    const descriptions = { en: { format: 'plain', text: 'long '.repeat(800) } }
    const text = oddProducts(300).map(({ id }) => JSON.stringify(productLine(id, { descriptions })))
    for await (const line of jsonLines(textLines(Readable.from([Buffer.from(text.join('\n'))])))) {
      lines += 1
      yield line
    }
  }
  let isOver = false
  const watch = () => {
    most.products = Math.max(most.products, products)
    most.lines = Math.max(most.lines, lines)
    products = 0
    lines = 0
    if (!isOver) setImmediate(watch)
  }
  watch()
  const { created } = await importCatalog({ database, ids, storeSlug: 'odd', source: counted(), now: clock.now() })
  isOver = true

  assert.deepEqual([created, most.products], [300, 100])
  assert(most.lines <= 32, `${most.lines} lines of 4 KB`)
})

/** The rarest oddity occurs in one product of 200. */
const PRODUCTS = runsOf({ full: ODD_PRODUCTS, short: 1500 })

describe('a large catalog of odd products', () => {
  test('is imported without loss, and every order lists each product once while products change', async (t) => {
    const { database } = await testDatabase(t)
    const catalog = catalogOn(database)
    const { clock } = catalog
    const products = oddProducts(PRODUCTS)
    const total = products.length
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-odd-'))
    t.after(() => rm(folder, { recursive: true }))
    const path = await writeOddCatalog(folder, products)
    const run = (source: Parameters<typeof importCatalog>[0]['source'] = catalogFile(path)) =>
      importCatalog({
        database,
        ids: idSource(clock, testRandomness()),
        storeSlug: 'odd',
        source,
        now: clock.now(),
      })
    assert.deepEqual(await run(), { read: total, created: total, updated: 0, unchanged: 0, refused: [] })
    assert.deepEqual(await run(), { read: total, created: 0, updated: 0, unchanged: total, refused: [] })
    const exported = await exportCatalog(database.reader, 'odd')
    assert.ok(exported)
    const { read, ...became } = await run(exported)
    assert.deepEqual(became, { created: 0, updated: 0, unchanged: read, refused: [] })

    const counts = statement<Record<string, bigint>>(
      'test.counts',
      `select (select count(*) from products) as products, (select count(*) from skus) as skus,
         (select count(*) from prices) as prices, (select count(*) from listings) as listings,
         (select count(*) from product_texts where description is null) as undescribed,
         (select count(*) from products where category_ids = '{}') as uncategorised,
         (select count(*) from (select code from skus group by code having count(*) > 1) as repeated) as repeated_codes,
         (select count(*) from stock_levels where environment = 'live' and available = 0) as sold_out`,
    )
    const have = (which: (product: OddProduct) => boolean) => BigInt(products.filter(which).length)
    const prices = BigInt(products.flatMap((product) => product.prices).length)
    assert.deepEqual(await database.reader.row(counts), {
      products: BigInt(total),
      skus: BigInt(total),
      prices,
      listings: prices,
      undescribed: have(({ description }) => description === ''),
      uncategorised: have(({ categoryPath }) => categoryPath.length === 0),
      repeated_codes: BigInt(
        Object.values(Object.groupBy(products, ({ code }) => code)).filter((same) => same!.length > 1).length,
      ),
      sold_out: have(({ stock }) => stock === 0),
    })

    // A facet counts the products that its filter shows.
    const { meta } = await catalog.call('listCatalogProducts')
    const facet = (key: string) => meta.facets.find((each: { key: string }) => each.key === key).values
    const shownBy = async (filter: object) =>
      (await catalog.call('listCatalogProducts', { query: { ...filter, limit: 1, facets: ['none'] } })).meta.page
        .totalCount
    for (const { value, count } of facet('category')) assert.equal(await shownBy({ category: [value] }), count)
    for (const { value, count } of facet('price')) {
      const [from, to] = value.split('-')
      const range = { ...(from && { priceMin: Number(from) }), ...(to && { priceMax: Number(to) }) }
      assert.equal(await shownBy(range), count)
    }

    // All orders at once, while prices, names and dates of products change.
    const pageCount = Math.ceil(total / 100)
    let round = 0
    await Promise.all(
      (['newest', 'price_asc', 'price_desc', 'name_asc', 'name_desc'] as const).map(async (sort) => {
        let page = 0
        const query = { sort, limit: 100, facets: ['none'] }
        const walked = await catalog.walk('listCatalogProducts', { query }, async () => {
          page += 1
          if (page % Math.ceil(pageCount / 10) !== 0) return
          round += 1
          await catalog.has(changedLines(products, round), 'odd')
        })
        assert.equal(walked.length, total, sort)
        assert.equal(new Set(walked.map((product) => product.id)).size, total, sort)
      }),
    )
  })
})

/** Ten of the products with other sort keys. */
function changedLines(products: readonly OddProduct[], round: number): object[] {
  return products
    .slice((round * 200) % (products.length - 10))
    .slice(0, 10)
    .map(({ id }, index) => ({
      id,
      sku: `moved-${round}`,
      title: `${String.fromCharCode(65 + ((round + index) % 26))} moved`,
      syntheticPriceMinor: (round * 7919 + index * 104_729) % 1_000_000,
      currency: 'USD',
      releasedAt: new Date(Date.UTC(2000 + ((round + index) % 26), 0, 1)).toISOString(),
    }))
}
