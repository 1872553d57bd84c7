import type { OperatorShippingZone } from '@vitrine/contract/operator'
import { translate } from '../../language.ts'
import { formatDecimal, parseAmount } from '../../ui/form/amount-input.ts'
import { FieldError } from '../../ui/form/field-error.ts'

export type Zone = OperatorShippingZone
type Method = Zone['methods'][number]
type Basis = Method['basis']

/** A price that applies from a weight or a subtotal, as typed. Without a price, the method is not offered from there. */
export interface RateDraft {
  readonly currency: string
  readonly from: string
  readonly price: string
}

export interface MethodDraft extends Omit<Method, 'minDays' | 'maxDays' | 'rates'> {
  readonly minDays: string
  readonly maxDays: string
  readonly rates: readonly RateDraft[]
}

export interface ZoneDraft extends Omit<Zone, 'places' | 'methods'> {
  /** `DE`, `US-CA`, or `*` for the rest of the world. */
  readonly places: readonly string[]
  readonly methods: readonly MethodDraft[]
}

export const WORLD = '*'

/** The zones as they are edited. */
export function draftOf(zones: readonly Zone[]): ZoneDraft[] {
  return zones.map((zone) => ({
    ...zone,
    places: zone.places.map(({ country, region }) => (region === undefined ? country : `${country}-${region}`)),
    methods: zone.methods.map((method) => ({
      ...method,
      minDays: String(method.minDays),
      maxDays: String(method.maxDays),
      rates: ratesAsTyped(method),
    })),
  }))
}

function ratesAsTyped({ basis, rates }: Method): RateDraft[] {
  const limit = (value: number, currency: string) =>
    basis === 'weight' ? String(value) : formatDecimal(value, currency)
  return currenciesOf(rates).flatMap((currency) => {
    const steps = rates.filter((each) => each.currency === currency)
    return steps.flatMap(({ from, upTo, amount }, index) => {
      const hasEnd = upTo !== null && upTo !== steps[index + 1]?.from
      return [
        { currency, from: limit(from, currency), price: formatDecimal(amount, currency) },
        ...(hasEnd ? [{ currency, from: limit(upTo, currency), price: '' }] : []),
      ]
    })
  })
}

/** The zones of a draft. Throws a `FieldError` for a value that cannot be read. */
export function zonesOf(draft: readonly ZoneDraft[]): Zone[] {
  return draft.map((zone, at) => ({
    ...zone,
    name: zone.name.trim(),
    places: zone.places.map(placeOf),
    methods: zone.methods.map((method, index) => readMethod(method, `/zones/${at}/methods/${index}`)),
  }))
}

function placeOf(code: string): Zone['places'][number] {
  const [country = '', ...region] = code.split('-')
  return { country, ...(region.length > 0 && { region: region.join('-') }) }
}

function readMethod({ minDays, maxDays, rates, ...method }: MethodDraft, pointer: string): Method {
  const name = Object.fromEntries(Object.entries(method.name).filter(([, text]) => text.trim() !== ''))
  if (Object.keys(name).length === 0)
    throw new FieldError(`${pointer}/name`, translate('Enter a name for the shipping method.'))
  return {
    ...method,
    name,
    minDays: readWhole(minDays, `${pointer}/minDays`),
    maxDays: readWhole(maxDays, `${pointer}/maxDays`),
    rates: readRates(rates, method.basis, pointer),
  }
}

function readWhole(typed: string, pointer: string): number {
  if (!/^\s*\d{1,3}\s*$/.test(typed)) throw new FieldError(pointer, translate('Enter a number of days.'))
  return Number(typed)
}

/** Each rate applies up to the next one of its currency. */
function readRates(typed: readonly RateDraft[], basis: Basis, pointer: string): Method['rates'] {
  const read = typed.map(({ currency, from, price }, index) => {
    const at = `${pointer}/rates/${index}`
    const start = basis === 'weight' ? weightOf(from) : parseAmount(from, currency)
    const amount = price.trim() === '' ? null : parseAmount(price, currency)
    if (Number.isNaN(start))
      throw new FieldError(`${at}/from`, translate('Enter the limit from which the price applies, such as 0.'))
    if (Number.isNaN(amount)) throw new FieldError(`${at}/amount`, translate('Enter a price, such as 4.90.'))
    return { currency, from: start, amount }
  })
  return currenciesOf(read).flatMap((currency) => {
    const steps = read.filter((each) => each.currency === currency).toSorted((one, other) => one.from - other.from)
    return steps.flatMap(({ from, amount }, index) =>
      amount === null ? [] : [{ currency, from, upTo: steps[index + 1]?.from ?? null, amount }],
    )
  })
}

const weightOf = (typed: string) => (/^\s*\d+\s*$/.test(typed) ? Number(typed) : Number.NaN)
const currenciesOf = (steps: readonly { readonly currency: string }[]) => [
  ...new Set(steps.map(({ currency }) => currency)),
]

interface Market {
  readonly locales: readonly string[]
  readonly currencies: readonly string[]
}

const STANDARD = { en: 'Standard shipping' } as const
const METHOD_NAMES: Readonly<Record<string, string>> = {
  de: 'Standardversand',
  en: 'Standard shipping',
  es: 'Envío estándar',
  fr: 'Livraison standard',
  it: 'Spedizione standard',
  nl: 'Standaardverzending',
}

/** A new shipping method with one price in each currency of the store. */
export function newMethod(
  { locales, currencies }: Market,
  price: number,
  days: readonly [string, string],
): MethodDraft {
  return {
    name: Object.fromEntries(locales.map((locale) => [locale, METHOD_NAMES[locale.slice(0, 2)] ?? STANDARD.en])),
    basis: 'subtotal',
    minDays: days[0],
    maxDays: days[1],
    taxCategory: 'standard',
    rates: currencies.map((currency) => ({ currency, from: '0', price: formatDecimal(price, currency) })),
  }
}

/** A new zone with the places that are in no other zone: a place is in at most one zone of a store. */
export function newZone(
  draft: readonly ZoneDraft[],
  name: string,
  places: readonly string[],
  method: MethodDraft,
): ZoneDraft {
  const taken = new Set(draft.flatMap((zone) => zone.places))
  return { name, places: places.filter((place) => !taken.has(place)), methods: [method] }
}
