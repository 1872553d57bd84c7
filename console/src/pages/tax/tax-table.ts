import type { OperatorTaxRate } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { FieldError } from '../../ui/form/field-error.ts'
import { formatPercent, parsePercent } from '../../ui/form/percent.ts'
import { EU_VAT } from './eu-vat.ts'
import { US_SALES_TAX } from './us-sales-tax.ts'

/** A tax of a destination. */
export type Destination = Omit<OperatorTaxRate, 'category' | 'rate'>

/** A row of the table: a tax of a destination, with its rate in percent for each tax category, as typed. */
export interface TaxRow extends Destination {
  readonly cells: Readonly<Record<string, string>>
}

export interface TaxTable {
  readonly categories: readonly string[]
  readonly rows: readonly TaxRow[]
}

const DEFAULT_CATEGORY = 'standard'

/** The rates as a table: a row for each destination and tax, a column for each tax category. */
export function tableOf(rates: readonly OperatorTaxRate[]): TaxTable {
  const rows = new Map<string, TaxRow>()
  for (const { category, rate, ...destination } of rates) {
    const key = `${keyOf(destination)} ${JSON.stringify(destination.name)}`
    const row = rows.get(key) ?? { ...destination, cells: {} }
    rows.set(key, { ...row, cells: { ...row.cells, [category]: formatPercent(rate) } })
  }
  const categories = new Set([DEFAULT_CATEGORY, ...rates.map(({ category }) => category)])
  return { categories: [...categories], rows: [...rows.values()] }
}

/** The rates of a table. Throws a `FieldError` for an invalid percentage, and for a destination without any: it would not be saved. */
export function ratesOf(table: TaxTable): OperatorTaxRate[] {
  const empty = table.rows.findIndex((row) => cellsOf({ ...table, rows: [row] }).length === 0)
  if (empty >= 0) {
    throw new FieldError(
      `/rows/${empty}`,
      translate('Enter a rate for each destination, 0 where no tax is due, or remove the destination.'),
    )
  }
  return cellsOf(table).map(({ row: { cells: _, ...destination }, category, typed }, index) => ({
    ...destination,
    category,
    rate: parsePercent(typed, `/rates/${index}/rate`),
  }))
}

/** The errors of the cells, keyed by row and category: `0/standard`. An error of a destination is shown at its first cell. */
export function cellErrorsOf(table: TaxTable, errors: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const cells = cellsOf(table)
  return new Map(
    [...errors].flatMap(([pointer, message]) => {
      const row = /^\/rows\/(\d+)$/.exec(pointer)?.[1]
      if (row !== undefined) return [[`${row}/${table.categories[0]}`, message] as const]
      const cell = cells[Number(/^\/rates\/(\d+)/.exec(pointer)?.[1])]
      return cell ? [[`${table.rows.indexOf(cell.row)}/${cell.category}`, message] as const] : []
    }),
  )
}

/** The filled cells, in the order of the rates. */
function cellsOf({ rows, categories }: TaxTable) {
  return rows.flatMap((row) =>
    categories.flatMap((category) => {
      const typed = (row.cells[category] ?? '').trim()
      return typed === '' ? [] : [{ row, category, typed }]
    }),
  )
}

/** The key that identifies a row of a table. */
export const keyOf = ({ country, region, postalCodes, code }: Destination) =>
  [country, region ?? '', postalCodes?.from ?? '', code].join(' ')

/** The word for VAT on invoices and at checkout. */
const VAT_NAMES: Readonly<Record<string, string>> = {
  de: 'MwSt.',
  es: 'IVA',
  fr: 'TVA',
  it: 'IVA',
  nl: 'btw',
  pl: 'VAT',
  pt: 'IVA',
}

/** The VAT of member states of the EU: the standard rate, and the lowest reduced one. */
export function euVat(countries: readonly string[], locales: readonly string[]): TaxRow[] {
  const name = Object.fromEntries(locales.map((locale) => [locale, VAT_NAMES[locale.slice(0, 2)] ?? 'VAT']))
  return countries.flatMap((country) => {
    const rates = EU_VAT.rates[country]
    if (!rates) return []
    // Without a reduced rate, the standard rate applies.
    const cells = { standard: String(rates.standard), reduced: String(rates.reduced[0] ?? rates.standard) }
    return [{ country, code: 'vat', name, cells }]
  })
}

/** In English for every language, because it is a US tax. */
const SALES_TAX = { en: 'Sales tax' } as const

/** The sales tax of every state: its base rate where the seller collects it, 0 elsewhere, so that carts can be bought there. */
export function usSalesTax(collecting: readonly string[], locales: readonly string[]): TaxRow[] {
  const name = Object.fromEntries(locales.map((locale) => [locale, SALES_TAX.en]))
  return Object.entries(US_SALES_TAX.rates).map(([region, [, rate]]) => {
    const cells = { standard: collecting.includes(region) ? String(rate) : '0' }
    return { country: 'US', region, code: 'sales_tax', name, cells }
  })
}

/** A cell that a preset sets. */
export interface TaxChange {
  readonly row: TaxRow
  readonly category: string
  /** Empty if the cell has no rate yet. */
  readonly before: string
  readonly after: string
}

/** The changes of a preset to a table. Other rows, columns and names stay. */
export function changesOf({ rows }: TaxTable, preset: readonly TaxRow[]): TaxChange[] {
  return preset.flatMap((row) => {
    const current = rows.find((each) => keyOf(each) === keyOf(row))
    return Object.entries(row.cells).flatMap(([category, after]) => {
      const before = current?.cells[category] ?? ''
      return before === after ? [] : [{ row, category, before, after }]
    })
  })
}

/** The table with a preset applied. */
export function withPreset(table: TaxTable, preset: readonly TaxRow[]): TaxTable {
  const added = preset.filter((row) => !table.rows.some((each) => keyOf(each) === keyOf(row)))
  const rows = table.rows.map((row) => {
    const set = preset.find((each) => keyOf(each) === keyOf(row))
    return set ? { ...row, cells: { ...row.cells, ...set.cells } } : row
  })
  const categories = new Set([...table.categories, ...preset.flatMap(({ cells }) => Object.keys(cells))])
  return { categories: [...categories], rows: [...rows, ...added] }
}
