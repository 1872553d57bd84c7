import type { Both } from './facts.ts'

/** A rate of the tables. Decimals are text, as the pricing reads them. */
export interface DemoTaxRate {
  readonly country: string
  readonly region: string | null
  readonly category: TaxCategory
  readonly code: string
  readonly name: Both
  readonly rate: string
}

const CATEGORIES = ['standard', 'books', 'coffee_tea', 'confectionery', 'digital', 'shipping', 'vouchers'] as const
export type TaxCategory = (typeof CATEGORIES)[number]

/**
 * Value added tax. Vouchers for anything are taxed when they are spent. Roasted coffee and tea are reduced in Germany,
 * France and the Netherlands, zero-rated in Britain, and at the full rate in Austria; confectionery is reduced in
 * Germany, Austria and the Netherlands alone.
 */
const VAT: Readonly<
  Record<
    string,
    { readonly standard: string; readonly books: string; readonly coffee_tea: string; readonly confectionery: string }
  >
> = {
  DE: { standard: '0.19', books: '0.07', coffee_tea: '0.07', confectionery: '0.07' },
  AT: { standard: '0.2', books: '0.1', coffee_tea: '0.2', confectionery: '0.1' },
  FR: { standard: '0.2', books: '0.055', coffee_tea: '0.055', confectionery: '0.2' },
  NL: { standard: '0.21', books: '0.09', coffee_tea: '0.09', confectionery: '0.09' },
  GB: { standard: '0.2', books: '0', coffee_tea: '0', confectionery: '0.2' },
}

/** Sales tax of the states, without those of counties and cities. */
const SALES_TAX: Readonly<Record<string, string>> = {
  AL: '0.04',
  AK: '0',
  AZ: '0.056',
  AR: '0.065',
  CA: '0.0725',
  CO: '0.029',
  CT: '0.0635',
  DC: '0.06',
  DE: '0',
  FL: '0.06',
  GA: '0.04',
  HI: '0.04',
  IA: '0.06',
  ID: '0.06',
  IL: '0.0625',
  IN: '0.07',
  KS: '0.065',
  KY: '0.06',
  LA: '0.05',
  MA: '0.0625',
  MD: '0.06',
  ME: '0.055',
  MI: '0.06',
  MN: '0.06875',
  MO: '0.04225',
  MS: '0.07',
  MT: '0',
  NC: '0.0475',
  ND: '0.05',
  NE: '0.055',
  NH: '0',
  NJ: '0.06625',
  NM: '0.04875',
  NV: '0.0685',
  NY: '0.04',
  OH: '0.0575',
  OK: '0.045',
  OR: '0',
  PA: '0.06',
  RI: '0.07',
  SC: '0.06',
  SD: '0.042',
  TN: '0.07',
  TX: '0.0625',
  UT: '0.0485',
  VA: '0.053',
  VT: '0.06',
  WA: '0.065',
  WI: '0.05',
  WV: '0.06',
  WY: '0.04',
}

/** States that tax groceries, such as coffee and tea. */
const GROCERY_TAX: Readonly<Record<string, string>> = {
  AL: '0.02',
  HI: '0.04',
  ID: '0.06',
  MO: '0.01225',
  MS: '0.05',
  SD: '0.042',
  TN: '0.04',
  UT: '0.0175',
  VA: '0.01',
}

const words = (text: string) => new Set(text.split(' '))
/** States that do not count sweets as groceries. */
const CANDY_TAXED = words('CO CT FL IA IL IN KS KY MD ME MN NC ND NJ NY RI TX WI')
const DOWNLOADS_TAXED = words('AL AZ CO DC HI IA ID IN KY LA MD ME MN MS NC NE NJ NM OH PA RI SD TN TX UT VT WA WI WY')
const POSTAGE_TAXED = words('AR CT DC GA HI IN KS KY MI MN MS NC ND NE NJ NM NY OH PA RI SC SD TN TX VT WA WI WV')

const VAT_NAME: Both = ['VAT', 'MwSt.']
const EXPORT_NAME: Both = ['Export, untaxed', 'Ausfuhr, steuerfrei']

function valueAddedTax(country: string): DemoTaxRate[] {
  const rates = VAT[country]!
  const of: Readonly<Record<TaxCategory, string>> = {
    ...rates,
    digital: rates.standard,
    shipping: rates.standard,
    vouchers: '0',
  }
  return CATEGORIES.map((category) => ({
    country,
    region: null,
    category,
    code: 'vat',
    name: VAT_NAME,
    rate: of[category],
  }))
}

function salesTax(state: string): DemoTaxRate[] {
  const rate = SALES_TAX[state]!
  const grocery = GROCERY_TAX[state] ?? '0'
  const of: Readonly<Record<TaxCategory, string>> = {
    standard: rate,
    books: rate,
    coffee_tea: grocery,
    confectionery: CANDY_TAXED.has(state) ? rate : grocery,
    digital: DOWNLOADS_TAXED.has(state) ? rate : '0',
    shipping: POSTAGE_TAXED.has(state) ? rate : '0',
    vouchers: '0',
  }
  const name: Both = [`Sales tax ${state}`, `Verkaufssteuer ${state}`]
  return CATEGORIES.map((category) => ({
    country: 'US',
    region: state,
    category,
    code: 'state',
    name,
    rate: of[category],
  }))
}

function exported(country: string): DemoTaxRate[] {
  return CATEGORIES.map((category) => ({
    country,
    region: null,
    category,
    code: 'export',
    name: EXPORT_NAME,
    rate: '0',
  }))
}

const european = Object.keys(VAT).flatMap(valueAddedTax)

/** The tax table of each store. The European stores export to America; the American one collects there, state by state. */
export const taxRates: Readonly<Record<string, readonly DemoTaxRate[]>> = {
  havelton: [...european, ...exported('US')],
  saumpfad: [...european, ...exported('US')],
  'quire-and-crema': [...european, ...Object.keys(SALES_TAX).flatMap(salesTax)],
}
