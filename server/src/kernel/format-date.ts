/** The day of a time in a time zone, written out: May 4, 2026, or 4. Mai 2026. */
export function formatDate(locale: string, at: Date | string, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: shownTimeZone(timeZone) }).format(new Date(at))
}

/** The days from a time to another one: November 25 – 28, 2026. */
export function formatDates(locale: string, from: Date, to: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: shownTimeZone(timeZone) })
  return format.formatRange(from, to)
}

/** A calendar day, such as `2026-05-04`, written out. */
export function formatDay(locale: string, day: string): string {
  return formatDate(locale, `${day}T00:00:00Z`, 'UTC')
}

/** The day and the time of day, with the name of its time zone: May 4, 2026 at 10:00 AM GMT+2. */
export function formatTime(locale: string, at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat(locale, {
    year: 'numeric',
    month: 'long',
    day: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
    timeZone: shownTimeZone(timeZone),
  }).format(at)
}

/** Whether `Intl` knows a time zone. PostgreSQL has names of its own, such as `posix/Europe/Berlin`. */
export function isShownTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function shownTimeZone(name: string): string {
  return isShownTimeZone(name) ? name : 'UTC'
}
