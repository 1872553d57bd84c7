import type { OperatorShippingZone } from '@vitrine/contract/operator'
import { majorOf, minorOf } from '../../ui/form/amount-input.ts'
import { FieldFault } from '../../ui/form/field-error.ts'
import { countryName } from '../../ui/format/display-names.ts'

export type Zone = OperatorShippingZone
export type Method = Zone['methods'][number]
type Step = Method['rates'][number]
type Basis = Method['basis']

/** Not offered from there on. */
const NONE = '–'
const LINE = /^([a-z]{3})\s+(\S+)\s+(\S+)$/i

/** Steps as one types them, one a line: currency, from where on, what it costs. A step ends where the next one begins. */
export function linesOf({ basis, rates }: Method): string {
  return currenciesOf(rates)
    .flatMap((currency) => {
      const steps = rates.filter((each) => each.currency === currency)
      const from = (value: number) => (basis === 'weight' ? String(value) : majorOf(value, currency))
      return steps.flatMap((step, index) => {
        const isOpen = step.upTo !== null && step.upTo !== steps[index + 1]?.from
        const end = isOpen && step.upTo !== null ? [`${currency} ${from(step.upTo)} ${NONE}`] : []
        return [`${currency} ${from(step.from)} ${majorOf(step.amount, currency)}`, ...end]
      })
    })
    .join('\n')
}

/** The steps that somebody typed. A line that says none is a fault of the field. */
export function stepsIn(typed: string, basis: Basis): Step[] {
  const lines = typed
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [readLine(line.trim(), index + 1, basis)]))
  return currenciesOf(lines).flatMap((currency) => {
    const steps = lines.filter((each) => each.currency === currency).toSorted((one, other) => one.from - other.from)
    return steps.flatMap(({ from, amount }, index) =>
      amount === null ? [] : [{ currency, from, upTo: steps[index + 1]?.from ?? null, amount }],
    )
  })
}

function readLine(line: string, number: number, basis: Basis) {
  const [, code = '', begins = '', costs = ''] = LINE.exec(line) ?? []
  if (code === '') throw new FieldFault('/rates', `Line ${number} should read like “EUR 0 4.90”.`)
  const currency = code.toUpperCase()
  const from = basis === 'weight' ? wholeOf(begins) : minorOf(begins, currency)
  const amount = costs === NONE || costs === '-' ? null : minorOf(costs, currency)
  if (Number.isNaN(from) || Number.isNaN(amount))
    throw new FieldFault('/rates', `Line ${number} should read like “${currency} 0 4.90”.`)
  return { currency, from, amount }
}

const wholeOf = (typed: string) => (/^\d+$/.test(typed) ? Number(typed) : Number.NaN)
const currenciesOf = (steps: readonly { readonly currency: string }[]) => [
  ...new Set(steps.map(({ currency }) => currency)),
]

/** A zone's places as one types them: `DE, US-CA, *`. */
export const placesText = ({ places }: Zone) =>
  places.map(({ country, region }) => (region === undefined ? country : `${country}-${region}`)).join(', ')

/** The same to be read: by names, and with the rest of the world where it stands for that. */
export function placesInWords({ places }: Zone): string {
  const names = places.map(({ country, region }) => {
    const name = country === '*' ? 'the rest of the world' : countryName(country)
    return region === undefined ? name : `${name} (${region})`
  })
  return names.join(', ')
}

export function placesIn(typed: string): Zone['places'] {
  const words = typed.split(',').map((word) => word.trim())
  return words.filter(Boolean).map((word) => {
    const [country = '', ...region] = word.split('-')
    return { country: country.toUpperCase(), ...(region.length > 0 && { region: region.join('-') }) }
  })
}
