import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ProductLine } from '../../writing/line-schema.ts'
import type { ProductState } from '../../writing/product-records.ts'
import { restoredLine, undoOutcomeOf } from '../undo.ts'
import { amountOf, barcodeOf, CellFault, gramsOf, truthOf, unitsOf } from './cells.ts'
import { readMapping } from './columns.ts'
import { completeProduct } from './complete-product.ts'
import { guessMapping } from './guess.ts'
import { looksLikeHtml, markdownOfHtml } from './html-text.ts'
import { mappedLines } from './table-lines.ts'

describe('a description in HTML', () => {
  test('becomes paragraphs, lists, emphasis and links in Markdown', () => {
    const html =
      '<h1>Care</h1><p>Wash&nbsp;<b>warm</b>,<br>see <a href="https://care.example/a?b=1&amp;c=2">here</a>.</p><ol><li>A</li><li><em>B</em></li></ol>'
    assert.equal(
      markdownOfHtml(html),
      '## Care\n\nWash **warm**,\nsee [here](https://care.example/a?b=1&c=2).\n\n- A\n- _B_',
    )
  })

  test('loses scripts, styles, handlers and unsafe links, and has its markup characters escaped', () => {
    for (const [html, markdown] of [
      ['<script>alert(1)</script>a<style>p{}</style>', 'a'],
      ['<img src=x onerror=alert(1)>b', 'b'],
      ['<a href="javascript:alert(1)">c</a>', 'c'],
      ['<a href="https://x.example/)[y](javascript:alert(1)">d</a>', '[d](https://x.example/)'],
      ['&lt;script&gt;[e](javascript:x)', '\\<script\\>\\[e\\](javascript:x)'],
      ['<scr<script>x</script>ipt>f', 'f'],
      ['<!-- <b>h --> i', 'i'],
      ['1. j', '1\\. j'],
      ['&toString; &euro;', '&toString; €'],
    ] as const) {
      assert.equal(markdownOfHtml(html), markdown, html)
    }
  })

  test('of the largest size with unclosed markup is read in linear time', () => {
    const { user: before } = process.cpuUsage()
    for (const part of ['<a "', '<!--', '<a ', '</script ', '&#x', '**_', '<script']) {
      const html = part.repeat(50_000 / part.length)
      looksLikeHtml(html)
      markdownOfHtml(html)
    }
    const { user } = process.cpuUsage()
    assert(user - before < 1_000_000, `${user - before} microseconds`)
  })
})

describe('a mapped table', () => {
  const columns = ['id', 'name', 'code', 'price']
  const table = { header: columns, mapping: { columns, currency: 'EUR', locale: 'en', decimal: 'point' } as const }
  const context = { currency: 'EUR', locale: 'en', findLines: async () => new Map() }
  async function read(rows: Iterable<readonly string[]>) {
    async function* records() {
      let line = 1
      for (const cells of rows) yield { line: ++line, cells }
    }
    const lines = await collected(mappedLines(records(), table, context))
    return lines.map((each) => [each.line, 'problem' in each ? each.problem : (each.value as ProductLine).id])
  }

  test('has a product refused as a whole if one of its rows cannot be read', async () => {
    const bowl = ['b', 'Bowl', 'B', '1']
    const wrong = ['a', 'Cup', 'small', 'A2', '1']
    const message = 'The row has 5 cells, the header has 4.'
    const [first, last] = [
      ['a', 'Cup', 'A1', '1'],
      ['a', 'Cup', 'A3', '1'],
    ] as const
    assert.deepEqual(await read([first, wrong, last, bowl]), [
      [3, message],
      [5, 'b'],
    ])
    assert.deepEqual(await read([first, last, wrong, bowl]), [
      [4, message],
      [5, 'b'],
    ])
    assert.deepEqual(await read([bowl, wrong, first]), [
      [2, 'b'],
      [3, message],
    ])
  })
})

test('a row without option columns changes the variant with its code, never the last one that is left', () => {
  const sku = (code: string, amount: number) => ({ code, prices: [{ currency: 'EUR', amount }] })
  const known = { id: 'cup', names: { en: 'Cup' }, skus: [sku('RED', 100), sku('BLUE', 100)] }
  const completed = (codes: readonly string[], { skus } = known) => {
    const rows = codes.map((code, index) => ({ ...sku(code, 900), line: index + 2, compareAtIn: [] }))
    const given = { line: 2, rows: [], id: 'cup', hasOptionColumns: false, skus: rows }
    const { line } = completeProduct(given, { ...known, skus }, 'en')
    return line.skus.map(({ code, prices }) => [code, prices[0]?.amount])
  }
  assert.deepEqual(completed(['RED', 'GREEN']), [
    ['RED', 900],
    ['GREEN', 900],
    ['BLUE', 100],
  ])
  assert.deepEqual(
    completed(['CUP'], { ...known, skus: [sku('OLD', 100)] }),
    [['CUP', 900]],
    'an only variant gets a new code',
  )
})

test('an empty compare-at price ends a sale in the currency of its column only', async () => {
  const sale = (currency: string) => ({ currency, amount: 500, compareAt: 900 })
  const cup = { id: 'cup', names: { en: 'Cup' }, skus: [{ code: 'CUP', prices: [sale('EUR'), sale('USD')] }] }
  const pricesWith = async (columns: string[], cells: string[]) => {
    const mapping = { columns, currency: 'EUR', locale: 'en', decimal: 'point' } as const
    async function* records() {
      yield { line: 2, cells }
    }
    const context = { currency: 'EUR', locale: 'en', findLines: async () => new Map([['cup', cup as ProductLine]]) }
    const [line] = await collected(mappedLines(records(), { header: columns, mapping }, context))
    return line && 'value' in line && (line.value as ProductLine).skus[0]?.prices
  }
  const ended = { currency: 'EUR', amount: 600 }
  const kept = { currency: 'USD', amount: 700, compareAt: 900 }
  assert.deepEqual(await pricesWith(['id', 'price.EUR', 'compareAt.EUR', 'price.USD'], ['cup', '6.00', '', '7.00']), [
    ended,
    kept,
  ])
  assert.deepEqual(
    await pricesWith(['id', 'price', 'compareAt.EUR', 'price.USD'], ['cup', '6.00', '8.00', '7.00']),
    [{ ...ended, compareAt: 800 }, kept],
    'a column that names the currency of the table belongs to the price in it',
  )
})

test('a mapped table keeps no more rows of one product in memory than a product may have', async () => {
  const columns = ['id', 'name']
  const mapping = { columns, currency: 'EUR', locale: 'en', decimal: 'point' } as const
  async function* records() {
    for (let line = 2; line < 3002; line += 1) yield { line, cells: ['a', 'Cup'] }
  }
  const context = { currency: 'EUR', locale: 'en', findLines: async () => new Map() }
  const lines = await collected(mappedLines(records(), { header: columns, mapping }, context))
  assert.deepEqual(
    lines.map((each) => 'problem' in each && [each.problem, each.rows?.length]),
    [['3000 rows belong to one product. A product has at most 500.', 500]],
  )
})

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('the columns of a table', () => {
  const guess = (header: readonly string[], row: readonly string[]) =>
    guessMapping({ header, rows: [row], currency: 'EUR', locale: 'de' })

  test('are recognized by German names, with the decimal comma of their prices', () => {
    const header = ['Artikelnummer', 'Bezeichnung', 'Größe', 'Schlagwörter', 'Preis', 'UVP', 'Bestand', 'Gewicht (kg)']
    const { columns, decimal } = guess(header, ['KR-1', 'Krug', 'groß', 'rund', '1.290,00', '1.490,00', '5', '0,8'])
    assert.deepEqual(columns, ['code', 'name', 'skip', 'tags', 'price', 'compareAt', 'stock', 'weightKilograms'])
    assert.equal(decimal, 'comma')
  })

  test('have the decimal mark of their numbers if no price is recognized', () => {
    assert.equal(guess(['Nr', 'VK'], ['KR-1', '1,90']).decimal, 'comma')
    assert.equal(guess(['Nr', 'VK'], ['KR-1', '1.90']).decimal, 'point')
    assert.equal(guess(['Nr', 'VK', 'Text'], ['KR-1', '1.90', 'in 1,50 m']).decimal, 'point', 'a text is no number')
  })
})

test('an amount is read with the decimal mark of its table and the decimals of its currency, or is a fault', () => {
  const amounts = [
    ['1,299.00', 'EUR', 'point', 129900],
    ['1.299,5 €', 'EUR', 'comma', 129950],
    ['USD 19.9000', 'USD', 'point', 1990],
    ["1'250", 'JPY', 'point', 1250],
    ['1.234', 'KWD', 'point', 1234],
  ] as const
  for (const [cell, currency, decimal, minor] of amounts) assert.equal(amountOf(cell, currency, decimal), minor, cell)
  for (const cell of ['free', '1.999', '-1', '1.2.3', '19,90', '', '99999999999999999999']) {
    assert.throws(() => amountOf(cell, 'EUR', 'point'), CellFault, cell)
  }
  assert.deepEqual([unitsOf('-3', 'point'), unitsOf('7.0', 'point')], [0, 7])
  assert.throws(() => unitsOf('many', 'point'), CellFault)
})

test('three decimals that may be thousands are a fault, and thousands are read with the decimal mark of the table', () => {
  for (const [cell, currency, decimal] of [
    ['1.300', 'EUR', 'point'],
    ['19,900 €', 'EUR', 'comma'],
    ['1.000', 'JPY', 'point'],
  ] as const) {
    assert.throws(() => amountOf(cell, currency, decimal), { name: 'CellFault', message: /may be .* or / }, cell)
  }
  assert.throws(() => unitsOf('1.000', 'point'), { name: 'CellFault', message: /^"1\.000" may be 1 or 1000\. / })
  assert.throws(() => gramsOf('1.250', 1, 'point'), { name: 'CellFault', message: /^"1\.250" may be 1\.25 or 1250\. / })
  const amounts = [
    amountOf('0.500', 'EUR', 'point'),
    amountOf('1299.000', 'EUR', 'point'),
    amountOf('1,299.000', 'EUR', 'point'),
  ]
  assert.deepEqual([...amounts, amountOf('1.300', 'KWD', 'point')], [50, 129900, 129900, 1300])
  assert.deepEqual([unitsOf('1.000', 'comma'), unitsOf('1,000', 'point'), unitsOf('7,00', 'comma')], [1000, 1000, 7])
  assert.throws(() => unitsOf('7.5', 'point'), CellFault)
})

test('an amount in another currency than that of its column is a fault', () => {
  for (const [cell, currency] of [
    ['2.00 USD', 'EUR'],
    ['$2.00', 'EUR'],
    ['2.00 €', 'CHF'],
  ] as const) {
    assert.throws(() => amountOf(cell, currency, 'point'), { message: `"${cell}" is not an amount in ${currency}.` })
  }
  assert.deepEqual([amountOf('CHF 2.00', 'CHF', 'point'), amountOf('$2.00', 'CAD', 'point')], [200, 200])
})

test('a weight is read with the decimal mark of its table', () => {
  assert.deepEqual(
    [gramsOf('1,250', 1, 'point'), gramsOf('1.250', 1, 'comma'), gramsOf('0.25', 1000, 'point')],
    [1250, 1250, 250],
  )
  assert.equal(gramsOf('1,250', 1000, 'comma'), 1250)
  for (const cell of ['0,25', '-1', 'heavy', '']) assert.throws(() => gramsOf(cell, 1000, 'point'), CellFault, cell)
})

test('an id, SKU or barcode that a spreadsheet has rounded is a fault', async () => {
  const message = (cell: string) =>
    `"${cell}" was rounded by a spreadsheet. Format the column as text, and enter all digits.`
  for (const cell of ['4.00638E+12', '4,00638E+12', '4E+12'])
    assert.throws(() => barcodeOf(cell), { name: 'CellFault', message: message(cell) })
  assert.deepEqual(["'4006381333931", '4006381333931', 'E+12'].map(barcodeOf), [
    '4006381333931',
    '4006381333931',
    'E+12',
  ])

  const columns = ['id', 'name', 'code', 'price']
  const mapping = { columns, currency: 'EUR', locale: 'en', decimal: 'point' } as const
  async function* records() {
    yield { line: 2, cells: ['1.23457E+15', 'Cup', '5.5E+11', '1'] }
  }
  const context = { currency: 'EUR', locale: 'en', findLines: async () => new Map() }
  const [line] = await collected(mappedLines(records(), { header: columns, mapping }, context))
  assert.equal(line && 'problem' in line && line.problem, `id: ${message('1.23457E+15')} code: ${message('5.5E+11')}`)
})

test('a cell is true or false as spreadsheets write it, also in German', () => {
  assert.deepEqual(['TRUE', 'FALSE', 'WAHR', 'FALSCH', 'ja'].map(truthOf), [true, false, true, false, true])
  assert.throws(() => truthOf('perhaps'), CellFault)
})

test('a mapping has known targets, each for one column', () => {
  const mapping = { currency: 'EUR', locale: 'en', decimal: 'point' }
  const columns = ['id', 'skip', 'skip', 'name.de', 'price.USD', 'attribute.Care, washing']
  assert.deepEqual(readMapping(JSON.stringify({ ...mapping, columns })).columns, columns)
  for (const wrong of [['sku'], ['id', 'id'], ['price.usd'], []]) {
    assert.throws(() => readMapping(JSON.stringify({ ...mapping, columns: wrong })), { name: 'InvalidLine' })
  }
  assert.throws(() => readMapping('{'), { name: 'InvalidLine' })
  assert.throws(() => readMapping(JSON.stringify({ ...mapping, columns: ['id'], currency: 'XXX' })), {
    name: 'InvalidLine',
  })
})

describe('undoing an import', () => {
  const state = (stock: number | null, onHand: number, isCounted = stock !== null): ProductState => {
    const line = { id: 'cup', store: 'loom', names: { en: 'Cup' }, skus: [{ code: 'C', prices: [], stock }] }
    return {
      id: 'prod_1',
      version: 3,
      line: line as ProductLine & { store: string },
      onHand: [onHand],
      counted: [isCounted],
    }
  }

  test('leaves products that were changed since or are gone', () => {
    const entry = { product_id: 'prod_1', version: 3, before: null, outcome: null }
    assert.equal(undoOutcomeOf(entry, { version: 3 }), 'archived')
    assert.equal(undoOutcomeOf({ ...entry, before: state(1, 1) }, { version: 3 }), 'restored')
    assert.equal(undoOutcomeOf(entry, { version: 4 }), 'changed_since')
    assert.equal(undoOutcomeOf(entry, undefined), 'gone')
  })

  test('restores a stock minus the units sold since, and leaves one that the import did not change', () => {
    const stockOf = (before: Parameters<typeof restoredLine>[0], now: ProductState) =>
      restoredLine(before, now).skus[0]?.stock
    // Of 10 declared, 7 were left. The import declared 20, and 2 were sold since.
    assert.equal(stockOf(state(10, 7), state(20, 18)), 5)
    assert.equal(stockOf(state(10, 7), state(20, 3)), 0)
    assert.equal(stockOf(state(10, 7), state(10, 6)), 10, 'declaring the same stock again leaves the count')
    assert.equal(stockOf(state(null, 0), state(20, 18)), null)
    assert.equal(stockOf(state(10, 7), state(null, 0)), 7)
    // An operator had counted 8 of a SKU without declared stock, or no longer counted one.
    assert.equal(stockOf(state(null, 8, true), state(20, 18)), 6)
    assert.equal(stockOf(state(10, 7, false), state(20, 18)), null)
    const { counted: _, ...old } = state(null, 8, true)
    assert.equal(stockOf(old, state(20, 18)), null, 'an entry from before it was recorded')
  })
})
