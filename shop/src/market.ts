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

const CODES_BY_DIGITS = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}

/** The decimal digits of a currency in ISO 4217. Those of `Intl` differ: it shows HUF without digits, but its minor units have two. */
export function digitsOf(currency: string): number {
  return Number(Object.entries(CODES_BY_DIGITS).find(([, codes]) => codes.includes(currency))?.[0] ?? 2)
}

/**
 * The countries whose addresses need a postal code or a region. The service decides; this only lets a form with other empty fields name
 * all of them at once.
 */
const NEEDED = {
  postalCode: `
    AS AT AU AX BE BL BR CA CH CN CZ DE DK EE ES FI FK FM FR GB GF GG GL GP GR GS GU HU IM IN IO IT JE JP KR LI LT LU LV MF
    MH MP MQ MX MY NC NL NO NZ PF PL PM PN PR PT PW RE RO RU SE SG SH SJ SK SM TC TR TW UA UM US VI WF YT ZA`,
  region: 'AE AS AU BR CA CN CO CR ES FM HK ID IN IQ IT JM JP KR KY MH MP MX NR PF PG PW RU SO SV TW UM US VE',
}

export const requiredIn = (country: string) =>
  Object.entries(NEEDED).flatMap(([field, countries]) => (countries.split(/\s+/).includes(country) ? [field] : []))

/** Formats amounts and dates as people of a language write them. */
export function formatsOf(locale: string) {
  const moneyFormats = new Map<string, Intl.NumberFormat>()
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long' })
  // The visitor's time zone is not known here, so a time names its own.
  const time = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' })
  const region = new Intl.DisplayNames(locale, { type: 'region' })
  const decimal = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 })
  return {
    money({ amount, currency }: Money): string {
      const digits = digitsOf(currency)
      const exact = { minimumFractionDigits: digits, maximumFractionDigits: digits }
      const format =
        moneyFormats.get(currency) ?? new Intl.NumberFormat(locale, { style: 'currency', currency, ...exact })
      moneyFormats.set(currency, format)
      return format.format(amount / 10 ** digits)
    },
    date: (at: string) => date.format(new Date(at)),
    time: (at: string) => time.format(new Date(at)),
    country: (code: string) => region.of(code) ?? code,
    decimal: (value: number) => decimal.format(value),
  }
}

export type Formats = ReturnType<typeof formatsOf>
