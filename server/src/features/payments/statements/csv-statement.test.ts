import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { Refusal } from '../../../kernel/refusal.ts'
import { AMOUNT, amountIn, dateIn, dateOrderOf, decimalMarkOf } from './cells.ts'
import { type CsvHints, readCsv } from './csv-statement.ts'

const read = (rows: readonly string[], hints: CsvHints = { columns: {} }) => readCsv(rows.join('\r\n'), hints)

const reasonOf = (rows: readonly string[]) =>
  read(rows).then(
    () => 'read',
    (error: Refusal) => {
      assert.ok(error instanceof Refusal)
      return `${error.code}: ${(error.facts.faults as readonly { message: string }[])[0]?.message}`
    },
  )

describe('an amount', () => {
  test('is read as banks write it, with comma or point', () => {
    const comma = ['1.234,56', '+1.234,56', "1'234,56", '1 234,56', '1.234,56 EUR', '€1.234,56', 'EUR 1.234,56']
    for (const cell of comma) assert.equal(amountIn(cell, 'comma', 'EUR'), 123456n, cell)
    for (const cell of ['1,234.56', '1234.56', '$1,234.56']) assert.equal(amountIn(cell, 'point', 'EUR'), 123456n, cell)
    for (const cell of ['-12,00', '12,00-', '−12,00', '- 12,00 EUR'])
      assert.equal(amountIn(cell, 'comma', 'EUR'), -1200n, cell)
    for (const cell of ['', 'abc', '1,2,3', '1.23,456', '12,345'])
      assert.equal(amountIn(cell, 'comma', 'EUR'), null, cell)
    assert.equal(amountIn('1.234', 'comma', 'JPY'), 1234n)
    assert.equal(amountIn('1,234.00', 'point', 'JPY'), 1234n)
    assert.equal(amountIn('1,234.50', 'point', 'JPY'), null)
    assert.equal(amountIn('12.000', 'point', 'JPY'), null, 'it may be thousands')
  })

  test('is read or refused in no time, however long its cell is', () => {
    const before = process.cpuUsage()
    assert.equal(amountIn(`1${' '.repeat(2000)}x`, 'comma', 'EUR'), null)
    assert.equal(amountIn('9'.repeat(1_000_000), 'comma', 'EUR'), null)
    const spaces = ' '.repeat(200_000)
    assert.equal(amountIn(`+${spaces}EUR${spaces}1${spaces}`, 'comma', 'EUR'), 100n)
    for (const cell of [
      `+${spaces}x`,
      `EUR${spaces}x`,
      `1${spaces}x`,
      `1${spaces}-${spaces}x`,
      `1${spaces}2${spaces}x`,
    ])
      assert.equal(amountIn(cell, 'comma', 'EUR'), null)
    assert.ok(process.cpuUsage(before).user < 1_000_000)
  })

  test('has the signs and digits that a simpler pattern finds, which takes seconds for a long cell', () => {
    const simple =
      /^\s*([+\-−]?)\s*(?:[A-Z]{3}|[€$£])?\s*([+\-−]?)\s*(\d[\d.,'’\s]*?)\s*([+\-−]?)\s*(?:[A-Z]{3}|[€$£])?\s*$/
    const found = (match: RegExpExecArray | null) => match?.slice(1).map((part) => part ?? '')
    const part = fc.constantFrom(
      '1',
      '23',
      '.',
      ',',
      "'",
      '’',
      ' ',
      '\t',
      '\u00a0',
      '+',
      '-',
      '−',
      'EUR',
      'E',
      '€',
      'x',
    )
    // Most texts of any parts are no amounts, so that others are built like amounts.
    const space = fc.constantFrom('', '', ' ', '\u00a0 ')
    const sign = fc.constantFrom('', '', '+', '-', '−')
    const unit = fc.constantFrom('', '', 'EUR', '€', 'CH')
    const digits = fc
      .array(fc.constantFrom('1', '234', '.', ',', "'", ' '), { maxLength: 6 })
      .map((all) => all.join(''))
    const built = fc.tuple(space, sign, space, unit, space, sign, space, digits, space, sign, space, unit, space)
    const cells = fc.oneof(fc.array(part, { maxLength: 8 }), built).map((parts) => parts.join(''))
    fc.assert(
      fc.property(cells, (cell) => assert.deepEqual(found(AMOUNT.exec(cell.trim())), found(simple.exec(cell)), cell)),
      { numRuns: 5000 },
    )
  })

  test('has the decimal mark of its column, which is not guessed if the column is ambiguous', () => {
    assert.equal(decimalMarkOf(['1.234', '12,50']), 'comma')
    assert.equal(decimalMarkOf(['1,234', '12.50']), 'point')
    assert.equal(decimalMarkOf(['1.234.567']), 'comma')
    assert.equal(decimalMarkOf(['1.234']), null)
    assert.equal(decimalMarkOf(['1,5', '1.5']), null)
    assert.equal(decimalMarkOf(['12', '5']), 'point')
  })
})

test('a date is read in the order of its column', () => {
  assert.equal(dateIn('30.11.2026', 'dmy'), '2026-11-30')
  assert.equal(dateIn('30.11.26', 'dmy'), '2026-11-30')
  assert.equal(dateIn('11/30/2026', 'mdy'), '2026-11-30')
  assert.equal(dateIn('2026-11-30', 'dmy'), '2026-11-30')
  assert.equal(dateIn('20261130', 'ymd'), '2026-11-30')
  for (const cell of ['30.02.2026', '31.13.2026', 'today', '']) assert.equal(dateIn(cell, 'dmy'), null, cell)
  assert.equal(dateOrderOf(['1/2/2026', '3/25/2026']), 'mdy')
  assert.equal(dateOrderOf(['01.02.2026']), 'dmy')
  assert.equal(dateOrderOf(['05/05/2026', '']), 'dmy')
  assert.equal(dateOrderOf(['05/05/2026', '05/06/2026']), null)
})

describe('a CSV file', () => {
  test('of a German savings bank is read: semicolons, quotes, commas, two-digit years', async () => {
    const { statement, mapping } = await read([
      '"Auftragskonto";"Buchungstag";"Valutadatum";"Buchungstext";"Verwendungszweck";"Beguenstigter/Zahlungspflichtiger";"Kontonummer/IBAN";"Betrag";"Waehrung";"Info"',
      '"DE02120300000000202051";"30.11.26";"30.11.26";"GUTSCHRIFT";"8Q2E 9RTV 30; danke";"Ada ""Lovelace""";"DE89370400440532013000";"1.026,90";"EUR";"Umsatz gebucht"',
      '"DE02120300000000202051";"29.11.26";"29.11.26";"LASTSCHRIFT";"Strom";"Werke";"DE89370400440532013000";"-80,00";"EUR";"Umsatz gebucht"',
    ])
    assert.deepEqual(statement.lines, [
      {
        position: 2,
        account: 'DE02120300000000202051',
        bookedOn: '2026-11-30',
        amount: 102690n,
        currency: 'EUR',
        payer: 'Ada "Lovelace"',
        purpose: '8Q2E 9RTV 30; danke',
        bankId: '',
      },
    ])
    assert.equal(statement.others, 1)
    assert.deepEqual([mapping.decimal, mapping.dates, mapping.columns.amount], ['comma', 'dmy', 'Betrag'])
  })

  test('with a preamble, pending lines, and our name in the column of the account is read', async () => {
    const { statement, mapping } = await read([
      '"Girokonto";"DE02 1203 0000 0000 2020 51"',
      '""',
      '"Buchungsdatum";"Wertstellung";"Status";"Zahlungspflichtige*r";"Zahlungsempfänger*in";"Verwendungszweck";"Umsatztyp";"IBAN";"Betrag (€)"',
      '"30.11.26";"";"Vorgemerkt";"Ada";"Shop";"one";"Eingang";"DE89370400440532013000";"5,00"',
      '"30.11.26";"30.11.26";"Gebucht";"Ada";"Shop";"two";"Eingang";"DE89370400440532013000";"5"',
    ])
    assert.deepEqual(
      statement.lines.map(({ purpose, amount, account, payer }) => ({ purpose, amount, account, payer })),
      [{ purpose: 'two', amount: 500n, account: null, payer: 'Ada' }],
    )
    assert.equal(mapping.columns.amount, 'Betrag (€)')
  })

  test('leaves out a line that its bank marks as pending, and reads one whose payer wrote that', async () => {
    const { statement } = await read([
      'Buchungstag;Verwendungszweck;Beguenstigter/Zahlungspflichtiger;Betrag;Info',
      '30.11.26;Pending;Ada;5,00;Umsatz gebucht',
      '30.11.26;one;Pending;6,00;Umsatz gebucht',
      '30.11.26;two;Ada;7,00;Umsatz vorgemerkt und nicht gebucht',
      '30.11.26;three;Ada;8,00;Vorgemerkt',
    ])
    assert.deepEqual([statement.lines.map(({ amount }) => amount), statement.others], [[500n, 600n], 2])
  })

  test('of an English bank is read, and the operator can choose other columns', async () => {
    const rows = [
      'Date,Description,Reference,Amount (GBP),Fee',
      '11/30/2026,"Payment, with thanks",8Q2E9RTV30,"1,026.90",0',
      '11/02/2026,Refund,none,-3.00,0',
    ]
    const guessed = await read(rows)
    assert.deepEqual([guessed.mapping.dates, guessed.mapping.currency], ['mdy', 'GBP'])
    assert.deepEqual(
      guessed.statement.lines.map(({ amount, purpose }) => [amount, purpose]),
      [[102690n, '8Q2E9RTV30']],
    )
    const named = await read(rows, { columns: { purpose: 'Description' }, currency: 'USD' })
    assert.deepEqual(
      named.statement.lines.map(({ currency, purpose }) => [currency, purpose]),
      [['USD', 'Payment, with thanks']],
    )
  })

  test('whose dates can be read either way is refused, unless the operator or the language of its headers says how', async () => {
    const rows = (header: string) => [header, '05/11/2026,8Q2E9RTV30,10.00', '06/11/2026,8Q2E9RTV31,20.00']
    const english = rows('Date,Reference,Amount')
    assert.match(await reasonOf(english), /^file_unreadable: Day and month .+ Choose their order/)
    const daysOf = async (...given: Parameters<typeof read>) =>
      (await read(...given)).statement.lines.map(({ bookedOn }) => bookedOn)
    assert.deepEqual(await daysOf(english, { columns: {}, dates: 'mdy' }), ['2026-05-11', '2026-06-11'])
    assert.deepEqual(await daysOf(rows('Date,Libellé,Montant')), ['2026-11-05', '2026-11-06'])
  })

  test('with unsigned amounts has their direction from the column of signs, and a sign that is not known is not guessed', async () => {
    const { statement } = await read(
      [
        'Datum;Af Bij;Bedrag (EUR);Mededelingen',
        '30-11-2026;Bij;5,00;one',
        '30-11-2026;Af;6,00;two',
        '30-11-2026;-;7,00;three',
        '30-11-2026;Lastschrift;8,00;four',
        '30-11-2026;Gutschrift;9,00;five',
        '30-11-2026;?;10,00;six',
      ],
      { columns: { amount: 'Bedrag (EUR)', sign: 'Af Bij', purpose: 'Mededelingen' } },
    )
    assert.deepEqual([statement.lines.map(({ purpose }) => purpose), statement.others], [['one', 'five'], 3])
    assert.deepEqual(statement.unreadable, [{ position: 7, problem: 'The line has an unknown sign: ?.' }])
  })

  test('has at most 10,000 lines', async () => {
    const rowsWith = (lines: number) => ['Datum;Betrag', ...Array<string>(lines).fill('30.11.2026;5,00')]
    assert.equal((await read(rowsWith(10_000))).statement.lines.length, 10_000)
    assert.match(await reasonOf(rowsWith(10_001)), /^\w+: The file has more than 10000 lines/)
  })

  test('without recognizable columns, or with a quote that is never closed, is refused', async () => {
    assert.match(await reasonOf(['a;b', '1;2']), /^file_unreadable: No row names a date and an amount/)
    assert.match(await reasonOf(['Date;Amount', '"1;2']), /^file_unreadable: Line 2/)
    assert.match(await reasonOf(['Date;Amount', '1.1.2026;1.234']), /decimal mark/)
  })
})
