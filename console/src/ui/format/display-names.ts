import { locale } from '../../language.ts'

const languages = new Intl.DisplayNames(locale, { type: 'language', fallback: 'code' })
const currencies = new Intl.DisplayNames(locale, { type: 'currency', fallback: 'code' })
const countries = new Intl.DisplayNames(locale, { type: 'region', fallback: 'code' })

/** The name of a language in the browser's language, by its tag. */
export function languageName(tag: string): string {
  return nameIn(languages, tag)
}

/** The name of a country in the browser's language, by its two-letter code. */
export function countryName(code: string): string {
  return nameIn(countries, code)
}

/** The name of a currency in the browser's language, by its three-letter code. */
export function currencyName(code: string): string {
  return nameIn(currencies, code)
}

/** An invalid code is shown as it is. */
function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}
