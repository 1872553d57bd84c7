import { textFor } from '../promotions/index.ts'
import type { ShippingMethod, ShippingOption, ShippingRate, ShippingZone } from './types.ts'

/** A parcel of one store, and where it goes. */
export interface ShippingQuestion {
  readonly storeId: string
  readonly country: string
  readonly region: string | null
  readonly currency: string
  readonly locale: string
  /** The store's items after their discounts, in minor units. */
  readonly subtotal: bigint
  readonly weightGrams: number
}

/** The port of shipping. As with tax, a provider over the network is asked before pricing begins. */
export interface ShippingRates {
  /** The cheapest first; of equal ones the smaller id. Ids stay the same as long as the method does. */
  optionsFor(question: ShippingQuestion): readonly ShippingOption[]
}

/** The default: the stores' own zones, methods and rates. */
export function tableShippingRates(zones: readonly ShippingZone[]): ShippingRates {
  return {
    optionsFor(question) {
      const methods = closestZone(zones, question)?.methods ?? []
      return methods.flatMap((method) => optionOf(method, question)).sort(byPrice)
    },
  }
}

/** The zone that names the region, else the country, else the rest of the world. */
function closestZone(zones: readonly ShippingZone[], { storeId, country, region }: ShippingQuestion) {
  const own = zones.filter((zone) => zone.storeId === storeId)
  const naming = (wantedCountry: string, wantedRegion: string | null) =>
    own.find(({ places }) => places.some((at) => at.country === wantedCountry && at.region === wantedRegion))
  return (region !== null && naming(country, region)) || naming(country, null) || naming('*', null)
}

/** The method as an option, or nothing where no rate of it covers the parcel. */
function optionOf(method: ShippingMethod, question: ShippingQuestion): ShippingOption[] {
  const measure = method.basis === 'weight' ? BigInt(question.weightGrams) : question.subtotal
  const rate = method.rates.find((each) => each.currency === question.currency && covers(each, measure))
  if (!rate) return []
  const { methodId, name, minDays, maxDays, taxCategory } = method
  return [
    {
      id: methodId,
      storeId: question.storeId,
      name: textFor(name, question.locale),
      amount: rate.amount,
      minDays,
      maxDays,
      taxCategory,
    },
  ]
}

function covers({ from, upTo }: ShippingRate, measure: bigint): boolean {
  return measure >= from && (upTo === null || measure < upTo)
}

function byPrice(one: ShippingOption, other: ShippingOption): number {
  if (one.amount !== other.amount) return one.amount < other.amount ? -1 : 1
  return one.id < other.id ? -1 : 1
}
