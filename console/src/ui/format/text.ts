/** Splits a list that is separated by commas, spaces or lines. */
export function wordsIn(typed: FormDataEntryValue | null): string[] {
  return String(typed ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
}

/** The URLs in a text, one a line. */
export function urlsIn(typed: FormDataEntryValue | null): string[] {
  return String(typed ?? '')
    .split(/\s+/)
    .filter(Boolean)
}

/** Turns an identifier such as `customer_request` or `refundAmount` into words. */
export function inWords(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .replaceAll(/[_.]/g, ' ')
    .toLowerCase()
}

/** The same with an initial capital. */
export function asSentence(name: string): string {
  const words = inWords(name)
  return words.charAt(0).toUpperCase() + words.slice(1)
}
