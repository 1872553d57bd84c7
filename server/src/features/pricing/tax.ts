import { type Rational, rationalOf, sum, taxFromGross, taxFromNet } from '../../kernel/money.ts'
import { localizedText } from '../promotions/index.ts'
import type { PricingInput, TaxLine, TaxRate } from './types.ts'

/** A tax category of a store and a destination. */
export interface TaxQuery {
  readonly storeId: string
  readonly country: string
  readonly region: string | null
  readonly category: string
}

/**
 * Tax rates by destination and category. Returns rates, not amounts, so that rounding stays in one place. A network
 * provider is queried before pricing starts.
 */
export interface TaxCalculator {
  /** Empty: unknown. A rate of `'0'`: known to be untaxed. */
  ratesFor(query: TaxQuery): readonly TaxRate[]
  /** Whether rates differ within the country, so that tax is unknown without a region. */
  dependsOnRegion(query: Omit<TaxQuery, 'region'>): boolean
}

/** Rates from the stores' own tables. All matching rows of the country and of the region apply. */
export function tableTaxCalculator(rates: readonly TaxRate[]): TaxCalculator {
  return {
    ratesFor: ({ storeId, country, region, category }) =>
      rates.filter(
        (rate) =>
          rate.storeId === storeId &&
          rate.country === country &&
          rate.category === category &&
          (rate.region === null || rate.region === region),
      ),
    dependsOnRegion: ({ storeId, country, category }) =>
      rates.some(
        (rate) =>
          rate.region !== null && rate.storeId === storeId && rate.country === country && rate.category === category,
      ),
  }
}

/** Computes the tax lines of an amount; `null`: no rate known. */
export type Taxation = (storeId: string, category: string, amount: bigint) => readonly TaxLine[] | null

/** Look up rates once per store and category; round once per amount. @see docs/reference/rules.md#tax */
export function taxationFor(input: PricingInput, calculator: TaxCalculator): Taxation {
  const place = input.destination ?? input
  const inclusive = new Map(input.stores.map((store) => [store.storeId, store.pricesIncludeTax]))
  const answers = new Map<string, { rates: readonly TaxRate[]; rationals: readonly Rational[] }>()

  function ratesFor(storeId: string, category: string) {
    const key = `${storeId} ${category}`
    const known = answers.get(key)
    if (known) return known
    const query = { storeId, category, country: place.country, region: place.region ?? null }
    const rates = calculator.ratesFor(query)
    const answer = { rates, rationals: rates.map(({ rate }) => rationalOf(rate)) }
    answers.set(key, answer)
    return answer
  }

  return (storeId, category, amount) => {
    const { rates, rationals } = ratesFor(storeId, category)
    if (rates.length === 0) return null
    const included = inclusive.get(storeId) === true
    const taxes = included ? taxFromGross(amount, rationals) : taxFromNet(amount, rationals)
    const taxable = included ? amount - sum(taxes) : amount
    return rates.map(({ name, rate }, index) => {
      return { name: localizedText(name, input.locale), rate, category, taxable, amount: taxes[index]!, included }
    })
  }
}

/**
 * Whether no address could change the tax within its country. Goods are taxed where they are shipped to. Without shipping the
 * country is enough, unless its rates differ by region.
 */
export function isTaxFinal({ destination, country, lines }: PricingInput, calculator: TaxCalculator): boolean {
  if (destination) return true
  if (lines.length === 0 || lines.some((line) => line.requiresShipping)) return false
  return !lines.some(({ storeId, taxCategory: category }) => calculator.dependsOnRegion({ storeId, country, category }))
}

/** The tax not included in the price. */
export function addedTax(lines: readonly TaxLine[]): bigint {
  return sum(lines.filter((line) => !line.included).map((line) => line.amount))
}
