/** Words as somebody typed them, apart by commas, blanks or lines. */
export function wordsIn(typed: FormDataEntryValue | null): string[] {
  return String(typed ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
}
