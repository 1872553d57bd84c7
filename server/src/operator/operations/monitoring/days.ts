const DAY_MS = 86_400_000

/** When the period of so many days (UTC) begins of which today is the last. */
export function daysUntil(now: Date, days: number): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return new Date(today - (days - 1) * DAY_MS)
}
