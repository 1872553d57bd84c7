/**
 * Normalizes an email address for comparison, limits and lookups: trimmed, NFKC, lower case. The address as entered is stored
 * separately, since mail servers may be case sensitive.
 */
export function comparableEmail(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}
