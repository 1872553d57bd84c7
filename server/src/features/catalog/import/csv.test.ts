import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { csvRecords } from '../../../platform/line-files/csv-records.ts'
import { gunzippedUpload } from '../../../platform/line-files/gunzip.ts'
import { type SourceLine, textLines } from '../../../platform/line-files/line-file.ts'
import { csvProducts } from './csv.ts'

async function* streamOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = []
  for await (const item of items) read.push(item)
  return read
}

async function read(...rows: readonly string[]): Promise<SourceLine[]> {
  return all(csvProducts(csvRecords(textLines(streamOf(Buffer.from(['id,name,code,price.EUR', ...rows].join('\n')))))))
}

/** The lines with their names or problems. */
function seen(lines: readonly SourceLine[]) {
  return lines.map((each) => [
    each.line,
    'problem' in each ? each.problem : (each.value as { names: { en: string } }).names.en,
  ])
}

describe('a spreadsheet', () => {
  test('may say for each SKU whether it requires shipping', async () => {
    const header = 'id,name,code,price.EUR,requiresShipping'
    const rows = [header, 'a,Card,A,2500,false', 'b,Mug,B,900,true', 'c,Cup,C,700,', 'd,Bowl,D,900,perhaps']
    rows.push('e,Jug,E,900,FALSE', 'f,Pot,F,900,WAHR')
    const lines = await all(csvProducts(csvRecords(textLines(streamOf(Buffer.from(rows.join('\n')))))))
    const skusOf = (each: SourceLine) =>
      'value' in each ? (each.value as { skus: { requiresShipping?: unknown }[] }).skus : []
    assert.deepEqual(
      lines.flatMap(skusOf).map(({ requiresShipping }) => requiresShipping),
      [false, true, undefined, 'perhaps', false, true],
    )
  })

  test('may have a quote inside a cell, such as an inch sign', async () => {
    const lines = await read('a,24" monitor,A,1999', 'b,"24"" monitor, black",B,1999', 'c,"Two\nlines" ,C,1')
    assert.deepEqual(seen(lines), [
      [2, '24" monitor'],
      [3, '24" monitor, black'],
      [4, 'Two\nlines'],
    ])
  })

  test('has a product refused if its code was rounded', async () => {
    const message = 'code: "4.00638E+12" was rounded by a spreadsheet. Format the column as text, and enter all digits.'
    assert.deepEqual(seen(await read('a,Cup,4.00638E+12,100', 'b,Mug,4006381333931,100')), [
      [2, message],
      [3, 'Mug'],
    ])
  })

  test('has a row refused if a quoted cell goes on after its closing quote', async () => {
    const lines = await read('a,"24 inch" monitor" stand",A,1999', 'b,Cup,B,500')
    assert.deepEqual(seen(lines), [
      [2, 'A quoted cell goes on after its closing quote. Double the quotes inside it.'],
      [3, 'Cup'],
    ])
  })

  test('has a row refused as a whole if a line inside a quoted cell is not UTF-8', async () => {
    const rows = ['id,code,name', 'a,A,"Cup', 'of cl\xe4y', 'for tea"', 'b,B,Bowl'].join('\n')
    const records = await all(csvRecords(textLines(streamOf(Buffer.from(rows, 'latin1')))))
    assert.deepEqual(records.slice(1), [
      { line: 3, problem: 'The line is not UTF-8.', legible: ['a', 'A', 'Cup\nof cl\ufffdy\nfor tea'] },
      { line: 5, cells: ['b', 'B', 'Bowl'] },
    ])
  })

  test('has a product refused as a whole if one of its rows cannot be read', async () => {
    const wrong = 'The row has 5 cells, the header has 4.'
    const lines = await read('a,Cup,A1,1', 'a,Cup,small,A2,1', 'a,Cup,A3,1', 'b,Bowl,B,1', 'x,"y" z,X,1', 'c,Mug,C1,1')
    assert.deepEqual(seen(lines).slice(0, 2), [
      [3, wrong],
      [5, 'Bowl'],
    ])
    assert.deepEqual(seen(lines).slice(3), [[7, 'Mug']])
    for (const rows of [
      ['a,Cup,A1,1', 'a,Cup,small,A2,1'],
      ['a,Cup,small,A2,1', 'a,Cup,A1,1'],
    ]) {
      assert.deepEqual(
        seen(await read(...rows, 'b,Bowl,B,1')).map(([, name]) => name),
        [wrong, 'Bowl'],
      )
    }
  })

  test('loses at most 1000 lines to a quote that is never closed, and reports which', async () => {
    const cups = Array.from({ length: 3000 }, (_, index) => `cup-${index},Cup,C,500`)
    const lines = await read('a,"24 inch monitor,A,1999', ...cups, 'z,"Never closed,Z,1')
    assert.deepEqual(seen(lines.slice(0, 2)), [
      [2, 'A quote opened here is not closed by line 1001. The lines up to it were not read.'],
      [1002, 'Cup'],
    ])
    assert.ok(
      seen(lines).some(([line, problem]) => line === 3003 && problem === 'A quote opened here is never closed.'),
    )
    assert.equal(lines.length, 1 + 2001 + 1)
  })

  test('does not block other work of the process, however large it is', async () => {
    let turns = 0
    let reading = true
    const count = () => {
      turns += 1
      if (reading) setImmediate(count)
    }
    setImmediate(count)
    const cups = Array.from({ length: 5000 }, (_, index) => `cup-${index},Cup,C,500`)
    await read('a,"24 inch monitor,A,1999', ...cups)
    reading = false
    assert.ok(turns >= 5000 / 250, `${turns} turns`)
  })

  test('has consecutive rows refused together if too many have the same id, or none', async () => {
    const lines = await read(...Array.from({ length: 300 }, () => ',Cup,C,500'), 'b,Bowl,B,500')
    assert.deepEqual(seen(lines), [
      [2, '300 consecutive rows have no id. A product has at most 250.'],
      [302, 'Bowl'],
    ])
  })
})

test('a compressed upload that is too large when decompressed ends with an error', async () => {
  const unpacked = gunzippedUpload(streamOf(gzipSync(Buffer.alloc(1_000_000))), 500_000)
  await assert.rejects(all(unpacked), { code: 'Z_TOO_LARGE' })
})
