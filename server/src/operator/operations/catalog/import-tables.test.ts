import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { storeLine } from '../../../../../test/support/commerce/catalog.ts'
import { SHOPIFY_HEADER, shopifyProducts, shopifyTable } from '../../../../../test/support/commerce/shopify-table.ts'
import { type OperatorClient, operatorClient } from '../../../../../test/support/operator.ts'
import { OPERATOR_TOKEN } from '../../../../../test/support/operator-token.ts'
import { startWorld, type World } from '../../../../../test/support/world.ts'
import { publishCatalogEvents } from '../../../features/webhooks/index.ts'
import { logger } from '../../../platform/observe/logger.ts'
import { statement } from '../../../platform/postgres/statement.ts'

const authorization = `Bearer ${OPERATOR_TOKEN}`
const csv = (...rows: readonly string[]) => `${rows.join('\n')}\n`

const addCategories = statement(
  'test.add_categories',
  `insert into categories (id, path, lineage, names, created_at, updated_at)
   select id, array['n' || n], array[id], '{"en": "Aprons"}', $1, $1
   from (select n, 'cat_01k5b7m2q8e9rtv3w4' || lpad(n::text, 8, '0') as id from generate_series(1, $2::integer) as n) as made`,
)

let world: World
let operator: OperatorClient
before(async () => {
  world = await startWorld()
  operator = await operatorClient(world)
  await world.import([storeLine('loom'), storeLine('weft', { currencies: ['CHF'] })], 'loom')
})

async function post(path: string, body: string | Buffer<ArrayBuffer>) {
  const response = await fetch(`${operator.origin}/operator/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': body === '{}' ? 'application/json' : 'application/octet-stream' },
    body,
  })
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of many shapes.
  return { status: response.status, body: (await response.json()) as any }
}

const query = (store: string, more: object = {}) => {
  const { mapping, ...rest } = more as { mapping?: object }
  return new URLSearchParams({ format: 'csv', store, ...rest, ...(mapping && { mapping: JSON.stringify(mapping) }) })
}

async function preview(store: string, file: string, more: object = {}) {
  const { status, body } = await post(`/imports/preview?${query(store, more)}`, file)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

/** Uploads a table, and runs the worker until it is imported. */
async function imported(store: string, file: string | Buffer<ArrayBuffer>, more: object = {}) {
  const { status, body } = await post(`/imports?${query(store, more)}`, file)
  assert.equal(status, 200, JSON.stringify(body))
  await world.work()
  return (await operator.get(`/imports/${body.data.id}`)).body.data
}

async function download(path: string): Promise<string> {
  const response = await fetch(`${operator.origin}/operator/v1${path}`, { headers: { authorization } })
  assert.equal(response.status, 200)
  return Buffer.from(await response.arrayBuffer()).toString()
}

const counts = ({ read, created, updated, unchanged, refused }: Record<string, number>) => [
  read,
  created,
  updated,
  unchanged,
  refused,
]

async function product(store: string, externalId: string) {
  const { items } = (await operator.get(`/products?store=${store}&q=${externalId}&limit=100`)).body.data
  const found = items.find((each: { slug: string }) => each.slug === externalId)
  return found && (await operator.get(`/products/${found.id}`)).body.data
}

const file = shopifyTable(shopifyProducts(500))

describe('an export of Shopify', () => {
  test('is recognized by its header, and its preview shows the result before anything is written', async () => {
    const shown = await preview('weft', file)
    const { form, currency, created, changed, variants, refused, whole, faultCount } = shown
    assert.deepEqual(
      { form, currency, created, changed, variants, refused, whole, faultCount },
      {
        form: 'shopify',
        currency: 'CHF',
        created: 500,
        changed: 0,
        variants: 1750,
        refused: 0,
        whole: true,
        faultCount: 0,
      },
    )
    const [first] = shown.samples
    assert.deepEqual(first.variants[0], {
      code: 'LINEN-SCARF-1-Mo-S',
      options: 'Moss, S',
      prices: [{ amount: 1100, currency: 'CHF' }],
      stock: 1,
    })
    assert.equal(first.description, 'Linen Scarf 1 woven from **linen**, "made to last".\n\n- Number 1')
    const kinds = shown.warnings.map(({ kind, examples }: { kind: string; examples: string[] }) => [kind, examples[0]])
    assert.deepEqual(kinds, [
      ['new_categories', 'Apparel & Accessories > Clothing'],
      ['market_columns', 'Included / Germany'],
      ['skipped_columns', 'Option1 Linked To'],
    ])
    assert.deepEqual((await operator.get('/products?store=weft')).body.data.items, [])
  })

  test('of 500 products is imported as it is, and changes nothing the second time', async () => {
    assert.deepEqual(counts(await imported('loom', file)), [500, 500, 0, 0, 0])
    const scarf = await product('loom', 'linen-scarf-1')
    const { name, labels } = scarf.options[0]
    const [sku] = scarf.skus
    assert.deepEqual({ name, labels }, { name: 'color', labels: { en: 'Color' } })
    assert.deepEqual(
      [sku.code, sku.barcode, sku.prices, sku.weightGrams],
      ['LINEN-SCARF-1-Mo-S', '4000000000010', [{ currency: 'EUR', amount: 1100 }], 200],
    )
    assert.deepEqual(
      scarf.images.map(({ url }: { url: string }) => url),
      ['https://pictures.example/linen-scarf-1-1.jpg?v=17', 'https://pictures.example/linen-scarf-1-2.jpg?v=17'],
    )
    const { items } = (await operator.get('/categories')).body.data
    assert.ok(items.some(({ names }: { names: { en: string } }) => names.en === 'Apparel & Accessories'))
    assert.deepEqual(counts(await imported('loom', file)), [500, 0, 0, 500, 0])
  })

  test('may have its columns in any order, and its report names the invalid cell', async () => {
    const [row] = shopifyProducts(2).slice(-2)
    const rows = [
      { ...row, Handle: 'apron-a', 'Variant Price': 'free', 'Image Src': 'picture.jpg' },
      { ...row, Handle: 'apron-b', 'Variant SKU': '=1+1' },
    ]
    const table = shopifyTable(rows, SHOPIFY_HEADER.toReversed())
    const { faults, created } = await preview('loom', table)
    assert.equal(created, 1)
    assert.deepEqual(faults, [
      { line: 2, column: 'Image Src', message: '"picture.jpg" is not a web address.' },
      { line: 2, column: 'Variant Price', message: '"free" is not an amount in EUR.' },
    ])
    const report = await imported('loom', table)
    assert.deepEqual(counts(report), [2, 1, 0, 0, 1])

    const rejected = await download(`/imports/${report.id}/refusals`)
    const [header = '', ...lines] = rejected.split(/(?<=")\r\n|(?<=Import error)\r\n/)
    assert.ok(header.startsWith('\uFEFFStatus,') && header.endsWith(',Handle,Import error'))
    assert.match(lines.join(), /apron-a,"Line 2: Image Src: ""picture\.jpg"" is not a web address\. Variant Price: /)
    const corrected = rejected.replace(',free,', ',12.00,').replace('picture.jpg', 'https://pictures.example/a.jpg')
    assert.deepEqual(counts(await imported('loom', corrected)), [1, 1, 0, 0, 0])
  })
})

describe('a table of any shape', () => {
  const table = csv('Nummer;Omschrijving;Prijs;Voorraad', 'A1;Becher;"1.249,50";3', 'A2;Krug;0,00;2', 'A2;Kanne;12;1')
  const mapping = { columns: ['code', 'name', 'price', 'stock'], currency: 'USD', locale: 'en', decimal: 'comma' }

  test('is imported with the chosen columns, which are remembered for the next import', async () => {
    const guessed = await preview('loom', table)
    assert.deepEqual(
      guessed.columns.map(({ header, target, example }: Record<string, string>) => [header, target, example]),
      [
        ['Nummer', 'skip', 'A1'],
        ['Omschrijving', 'skip', 'Becher'],
        ['Prijs', 'skip', '1.249,50'],
        ['Voorraad', 'skip', '3'],
      ],
    )
    const { form, warnings, faults, samples } = await preview('loom', table, { mapping })
    assert.equal(form, 'given')
    assert.deepEqual(
      warnings.map(({ kind, examples }: { kind: string; examples: string[] }) => [kind, examples]),
      [
        ['currency_added', ['USD']],
        ['zero_prices', ['A2']],
      ],
    )
    assert.match(faults[0].message, /also appears further up/)
    assert.deepEqual(samples[0].variants[0].prices, [{ amount: 124950, currency: 'USD' }])
    assert.deepEqual(counts(await imported('loom', table, { mapping })), [3, 2, 0, 0, 1])
    assert.equal((await preview('loom', table)).form, 'remembered')
    assert.equal((await preview('weft', table)).form, 'guessed')
  })

  test('leaves the members without a column unchanged', async () => {
    await imported('loom', csv('id,name,price.EUR,brand,description', 'bowl,Bowl,1900,Loom,Round'))
    const prices = { columns: ['id', 'price'], currency: 'EUR', locale: 'en', decimal: 'point' }
    assert.deepEqual(
      counts(await imported('loom', csv('Number,New price', 'bowl,21.50', 'lid,4'), { mapping: prices })),
      [2, 0, 1, 0, 1],
    )
    const { brand, descriptions, skus } = await product('loom', 'bowl')
    assert.deepEqual(
      [brand, descriptions.en.text, skus[0].prices],
      ['Loom', 'Round', [{ currency: 'EUR', amount: 2150 }]],
    )
  })

  test('is refused with a mapping that makes no sense', async () => {
    const twice = { ...mapping, columns: ['code', 'code'] }
    const { status, body } = await post(`/imports/preview?${query('loom', { mapping: twice })}`, table)
    assert.equal(status, 400)
    assert.deepEqual(
      body.details.map(({ pointer, message }: Record<string, string>) => [pointer, message]),
      [['/mapping', '/columns: two columns are "code".']],
    )
    assert.equal((await post(`/imports/preview?${query('loom')}`, '')).status, 400)
  })
})

describe('a table of an unusual form', () => {
  const mapping = { columns: ['id', 'price'], currency: 'EUR', locale: 'en', decimal: 'point' }

  test('is refused with the reason if its header cannot be read, and no row is taken for the header', async () => {
    const unreadable = 'The header cannot be read. The line is not UTF-8.'
    const ofCr = 'The lines end with CR alone. Save the table with CRLF or LF at their ends.'
    for (const [file, reason] of [
      [Buffer.from(csv('Größe;Preis', 'x-1;1', 'x-2;2'), 'latin1'), unreadable],
      ['id,name,price.EUR\rx-1,"A, B",100\rx-2,C,100', ofCr],
      ['"id","price"\r"x-1","1"\r', ofCr],
    ] as const) {
      const { status, body } = await post(`/imports/preview?${query('loom')}`, file)
      assert.deepEqual([status, body.details?.[0].message], [400, reason])
      for (const more of [{}, { mapping }]) {
        const { status, failure, ...report } = await imported('loom', file, more)
        assert.deepEqual([status, failure, counts(report)], ['failed', reason, [0, 0, 0, 0, 0]])
      }
    }
  })

  test('has a fault in a column without a name reported with the field of the column', async () => {
    const { faults } = await preview('loom', csv('Number,', 'bowl,free'), { mapping })
    assert.deepEqual(faults, [{ line: 2, column: 'price', message: '"free" is not an amount in EUR.' }])
  })

  test('is refused with more columns than a mapping can have', async () => {
    const wide = csv(`Handle,Title,Variant Price${',x'.repeat(498)}`, 'wide,Wide,1')
    const { status, body } = await post(`/imports/preview?${query('loom')}`, wide)
    assert.deepEqual([status, body.details?.[0].message], [400, 'The table has 501 columns. At most 500 are allowed.'])
    assert.equal((await preview('loom', wide.replace(',x', ''))).columns.length, 500)
  })
})

test('a preview knows every category, however many there are, and calls no other store’s its own', async () => {
  await world.database.transaction(async (tx) => tx.write(addCategories, [world.clock.now(), 10_000]))
  await world.import([
    { type: 'category', path: ['zips'], names: { en: 'Zips' } },
    { type: 'category', path: ['looms'], names: { en: 'Looms' }, owner: 'store', store: 'weft' },
  ])
  const table = csv('Handle,Title,Variant Price,Product Category', 'zip,Zip,1,Zips', 'frame,Frame,1,Looms')

  const { warnings } = await preview('loom', table)

  const found = warnings.filter(({ kind }: { kind: string }) => kind === 'new_categories')
  assert.deepEqual(found, [{ kind: 'new_categories', count: 1, examples: ['Looms'] }])
})

describe('the products of a store as a table', () => {
  test('are imported again without changing anything', async () => {
    const formula = { ...shopifyProducts(1)[0], Handle: 'formula', Title: "=HYPERLINK('x')", 'Variant SKU': '-A' }
    await imported('weft', shopifyTable([...shopifyProducts(40), formula]))
    const table = await download('/stores/weft/products.csv')
    assert.ok(table.startsWith('\uFEFFProduct ID,Slug,Status,Name (en),'))
    assert.ok(table.includes("'=HYPERLINK('x')") && table.includes(",'-A,"))
    assert.equal((await preview('weft', table)).form, 'export')
    assert.deepEqual(counts(await imported('weft', table)), [41, 0, 0, 41, 0])
  })
})

describe('a download of refused rows', () => {
  /** The rows that are refused when this table is imported. */
  const rejected = async (table: string) =>
    (await download(`/imports/${(await imported('loom', table)).id}/refusals`)).slice(1)

  test('has all cells of a row, also those beyond the header, and the reason once', async () => {
    const wide = (reason: string) =>
      `Handle,Title,Variant Price,Import error\r\nr-cup,Cup,small,12.00,"Line 2: ${reason}"\r\n`
    const first = await rejected(csv('Handle,Title,Variant Price', 'r-cup,Cup,small,12.00'))
    assert.equal(first, wide('The row has 4 cells, the header has 3.'))
    assert.equal(await rejected(first), wide('The row has 5 cells, the header has 4.'))
    assert.deepEqual(counts(await imported('loom', first.replace('small,', ''))), [1, 1, 0, 0, 0])

    const moved = await rejected(csv('Handle,Import error,Title,Variant Price', 'r-mug,Line 7: No.,Mug,free'))
    assert.match(moved, /^Handle,Title,Variant Price,Import error\r\nr-mug,Mug,free,"Line 2: Variant Price: /)
  })

  test('is imported without the apostrophes that protect it, also in our spreadsheet form', async () => {
    const table = csv('id,slug,name,code,price.EUR', 'r-sale,r-sale,=Sale,-S,free')
    const protectedRow = await rejected(table)
    assert.match(protectedRow, /\r\nr-sale,r-sale,'=Sale,'-S,free,/)
    assert.deepEqual(counts(await imported('loom', protectedRow.replace('free', '100'))), [1, 1, 0, 0, 0])
    const { names, skus } = await product('loom', 'r-sale')
    assert.deepEqual([names.en, skus[0].code], ['=Sale', '-S'])
  })
})

describe('undoing an import', () => {
  const lines = (...rows: readonly string[]) =>
    csv('id,slug,name,price.EUR,stock', ...rows.map((row) => row.replace(/^[^,]+/, '$&,$&')))

  test('removes what it created, reverts what it changed, and leaves later changes', async () => {
    await imported('loom', lines('u-kept,Kept,1000,10', 'u-back,Back,1000,10', 'u-touched,Touched,1000,10'))
    const { id } = await imported(
      'loom',
      lines('u-kept,Kept,1000,10', 'u-back,Wrong,1,3', 'u-touched,Wrong,1,10', 'u-new,New,1000,10', 'u-own,Own,1000,1'),
    )
    for (const slug of ['u-touched', 'u-own']) {
      const { id: productId } = await product('loom', slug)
      await operator.change('PATCH', `/products/${productId}`, { brand: 'By hand' })
    }
    const expected = { removed: 1, archived: 0, restored: 1, gone: 0, changedSince: 2 }
    const { left, ...shown } = (await operator.get(`/imports/${id}/undo`)).body.data
    assert.deepEqual(shown, { state: 'possible', ...expected })
    assert.deepEqual(left.map(({ name }: { name: string }) => name).sort(), ['Own', 'Wrong'])

    await operator.change('POST', `/imports/${id}/undo`, {})
    await world.work()
    const back = await product('loom', 'u-back')
    assert.deepEqual([back.names.en, back.skus[0].prices[0].amount], ['Back', 1000])
    assert.equal(
      back.skus[0].stock.find(({ environment }: { environment: string }) => environment === 'live').onHand,
      10,
    )
    assert.equal((await product('loom', 'u-new')).status, 'archived')
    assert.equal((await product('loom', 'u-touched')).names.en, 'Wrong')

    world.clock.advance(3 * 60_000)
    const { database, ids, clock } = world
    const announcing = {
      database,
      ids,
      now: clock.now(),
      log: logger('silent'),
      signal: new AbortController().signal,
      isStopping: () => false,
    }
    await publishCatalogEvents({} as never, announcing)
    await world.work()
    assert.equal(await product('loom', 'u-new'), undefined)
    const { left: _, ...done } = (await operator.get(`/imports/${id}/undo`)).body.data
    assert.deepEqual(done, { state: 'done', ...expected })
    const again = await post(`/imports/${id}/undo`, '{}')
    assert.equal(again.status, 409)
  })
  test('lets the next import publish what it has archived, but not what an operator has archived', async () => {
    const { id } = await imported('loom', lines('u-again,Again,1000,10'))
    await operator.change('POST', `/imports/${id}/undo`, {})
    await imported('loom', lines('u-ended,Ended,1000,10'))
    assert.equal((await product('loom', 'u-again')).status, 'archived')
    const { id: endedId } = await product('loom', 'u-ended')
    await operator.change('PATCH', `/products/${endedId}`, { status: 'archived' })

    const table = lines('u-again,Again,1000,10', 'u-ended,Ended,900,10')
    const shown = (await preview('loom', table)).samples.map(({ status }: { status: string }) => status)
    assert.deepEqual(shown, ['published', 'archived'])
    await imported('loom', table)

    world.clock.advance(3 * 60_000)
    await world.work()
    assert.equal((await product('loom', 'u-again')).status, 'published')
    assert.equal((await product('loom', 'u-ended')).status, 'archived')
  })
})
