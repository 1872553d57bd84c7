/** A timestamp in local time, as a `datetime-local` input expects it. */
export function localTime(at: string | null): string {
  if (at === null) return ''
  const date = new Date(at)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The timestamp of a `datetime-local` input. If it was not changed, the saved one, whose seconds and offset the input does not show. */
export function timestampOf(typed: string, saved: string | null): string | null {
  if (typed === localTime(saved)) return saved
  return typed === '' ? null : new Date(typed).toISOString()
}
