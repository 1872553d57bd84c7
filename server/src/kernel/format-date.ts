/** The day of a time in UTC, written out: May 4, 2026, or 4. Mai 2026. */
export function formatDate(locale: string, at: Date | string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(at))
}
