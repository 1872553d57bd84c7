import { type ShopperTexts, textsIn } from '../../kernel/languages/texts.ts'
import { type Rational, rationalOf, sum, taxFromGross, taxFromNet } from '../../kernel/money.ts'
import { isInUnion } from '../../kernel/vat/european-union.ts'
import { localizedText } from '../promotions/index.ts'
import type { PostalRange, PricingInput, ShippingPlace, TaxExemption, TaxLine, TaxRate } from './types.ts'

/** A tax category of a store and a destination. */
interface TaxQuery {
  readonly storeId: string
  readonly country: string
  readonly region: string | null
  readonly postalCode: string | null
  readonly category: string
}

/**
 * Tax rates by destination and category. Returns rates, not amounts, so that rounding stays in one place. A tax provider, which
 * calculates a whole cart, takes precedence: `tax-provider/`.
 */
interface TaxCalculator {
  /** Empty: unknown. A rate of `'0'`: known to be untaxed. */
  ratesFor(query: TaxQuery): readonly TaxRate[]
  /** Whether rates differ by region or postal code within the country, so that tax is unknown without them. */
  dependsOn(query: Pick<TaxQuery, 'storeId' | 'country' | 'category'>): {
    readonly region: boolean
    readonly postalCode: boolean
  }
}

/**
 * Rates from the stores' own tables. All matching rows of the country and of the region apply. A row with postal codes replaces the
 * rows with the same code and no postal codes.
 */
export function tableTaxCalculator(rates: readonly TaxRate[]): TaxCalculator {
  const of = ({ storeId, country, category }: Pick<TaxQuery, 'storeId' | 'country' | 'category'>) =>
    rates.filter((rate) => rate.storeId === storeId && rate.country === country && rate.category === category)
  return {
    ratesFor(query) {
      const matching = of(query).filter(
        ({ region, postalCodes }) =>
          (region === null || region === query.region) && (!postalCodes || isWithin(query.postalCode, postalCodes)),
      )
      const replaced = new Set(matching.filter(({ postalCodes }) => postalCodes).map(({ code }) => code))
      return matching.filter(({ code, postalCodes }) => postalCodes || !replaced.has(code))
    },
    dependsOn(query) {
      const own = of(query)
      return {
        region: own.some(({ region }) => region !== null),
        postalCode: own.some(({ postalCodes }) => postalCodes),
      }
    },
  }
}

/** Whether a postal code is in a range, compared up to the length of the range's ends: 90001-1234 is in 90001 to 90089. */
function isWithin(postalCode: string | null, { from, to }: PostalRange): boolean {
  if (postalCode === null) return false
  const code = compactPostalCode(postalCode)
  return code.length >= from.length && code.slice(0, from.length) >= from && code.slice(0, to.length) <= to
}

/** Remove spaces and hyphens, and convert to uppercase. */
export function compactPostalCode(postalCode: string): string {
  return postalCode.replace(/[\s-]/g, '').toUpperCase()
}

/** A store's tax liability at a destination: the place whose rates apply, or the reason that none do. */
interface Liability {
  readonly place: ShippingPlace
  readonly exemption: 'member_state' | 'small_business' | null
  /** Whether goods leave the Union. They are an export unless tax of the destination is charged. */
  readonly isExport: boolean
}

/**
 * Decide where a store owes tax. A business buyer in another member state owes the tax itself. A small business charges none. Below
 * the threshold, consumers in other member states pay the rates of the seller's country.
 *
 * @see docs/reference/rules.md#tax
 */
function liabilityOf(
  {
    rules,
    vatCountry,
    ...input
  }: Pick<PricingInput, 'rules' | 'vatCountry' | 'destination' | 'country' | 'region' | 'postalCode'>,
  storeId: string,
): Liability {
  const place = input.destination ?? input
  const scheme = rules.taxSchemes?.find((each) => each.storeId === storeId)
  if (!scheme) return { place, exemption: null, isExport: false }
  const home = { country: scheme.country }
  if (scheme.kind === 'exempt') return { place: home, exemption: 'small_business', isExport: false }
  const isExport = isInUnion(home) && !isInUnion(place)
  const crossesBorder = place.country !== scheme.country && isInUnion(place) && isInUnion(home)
  if (!crossesBorder) return { place, exemption: null, isExport }
  const isBusiness = vatCountry && vatCountry !== scheme.country && isInUnion({ country: vatCountry })
  if (isBusiness) return { place, exemption: 'member_state', isExport }
  return { place: scheme.kind === 'origin' ? home : place, exemption: null, isExport }
}

/** A taxable amount of a store's goods, services or shipping. */
export interface Taxable {
  readonly storeId: string
  readonly category: string
  readonly amount: bigint
  /** Whether it is goods, or the shipping of goods. */
  readonly isShipped: boolean
}

/** Computes the tax lines of an amount; `null` if no rate is known. */
export type Taxation = (taxable: Taxable) => readonly TaxLine[] | null

/** Look up rates once per store and category; round once per amount. @see docs/reference/rules.md#tax */
export function taxationFor(input: PricingInput, calculator: TaxCalculator): Taxation {
  const inclusive = new Map(input.stores.map((store) => [store.storeId, store.pricesIncludeTax]))
  const liabilities = new Map(input.stores.map(({ storeId }) => [storeId, liabilityOf(input, storeId)]))
  const answers = new Map<string, { rates: readonly TaxRate[]; rationals: readonly Rational[] }>()

  function ratesFor(storeId: string, category: string, { country, region = null, postalCode = null }: ShippingPlace) {
    const key = `${storeId} ${category}`
    const known = answers.get(key)
    if (known) return known
    const rates = calculator.ratesFor({ storeId, category, country, region, postalCode })
    const answer = { rates, rationals: rates.map(({ rate }) => rationalOf(rate)) }
    answers.set(key, answer)
    return answer
  }

  return ({ storeId, category, amount, isShipped }) => {
    const { place, exemption, isExport } = liabilities.get(storeId) ?? liabilityOf(input, storeId)
    const { country } = place
    const included = inclusive.get(storeId) === true
    const without = (reason: TaxExemption) => [
      untaxed(reason, { category, taxable: amount, included, country }, textsIn(input.locale).tax),
    ]
    if (exemption === 'small_business') return without(exemption)
    if (exemption) return without(isShipped ? 'intra_community_supply' : 'reverse_charge')
    const { rates, rationals } = ratesFor(storeId, category, place)
    if (rates.length === 0) return null
    if (isExport && isShipped && rationals.every(({ numerator }) => numerator === 0n)) return without('export')
    const taxes = included ? taxFromGross(amount, rationals) : taxFromNet(amount, rationals)
    const taxable = included ? amount - sum(taxes) : amount
    return rates.map(({ name, rate }, index) => {
      return {
        name: localizedText(name, input.locale),
        rate,
        category,
        taxable,
        amount: taxes[index]!,
        included,
        country,
      }
    })
  }
}

/** Build a tax line without tax. The price is the net amount, whether or not prices include tax. */
export function untaxed(
  exemption: TaxExemption,
  line: Pick<TaxLine, 'category' | 'taxable' | 'included' | 'country'>,
  texts: ShopperTexts['tax'],
): TaxLine {
  const { name, note } = texts[exemption]
  return { ...line, name, rate: '0', amount: 0n, exemption, note }
}

/**
 * Whether the tax is final: no address within the country could change it. Goods are taxed at the shipping address. If nothing is
 * shipped, the country is enough, unless its rates differ by region or postal code.
 */
export function isTaxFinal(input: PricingInput, calculator: TaxCalculator): boolean {
  const { destination, lines, providedTax } = input
  const place = destination ?? input
  const isEnough = lines.every(({ storeId, taxCategory: category }) => {
    if (providedTax?.isOf(storeId)) return destination
    const needs = calculator.dependsOn({ storeId, country: place.country, category })
    return (!needs.region || destination) && (!needs.postalCode || destination?.postalCode)
  })
  if (destination) return isEnough
  return lines.length > 0 && isEnough && !lines.some((line) => line.requiresShipping)
}

interface Taxed {
  readonly taxLines: readonly { readonly exemption?: unknown; readonly note?: string }[]
}

/** The notes for the invoice on parts of a purchase without tax. */
export function exemptionNotes(parts: readonly Taxed[]): readonly string[] {
  const exempt = parts.flatMap(({ taxLines }) => taxLines).filter(({ exemption }) => exemption !== undefined)
  return [...new Set(exempt.flatMap(({ note }) => note ?? []))]
}

/** The tax not included in the price. */
export function addedTax(lines: readonly TaxLine[]): bigint {
  return sum(lines.filter((line) => !line.included).map((line) => line.amount))
}
