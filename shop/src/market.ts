import type { Bootstrap, Money } from '@vitrine/sdk'

/** Language, currency and country of a visitor. */
export interface Market {
  readonly locale: string
  readonly currency: string
  readonly country: string
}

/** The visitor's currency and country, or the defaults if the service does not offer them. */
export function marketOf(
  chosen: Partial<Omit<Market, 'locale'>>,
  { currencies, countries, defaults }: Bootstrap,
): Omit<Market, 'locale'> {
  return {
    currency: currencies.find((each) => each === chosen.currency) ?? defaults.currency,
    country: countries.find((each) => each === chosen.country) ?? defaults.country,
  }
}

/** Formats amounts and dates as people of a language write them. */
export function formatsOf(locale: string) {
  const moneyFormats = new Map<string, Intl.NumberFormat>()
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' })
  const region = new Intl.DisplayNames(locale, { type: 'region' })
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return {
    money({ amount, currency }: Money): string {
      const format = moneyFormats.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency })
      moneyFormats.set(currency, format)
      return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
    },
    date: (at: string) => date.format(new Date(at)),
    time: (at: string) => time.format(new Date(at)),
    country: (code: string) => region.of(code) ?? code,
    decimal: (value: number) => decimal.format(value),
  }
}

export type Formats = ReturnType<typeof formatsOf>
