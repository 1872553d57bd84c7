import type { ShippingMethod, ShippingRate, ShippingZone, TaxRate } from './types.ts'

/** What a table of rules cannot say: where, as a JSON pointer into the table, and why. */
export interface RuleFault {
  readonly pointer: string
  readonly message: string
}

/** What is wrong with a tax table: two rates of one name for the same goods in the same place. */
export function faultsOfTaxRates(rates: readonly Pick<TaxRate, 'country' | 'region' | 'category' | 'code'>[]) {
  const named = rates.map(({ country, region, category, code }) => [country, region, category, code].join('\n'))
  const message = 'There is a rate of this code for this place and category above.'
  return repeated(named).map((index): RuleFault => ({ pointer: `/${index}/code`, message }))
}

/** What is wrong with a shipping table: places that are in doubt, days the wrong way round, steps that overlap. */
export function faultsOfShippingZones(zones: readonly Omit<ShippingZone, 'storeId'>[]): readonly RuleFault[] {
  const places = zones.flatMap((zone, index) =>
    zone.places.map((place, at) => ({ ...place, pointer: `/${index}/places/${at}` })),
  )
  const again = repeated(places.map(({ country, region }) => `${country}\n${region ?? ''}`))
  return [
    ...again.map((index) => ({ pointer: places[index]!.pointer, message: 'This place belongs to a zone already.' })),
    ...places
      .filter(({ country, region }) => country === '*' && region !== null)
      .map(({ pointer }) => ({ pointer: `${pointer}/region`, message: 'The rest of the world has no regions.' })),
    ...zones.flatMap(({ methods }, zone) =>
      methods.flatMap((method, at) => faultsOfMethod(method).map((fault) => below(`/${zone}/methods/${at}`, fault))),
    ),
  ]
}

function faultsOfMethod({ minDays, maxDays, rates }: ShippingMethod): readonly RuleFault[] {
  return [
    ...(maxDays < minDays
      ? [{ pointer: '/maxDays', message: 'It cannot arrive at the latest before it may arrive.' }]
      : []),
    ...rates.flatMap((rate, index) => {
      const fault = faultOfStep(rate, rates.slice(0, index))
      return fault ? [below(`/rates/${index}`, fault)] : []
    }),
  ]
}

function faultOfStep(step: ShippingRate, earlier: readonly ShippingRate[]): RuleFault | null {
  if (step.upTo !== null && step.upTo <= step.from) return { pointer: '/upTo', message: 'It ends before it begins.' }
  const overlaps = earlier.some((other) => {
    const isApart = endsBy(other, step.from) || endsBy(step, other.from)
    return other.currency === step.currency && !isApart
  })
  return overlaps ? { pointer: '/from', message: 'It overlaps a step of this currency above.' } : null
}

const endsBy = ({ upTo }: ShippingRate, value: bigint) => upTo !== null && upTo <= value

const below = (path: string, { pointer, message }: RuleFault): RuleFault => ({ pointer: path + pointer, message })

/** The places of those that stood there before. */
function repeated(names: readonly string[]): readonly number[] {
  return names.flatMap((name, index) => (names.indexOf(name) < index ? [index] : []))
}
