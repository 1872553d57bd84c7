import { type Rational, rationalOf, sum, taxFromGross, taxFromNet } from '../../kernel/money.ts'
import { textFor } from '../promotions/index.ts'
import type { PricingInput, TaxLine, TaxRate } from './types.ts'

/** What a store sells to a place, for tax. */
export interface TaxQuestion {
  readonly storeId: string
  readonly country: string
  readonly region: string | null
  readonly category: string
}

/**
 * The port of tax: which rates a place asks for a category. It answers rates, not amounts, so that rounding stays in one
 * place. A provider over the network is asked before pricing begins, and its answers stand here as data.
 */
export interface TaxCalculator {
  /** Empty where nothing is known of that category there; a rate of `'0'` says that it is known and untaxed. */
  ratesFor(question: TaxQuestion): readonly TaxRate[]
}

/** The default: the stores' own table. Every row of the country, and of the region where it names one, applies. */
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
  }
}

/** Applies the rates to amounts: `lines` for what is known, `null` where no rate is. */
export type Taxation = (storeId: string, category: string, amount: bigint) => readonly TaxLine[] | null

/** Asks the port once for each store and category, and rounds once for each amount. @see CONTRACT, Money 2 */
export function taxationFor(input: PricingInput, calculator: TaxCalculator): Taxation {
  const place = input.shippingAddress ?? input
  const inclusive = new Map(input.stores.map((store) => [store.storeId, store.pricesIncludeTax]))
  const answers = new Map<string, { rates: readonly TaxRate[]; rationals: readonly Rational[] }>()

  function ratesFor(storeId: string, category: string) {
    const key = `${storeId} ${category}`
    const known = answers.get(key)
    if (known) return known
    const question = { storeId, category, country: place.country, region: place.region ?? null }
    const rates = calculator.ratesFor(question)
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
      return { name: textFor(name, input.locale), rate, category, taxable, amount: taxes[index]!, included }
    })
  }
}

/** The part of the tax that comes on top of the price. */
export function addedTax(lines: readonly TaxLine[]): bigint {
  return sum(lines.filter((line) => !line.included).map((line) => line.amount))
}
