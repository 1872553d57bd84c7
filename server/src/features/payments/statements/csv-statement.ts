import { isCurrency } from '../../../kernel/currencies.ts'
import { type CellSeparator, csvRecords } from '../../../platform/line-files/csv-records.ts'
import type { TextLine } from '../../../platform/line-files/line-file.ts'
import { isIban } from '../bank-account.ts'
import { amountIn, type DateOrder, type DecimalMark, dateIn, dateOrderOf, decimalMarkOf } from './cells.ts'
import {
  refuseFile,
  STATEMENT_LINES_MAX,
  type Statement,
  type StatementLine,
  type UnreadableLine,
} from './statement.ts'

/** The roles of columns. Date and amount are required. */
export const COLUMN_ROLES = ['date', 'amount', 'purpose', 'payer', 'currency', 'account', 'bankId', 'sign'] as const
type ColumnRole = (typeof COLUMN_ROLES)[number]

/** How to read a CSV file: as the operator has chosen, else as guessed. */
interface CsvMapping {
  readonly columns: Readonly<Partial<Record<ColumnRole, string>>>
  readonly decimal: DecimalMark
  readonly dates: DateOrder
  /** The currency of lines without one. */
  readonly currency: string
}

type Columns = CsvMapping['columns']

/** The operator's choices for a file. An empty column name: the file has no such column. */
export type CsvHints = { readonly columns: CsvMapping['columns'] } & Partial<Omit<CsvMapping, 'columns'>>

/** A CSV file with its column headers and the mapping that it was read with. */
export interface CsvStatement {
  readonly statement: Statement
  readonly mapping: CsvMapping
  readonly headers: readonly string[]
}

/** The beginnings of German, English and French column headers, most specific first, in lowercase and without accents. */
const HEADERS: Readonly<Record<ColumnRole, readonly string[]>> = {
  date: [
    'buchungstag',
    'buchungsdatum',
    'booking date',
    'posting date',
    'completed date',
    'transaction date',
    'date op',
    'date de comptabilisation',
    'valuta',
    'wertstellung',
    'value date',
    'datum',
    'date',
    'buchung',
  ],
  amount: ['betrag', 'gutschrift', 'haben', 'umsatz', 'amount', 'credit', 'paid in', 'montant'],
  purpose: [
    'verwendungszweck',
    'zahlungsreferenz',
    'zahlungsgrund',
    'mitteilung',
    'payment reference',
    'remittance',
    'reference',
    'description',
    'libelle',
    'purpose',
    'memo',
    'details',
  ],
  payer: [
    'beguenstigter',
    'auftraggeber',
    'name zahlungsbeteiligter',
    'zahlungspflichtige',
    'partner name',
    'counterparty',
    'payer',
    'sender',
    'name',
  ],
  currency: ['waehrung', 'currency', 'devise', 'ccy'],
  account: ['iban auftragskonto', 'auftragskonto', 'eigene iban', 'own iban', 'account iban'],
  bankId: ['buchungsreferenz', 'transaction id', 'transaktions', 'bank reference', 'kundenreferenz', 'end-to-end'],
  sign: ['soll/haben', 's/h', 'debit/credit', 'credit/debit', 'kennzeichen'],
}

const HEADER_ROWS_MAX = 40

/**
 * Read the CSV file of a bank. Columns, decimal mark and date order are inferred unless they are given.
 *
 * Refusals: `file_unreadable`, with the reason.
 */
export async function readCsv(text: string, hints: CsvHints): Promise<CsvStatement> {
  const rows = await rowsOf(text)
  const head = rows.slice(0, HEADER_ROWS_MAX).findIndex(({ cells }) => isHeader(cells, hints))
  const headers = (rows[head]?.cells ?? rows[0]?.cells ?? []).map((cell) => cell.trim())
  if (head === -1) refuseFile('No row names a date and an amount. Choose the columns, or export another format.')
  const body = rows.slice(head + 1).filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  if (body.length > STATEMENT_LINES_MAX)
    refuseFile(`The file has more than ${STATEMENT_LINES_MAX} lines. Export a shorter period.`)

  const columns = columnsOf(headers, hints)
  const cellsOf = (role: ColumnRole) => body.map(({ cells }) => cellOf(role, cells, { headers, columns }))
  const decimal = hints.decimal ?? decimalMarkOf(cellsOf('amount'))
  if (decimal === null)
    refuseFile('Commas and points in the amounts contradict each other. Choose the decimal mark.', 'decimal')
  const dates = hints.dates ?? dateOrderOf(cellsOf('date')) ?? orderOfLanguage(columns)
  // Read in the wrong order, a line would be another payment, and be booked again from the next statement.
  if (dates === null) refuseFile('Day and month of the dates could be either way around. Choose their order.', 'dates')
  const named = /\b([A-Z]{3})\b/.exec(columns.amount ?? '')?.[1]
  const currency = hints.currency ?? (named !== undefined && isCurrency(named) ? named : 'EUR')
  const mapping = { columns, decimal, dates, currency }
  return { statement: statementOf(body, headers, mapping), mapping, headers }
}

/** The beginnings of the headers of date and amount that no English file has. In the other languages, days come first. */
const NOT_ENGLISH = /^(buchung|datum|valuta|wertstellung|date op|date de|betrag|gutschrift|haben|umsatz|montant)/

function orderOfLanguage({ date = '', amount = '' }: Columns): DateOrder | null {
  return [date, amount].some((header) => NOT_ENGLISH.test(plainOf(header))) ? 'dmy' : null
}

interface Row {
  readonly line: number
  readonly cells: readonly string[]
}

async function rowsOf(text: string): Promise<readonly Row[]> {
  const lines = text.split('\n')
  const rows: Row[] = []
  for await (const record of csvRecords(numbered(lines), separatorOf(lines))) {
    if ('problem' in record) refuseFile(`Line ${record.line}: ${record.problem}`)
    rows.push(record)
  }
  return rows
}

async function* numbered(lines: readonly string[]): AsyncGenerator<TextLine> {
  for (const [index, text] of lines.entries()) yield { line: index + 1, text }
}

/** The separator of the file: one that could separate cells in every line. */
function separatorOf(lines: readonly string[]): CellSeparator {
  const sample = lines.slice(0, HEADER_ROWS_MAX)
  const countOf = (separator: CellSeparator) =>
    sample.reduce((count, line) => count + line.replaceAll(/"[^"]*"/g, '').split(separator).length - 1, 0)
  const counts = ([';', '\t', ','] as const).map((separator) => ({ separator, count: countOf(separator) }))
  // Amounts contain commas, so the other separators are tried first.
  return counts.find(({ count }) => count >= sample.filter((line) => line.trim() !== '').length)?.separator ?? ','
}

function isHeader(cells: readonly string[], hints: CsvHints): boolean {
  const columns = columnsOf(
    cells.map((cell) => cell.trim()),
    hints,
  )
  return columns.date !== undefined && columns.amount !== undefined
}

/** The column of each role: as given, else the best match that has no other role. */
function columnsOf(headers: readonly string[], hints: CsvHints): CsvMapping['columns'] {
  const taken = new Set(Object.values(hints.columns))
  const found: Partial<Record<ColumnRole, string>> = {}
  for (const role of COLUMN_ROLES) {
    const given = hints.columns[role]
    const guessed = headers
      .filter((header) => !taken.has(header) && rankOf(role, header) !== -1)
      .toSorted((one, other) => rankOf(role, one) - rankOf(role, other))[0]
    const column = given === undefined ? guessed : headers.find((header) => header !== '' && header === given)
    if (column === undefined) continue
    found[role] = column
    taken.add(column)
  }
  return found
}

/** The rank of a header among the names of a role; -1 if it matches none. */
function rankOf(role: ColumnRole, header: string): number {
  const plain = plainOf(header)
  return HEADERS[role].findIndex((name) => plain.startsWith(name))
}

function plainOf(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[äöü]/g, (letter) => `${{ ä: 'a', ö: 'o', ü: 'u' }[letter]}e`)
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
}

/** The cell that marks a line as not booked yet. */
const PENDING = /^\s*((umsatz )?vorgemerkt( und nicht gebucht)?|vormerkung|pending|en attente)\s*$/i

/** Whether the bank marks a line as pending. The payer's own words do not count. */
function isPending(cells: readonly string[], headers: readonly string[], { payer, purpose, bankId }: Columns): boolean {
  const ofPayer = [payer, purpose, bankId]
  return cells.some((cell, at) => PENDING.test(cell) && !ofPayer.includes(headers[at] ?? ''))
}

/** The beginnings of signs in German, English, French and Dutch files. Without a sign, the amount has it. */
const INCOMING = /^($|\+|[hck]|gutschrift|eingang|bij$|in$)/i
const OUTGOING = /^([-−]|[sd]|lastschrift|belastung|ausgang|af$|out$)/i

function statementOf(body: readonly Row[], headers: readonly string[], mapping: CsvMapping): Statement {
  const lines: StatementLine[] = []
  const unreadable: UnreadableLine[] = []
  for (const row of body) {
    const line = lineOf(row, headers, mapping)
    if (line !== null && 'problem' in line) unreadable.push(line)
    else if (line !== null) lines.push(line)
  }
  return { lines, unreadable, others: body.length - lines.length - unreadable.length }
}

/** The incoming payment of a row; `null` if the row is anything else. */
function lineOf(
  { line: position, cells }: Row,
  headers: readonly string[],
  { columns, decimal, dates, currency: fallback }: CsvMapping,
): StatementLine | UnreadableLine | null {
  const read = (role: ColumnRole) => cellOf(role, cells, { headers, columns })
  const amountCell = read('amount')
  const dateCell = read('date')
  // A column of incoming amounts is empty for outgoing payments; totals below the table have no date.
  if (amountCell === '' || dateCell === '' || isPending(cells, headers, columns)) return null
  const bookedOn = dateIn(dateCell, dates)
  if (bookedOn === null) return { position, problem: `The line has no date: ${dateCell.slice(0, 90)}.` }
  const code = read('currency').toUpperCase()
  const currency = code || fallback
  const amount = isCurrency(currency) ? amountIn(amountCell, decimal, currency) : null
  if (amount === null) return { position, problem: `The line has no amount: ${`${amountCell} ${code}`.slice(0, 90)}.` }
  const sign = read('sign')
  if (amount <= 0n || OUTGOING.test(sign)) return null
  if (!INCOMING.test(sign)) return { position, problem: `The line has an unknown sign: ${sign.slice(0, 90)}.` }
  // Some banks have the account's name in this column.
  const iban = read('account').replaceAll(/\s/g, '').toUpperCase()
  const short = (role: 'payer' | 'purpose' | 'bankId') => read(role).slice(0, 500)
  const texts = { payer: short('payer'), purpose: short('purpose'), bankId: short('bankId') }
  return { position, account: isIban(iban) ? iban : null, bookedOn, amount, currency, ...texts }
}

/** The cell of a role, '' if the file has no column for it. */
function cellOf(
  role: ColumnRole,
  cells: readonly string[],
  { headers, columns }: { readonly headers: readonly string[]; readonly columns: Columns },
): string {
  const header = columns[role]
  return header === undefined ? '' : (cells[headers.indexOf(header)] ?? '').trim()
}
