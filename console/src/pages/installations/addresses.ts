/** Addresses as somebody typed them, one a line. */
export function addressesIn(typed: FormDataEntryValue | null): string[] {
  return String(typed ?? '')
    .split(/\s+/)
    .filter(Boolean)
}
