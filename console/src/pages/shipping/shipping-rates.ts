import type { OperatorShippingZone } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { FieldError } from '../../ui/form/field-error.ts'
import { countryName } from '../../ui/format/display-names.ts'

export type Zone = OperatorShippingZone
export type Method = Zone['methods'][number]
type Step = Method['rates'][number]
type Basis = Method['basis']

/** In place of a price: not offered. */
const NONE = '–'
const LINE = /^([a-z]{3})\s+(\S+)\s+(\S+)$/i

/** Formats rates, one per line: currency, minimum, price. A rate applies up to the minimum of the next one. */
export function formatRates({ basis, rates }: Method): string {
  return currenciesOf(rates)
    .flatMap((currency) => {
      const steps = rates.filter((each) => each.currency === currency)
      const from = (value: number) => (basis === 'weight' ? String(value) : formatDecimal(value, currency))
      return steps.flatMap((step, index) => {
        const isOpen = step.upTo !== null && step.upTo !== steps[index + 1]?.from
        const end = isOpen && step.upTo !== null ? [`${currency} ${from(step.upTo)} ${NONE}`] : []
        return [`${currency} ${from(step.from)} ${formatDecimal(step.amount, currency)}`, ...end]
      })
    })
    .join('\n')
}

/** Parses rates. An invalid line is an error of the field. */
export function parseRates(typed: string, basis: Basis): Step[] {
  const lines = typed
    .split('\n')
    .flatMap((line, index) => (line.trim() === '' ? [] : [parseRate(line.trim(), index + 1, basis)]))
  return currenciesOf(lines).flatMap((currency) => {
    const steps = lines.filter((each) => each.currency === currency).toSorted((one, other) => one.from - other.from)
    return steps.flatMap(({ from, amount }, index) =>
      amount === null ? [] : [{ currency, from, upTo: steps[index + 1]?.from ?? null, amount }],
    )
  })
}

function parseRate(line: string, number: number, basis: Basis) {
  const [, code = '', begins = '', costs = ''] = LINE.exec(line) ?? []
  if (code === '') throw new FieldError('/rates', translate('Line {number} should read like “EUR 0 4.90”.', { number }))
  const currency = code.toUpperCase()
  const from = basis === 'weight' ? parseInteger(begins) : parseAmount(begins, currency)
  const amount = costs === NONE || costs === '-' ? null : parseAmount(costs, currency)
  if (Number.isNaN(from) || Number.isNaN(amount))
    throw new FieldError(
      '/rates',
      translate('Line {number} should read like “{currency} 0 4.90”.', { number, currency }),
    )
  return { currency, from, amount }
}

const parseInteger = (typed: string) => (/^\d+$/.test(typed) ? Number(typed) : Number.NaN)
const currenciesOf = (steps: readonly { readonly currency: string }[]) => [
  ...new Set(steps.map(({ currency }) => currency)),
]

/** Formats the places of a zone for an input: `DE, US-CA, *`. */
export const formatPlaces = ({ places }: Zone) =>
  places.map(({ country, region }) => (region === undefined ? country : `${country}-${region}`)).join(', ')

/** Formats the places of a zone by their names. */
/** Parses the places of a zone. */
export function describePlaces({ places }: Zone): string {
  const names = places.map(({ country, region }) => {
    const name = country === '*' ? translate('rest of the world') : countryName(country)
    return region === undefined ? name : `${name} (${region})`
  })
  return names.join(', ')
}

/** Parses the places of a zone. */
export function parsePlaces(typed: string): Zone['places'] {
  const codes = typed.split(',').map((code) => code.trim())
  return codes.filter(Boolean).map((code) => {
    const [country = '', ...region] = code.split('-')
    return { country: country.toUpperCase(), ...(region.length > 0 && { region: region.join('-') }) }
  })
}
