/** The change in percent; `null` if there was nothing before, or a loss, which has no percentage. */
export function changeOf(value: number, before: number): number | null {
  return before <= 0 || Number.isNaN(value - before) ? null : Math.round(((value - before) / before) * 100)
}
