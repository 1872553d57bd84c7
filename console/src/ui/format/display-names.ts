const languages = new Intl.DisplayNames(navigator.language, { type: 'language', fallback: 'code' })
const countries = new Intl.DisplayNames(navigator.language, { type: 'region', fallback: 'code' })

/** A language in the reader's own, by its tag. */
export function languageName(tag: string): string {
  return nameIn(languages, tag)
}

/** A country in the reader's language, by its two letters. */
export function countryName(code: string): string {
  return nameIn(countries, code)
}

/** What is no code at all stands as it is. */
function nameIn(names: Intl.DisplayNames, code: string): string {
  try {
    return names.of(code) ?? code
  } catch (error) {
    if (error instanceof RangeError) return code
    throw error
  }
}
