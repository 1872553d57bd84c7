const DAY_MS = 86_400_000

/** The beginning (UTC) of a period of days that ends today. */
export function daysUntil(now: Date, days: number): Date {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate())
  return new Date(today - (days - 1) * DAY_MS)
}
