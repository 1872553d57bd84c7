import { localizedText } from '../promotions/index.ts'
import type { ShippingMethod, ShippingOption, ShippingRate, ShippingZone } from './types.ts'

/** A shipment of one store and its destination. */
interface ShippingQuery {
  readonly storeId: string
  readonly country: string
  readonly region: string | null
  readonly currency: string
  readonly locale: string
  /** The store's items after discounts, in minor units. */
  readonly subtotal: bigint
  readonly weightGrams: number
}

/** Shipping rates. As with tax, a network provider is queried before pricing starts. */
export interface ShippingRates {
  /** Cheapest first, then by id. Ids are stable. */
  optionsFor(query: ShippingQuery): readonly ShippingOption[]
}

/** Rates from the stores' own tables. */
export function tableShippingRates(zones: readonly ShippingZone[]): ShippingRates {
  return {
    optionsFor(query) {
      const methods = closestZone(zones, query)?.methods ?? []
      return methods.flatMap((method) => optionOf(method, query)).sort(byPrice)
    },
  }
}

/** The zone of the region, else of the country, else of the rest of the world. */
function closestZone(zones: readonly ShippingZone[], { storeId, country, region }: ShippingQuery) {
  const own = zones.filter((zone) => zone.storeId === storeId)
  const zoneOf = (wantedCountry: string, wantedRegion: string | null) =>
    own.find(({ places }) => places.some((at) => at.country === wantedCountry && at.region === wantedRegion))
  return (region !== null && zoneOf(country, region)) || zoneOf(country, null) || zoneOf('*', null)
}

/** The method as an option; empty if no rate covers the shipment. */
function optionOf(method: ShippingMethod, query: ShippingQuery): ShippingOption[] {
  const measure = method.basis === 'weight' ? BigInt(query.weightGrams) : query.subtotal
  const rate = method.rates.find((each) => each.currency === query.currency && covers(each, measure))
  if (!rate) return []
  const { methodId, name, minDays, maxDays, taxCategory } = method
  return [
    {
      id: methodId,
      storeId: query.storeId,
      name: localizedText(name, query.locale),
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
