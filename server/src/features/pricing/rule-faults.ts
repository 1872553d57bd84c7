import type { PostalRange, ShippingMethod, ShippingRate, ShippingZone, TaxRate } from './types.ts'

/** An invalid entry of a tax or shipping table. `pointer`: a JSON pointer into the table. */
export interface RuleFault {
  readonly pointer: string
  readonly message: string
}

/** Faults of a tax table: duplicate codes for one place and category, and postal codes that overlap or are out of order. */
export function taxRateFaults(rates: readonly RateOfPlace[]): readonly RuleFault[] {
  return rates.flatMap((rate, index) =>
    faultOfTaxRate(rate, rates.slice(0, index)).map((fault) => below(`/${index}`, fault)),
  )
}

type RateOfPlace = Pick<TaxRate, 'country' | 'region' | 'category' | 'code' | 'postalCodes'>

function faultOfTaxRate(rate: RateOfPlace, earlier: readonly RateOfPlace[]): readonly RuleFault[] {
  const { postalCodes } = rate
  if (postalCodes && (postalCodes.from.length !== postalCodes.to.length || postalCodes.to < postalCodes.from))
    return [{ pointer: '/postalCodes/to', message: 'Must be as long as from, and not before it.' }]
  const name = ({ country, region, category, code }: RateOfPlace) => [country, region, category, code].join('\n')
  const alike = earlier.filter((other) => name(other) === name(rate))
  if (!postalCodes && alike.some((other) => !other.postalCodes))
    return [{ pointer: '/code', message: 'Duplicate code for this place and category.' }]
  if (postalCodes && alike.some((other) => other.postalCodes && overlap(postalCodes, other.postalCodes)))
    return [{ pointer: '/postalCodes', message: 'Overlaps another range of this code.' }]
  return []
}

/** Whether two ranges overlap, compared up to the length of the shorter codes: 35 overlaps 35001. */
function overlap(one: PostalRange, other: PostalRange): boolean {
  const length = Math.min(one.from.length, other.from.length)
  return (
    one.from.slice(0, length) <= other.to.slice(0, length) && other.from.slice(0, length) <= one.to.slice(0, length)
  )
}

/** Faults of a shipping table: duplicate places, wrong delivery days, overlapping rates. */
export function shippingZoneFaults(zones: readonly Omit<ShippingZone, 'storeId'>[]): readonly RuleFault[] {
  const places = zones.flatMap((zone, index) =>
    zone.places.map((place, at) => ({ ...place, pointer: `/${index}/places/${at}` })),
  )
  const repeated = duplicates(places.map(({ country, region }) => `${country}\n${region ?? ''}`))
  return [
    ...repeated.map((index) => ({ pointer: places[index]!.pointer, message: 'This place is already in a zone.' })),
    ...places
      .filter(({ country, region }) => country === '*' && region !== null)
      .map(({ pointer }) => ({ pointer: `${pointer}/region`, message: 'The rest of the world cannot have a region.' })),
    ...zones.flatMap(({ methods }, zone) =>
      methods.flatMap((method, at) => faultsOfMethod(method).map((fault) => below(`/${zone}/methods/${at}`, fault))),
    ),
  ]
}

function faultsOfMethod({ minDays, maxDays, rates }: ShippingMethod): readonly RuleFault[] {
  return [
    ...(maxDays < minDays ? [{ pointer: '/maxDays', message: 'Must not be less than minDays.' }] : []),
    ...rates.flatMap((rate, index) => {
      const fault = faultOfRate(rate, rates.slice(0, index))
      return fault ? [below(`/rates/${index}`, fault)] : []
    }),
  ]
}

function faultOfRate(rate: ShippingRate, earlier: readonly ShippingRate[]): RuleFault | null {
  if (rate.upTo !== null && rate.upTo <= rate.from) return { pointer: '/upTo', message: 'Must be greater than from.' }
  const overlaps = earlier.some((other) => {
    const isApart = endsBy(other, rate.from) || endsBy(rate, other.from)
    return other.currency === rate.currency && !isApart
  })
  return overlaps ? { pointer: '/from', message: 'Overlaps another rate of this currency.' } : null
}

const endsBy = ({ upTo }: ShippingRate, value: bigint) => upTo !== null && upTo <= value

const below = (path: string, { pointer, message }: RuleFault): RuleFault => ({ pointer: path + pointer, message })

/** Indexes of names that occur earlier in the list. */
function duplicates(names: readonly string[]): readonly number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
}
