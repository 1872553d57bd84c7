import { locale } from '../../language.ts'

const withYear = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' })

/** A day such as `2026-11-27`, which is the same in every time zone, as it is written in the language: `Nov 27, 2026`. */
export function formatDay(day: string): string {
  return withYear.format(new Date(`${day}T00:00:00Z`))
}
