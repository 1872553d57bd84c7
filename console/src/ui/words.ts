/** Words as somebody typed them, apart by commas, blanks or lines. */
export function wordsIn(typed: FormDataEntryValue | null): string[] {
  return String(typed ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
}

/** A name that machines use, such as `customer_request` or `refundAmount`, as people write it. */
export function inWords(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
}

/** The same at the beginning of a line. */
export function asSentence(name: string): string {
  const words = inWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

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
