/** Words as somebody typed them, apart by commas, blanks or lines. */
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
