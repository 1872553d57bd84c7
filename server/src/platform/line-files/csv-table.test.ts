import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { csvCell, csvRow, unprotected } from './csv-table.ts'

describe('a cell of a CSV file', () => {
  test('is quoted as in RFC 4180 if necessary', () => {
    assert.equal(csvRow(['plain', 'a, b', 'say "so"', ' space']), 'plain,"a, b","say ""so"""," space"\r\n')
  })

  test('is never a formula, and numbers stay numbers', () => {
    for (const text of ['=1+1', '+cmd', '-cmd', '@sum', '\t=1', '\r=1']) assert.match(csvCell(text), /^"?'/, text)
    for (const number of ['-12.50', '+3', '7,5']) assert.ok(!csvCell(number).includes("'"), number)
  })

  test('is never a formula after the separator of another country either: Excel in German splits at semicolons', () => {
    // A quote that is not at the start of such a cell protects nothing.
    const row = csvRow(['Order', "a;=1+cmd|' /C calc'!A0;b", 'x;\t@sum(1)', 'b\n=1', 'c; d'])
    for (const cell of row.split(/[;\t\r\n]/)) assert.doesNotMatch(cell, /^\s*"?[=+\-@]/, row)
    assert.match(row, /c; d/)
  })

  test('is read back as the original text', () => {
    const unquoted = (cell: string) => (cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    const texts = fc.string({ unit: fc.constantFrom(...'=-+@\'"; ,\t\n\rab1') })
    fc.assert(fc.property(texts, (text) => assert.equal(unprotected(unquoted(csvCell(text))), text)))
  })
})
